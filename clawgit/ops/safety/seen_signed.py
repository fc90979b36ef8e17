"""What the operator has signed counts as seen: a plain commit of git, signed with a known key."""

from collections.abc import Iterable, Iterator

from clawgit.domain.safety.planted import PlantedBlock, is_served, planted
from clawgit.ops.safety.seen_texts import keep_as_seen
from clawgit.ops.workspace.operator import signers_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.signatures import signed_by


def see_signed(workspace: Workspace, git: CGit, commit: str, changed: Iterable[str]) -> None:
    """Keeps the planted blocks that a commit brought as seen, if the operator has signed it."""
    signers = signers_of(workspace)
    if not (signers.ssh or signers.gpg):
        return
    blocks = [
        *_brought(
            git, commit, sorted(path for path in changed if is_served(path) and "\n" not in path)
        )
    ]
    # Only now: checking a signature starts a program, and few commits bring such text.
    if blocks and signed_by(git, [commit], signers):
        keep_as_seen(workspace, blocks, f"the signature of commit {commit[:10]}")


def _brought(git: CGit, commit: str, paths: list[str]) -> Iterator[tuple[str, PlantedBlock]]:
    names = [f"{side}:{path}" for path in paths for side in (f"{commit}^", commit)]
    read = [found.data if found else b"" for found in Batch(git).read(names)]
    texts = [data.decode("utf-8", "surrogateescape") for data in read]
    for path, before, after in zip(paths, texts[::2], texts[1::2], strict=True):
        for block in planted(after, before):
            yield path, block
