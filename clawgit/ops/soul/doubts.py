"""Which corrections nothing proves, in a commit under an open alert or in what is not committed."""

import re
import shlex
from collections.abc import Iterator, Mapping

from clawgit.domain.change.history import SAYS
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.domain.markdown.decoding import exact_text, text_of
from clawgit.ops.safety.committed_texts import doubtful_in
from clawgit.ops.soul.claimed_words import reworded, unsaid
from clawgit.ops.workspace.alerts import look_at_new, noted_alerts, recorded_alerts
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.looked import CLAIMING_COMMITS, TAKING_COMMITS

_NAMED = re.compile(r"(?:correction .*#|CORRECTIONS\.md: correction )([\w-]+) (?:is|no longer) .*")
"""An alert about a correction: that it is confirmed, or says something else now."""


def claim_alerts(
    workspace: WorkspaceBase, path: str, before: bytes | None, after: bytes | None
) -> tuple[str, ...]:
    """Alerts about the corrections that an edit makes binding without proof.

    None in a repository without any history: it has lost the messages, too.
    """
    if workspace.adopting or not workspace.cgit.has_references():
        return ()
    log = exact_text(Batch(workspace.cgit).data(f"HEAD:{CORRECTIONS}"))
    claims = unsaid(workspace, path, exact_text(before or b""), exact_text(after or b""), log)
    return tuple(
        f"correction {path}#{claim.id} is confirmed, but no message that is known here says so"
        for claim in claims
    )


def doubts(
    workspace: WorkspaceBase, head: str, files: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The ids of the corrections in doubt, of these files with corrections, and what to do."""
    look_at_new(workspace, workspace.cgit, head)
    yield from _of_commits(workspace, head)
    committed = Batch(workspace.cgit).read(f"{head}:{path}" for path in (CORRECTIONS, *files))
    log, *before = ["" if blob is None else text_of(blob.data) for blob in committed]
    for (path, now), then in zip(files.items(), before, strict=True):
        if now != then:
            claims = (claim.id for claim in unsaid(workspace, path, then, now, log))
            for ident in (*claims, *reworded(path, then, now)):
                yield ident, f"clawgit diff {shlex.quote(path)}, then clawgit snapshot"


def _of_commits(workspace: WorkspaceBase, head: str) -> Iterator[tuple[str, str]]:
    """Those that a commit brought, by the alerts that nobody has settled."""
    git = workspace.cgit
    for alert in recorded_alerts(workspace, git, head):
        # What a message in the operator's name says may be typed by anybody.
        if not alert.message.startswith(SAYS) and (named := _NAMED.fullmatch(alert.message)):
            yield named[1], alert.next
    for commit, noted in noted_alerts(workspace, git, head, (CLAIMING_COMMITS, TAKING_COMMITS)):
        for ident in doubtful_in(workspace, git, commit):
            yield ident, noted.next
