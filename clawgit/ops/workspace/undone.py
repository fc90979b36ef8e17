"""Which changes were undone. A commit that says so is not enough, since anybody can write one."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from clawgit.domain.change.authority import without_derived
from clawgit.domain.change.history import parse_message
from clawgit.domain.change.taken_back import is_taken_back
from clawgit.domain.markdown.decoding import text_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history.patches import EMPTY_TREE

_UNDO = "^Clawgit-Op: [^/]+/(undo|redo|revert)$"

Undos = Mapping[str, list[str]]
"""Name of a change → the commits that say that they undid it."""


def undos_since(git: CGit, oldest: str, head: str) -> Undos:
    """The undos that were not undone themselves."""
    shape = ("-z", "--format=%H%n%B", "--extended-regexp", f"--grep={_UNDO}")
    undos: defaultdict[str, list[str]] = defaultdict(list)
    # Newest first: an undo of an undo is read before the undo that it cancels.
    for text in git.text("log", *shape, f"{oldest}..{head}").split("\0")[:-1]:
        commit, _, body = text.partition("\n")
        message = parse_message(body)
        if undos.keys().isdisjoint(message.ids):
            for name in message.evidence:
                undos[name].append(commit)
    return undos


def was_undone(
    workspace: Workspace, git: CGit, commit: str, names: Iterable[str], undos: Undos
) -> bool:
    """Whether one of the commits that say so really removed all of a change."""
    claims = [undo for name in names for undo in undos.get(name, ())]
    return any(_leaves_nothing(workspace, git, commit, undo) for undo in claims)


def _leaves_nothing(workspace: Workspace, git: CGit, commit: str, undo: str) -> bool:
    first, *parents = git.text("rev-list", "--parents", "-1", commit).split()
    before = next(iter(parents), EMPTY_TREE)
    shape = ("-r", "-z", "--name-only", "--no-renames")
    changed = git.text("diff-tree", *shape, before, first).split("\0")[:-1]
    paths = without_derived(filter(workspace.scope.covers, changed))
    revs = (before, first, undo)
    return all(is_taken_back(*_texts(git, revs, path)) for path in paths)


def _texts(git: CGit, revs: tuple[str, str, str], path: str) -> list[str]:
    blobs = Batch(git).read(f"{rev}:{path}" for rev in revs)
    return ["" if blob is None else text_of(blob.data) for blob in blobs]
