"""`corrections settle`: the operator ends a quoted or open correction."""

from dataclasses import dataclass

from clawgit.agents.contract import Snapshot
from clawgit.agents.recall_settling import DISMISS, KEEP, ended
from clawgit.domain.change.history import Intent
from clawgit.errors import UsageError
from clawgit.ops.agents.snapshot import files_now
from clawgit.ops.change.described import Change, described
from clawgit.ops.corrections.corrections import Corrected, TypedCorrection, add, local_now
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SettledCorrection:
    """A correction that the operator has ended, and how: settled, kept or dismissed."""

    correction: str
    status: str
    reason: str
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    dry_run: bool = False
    preview: str = ""


def settle(
    workspace: Workspace,
    ident: str,
    text: str = "",
    *,
    keep: bool = False,
    dismiss: bool = False,
    dry_run: bool = False,
) -> SettledCorrection:
    """Ends a quoted or open correction; only the operator may.

    With the text that is right, by keeping the entry as it is, or by dismissing the correction.
    """
    if [bool(text.strip()), keep, dismiss].count(True) != 1:
        hint = f'clawgit corrections settle {ident} "…", or --keep, or --dismiss'
        raise UsageError("Say what is right, or --keep, or --dismiss.", hint=hint)
    hint = "Show the operator what waits: clawgit corrections list --open"
    require_operator(workspace.caller, "settle what was said", hint)
    if text.strip():
        done = add(workspace, TypedCorrection(text, closes=ident), dry_run=dry_run)
        return _settled(ident, done.status, done.reason, done, dry_run=dry_run)
    workspace.git.snapshot(workspace.now, dry_run=dry_run)
    seen = Snapshot(
        local_now(workspace),
        workspace.config.settings,
        files_now(workspace),
        workspace.git.head().oid or "",
        ident,
    )
    [step] = ended(seen, ident, KEEP if keep else DISMISS).steps
    intent = Intent(workspace.caller.actor, step.verb, step.summary, step.reason, step.evidence)
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for edit in step.edits:
            tx.put(edit.path, edit.after or "")
    change = described(tx, dry_run=dry_run)
    return _settled(ident, step.proposed[0].kind, step.reason, change, dry_run=dry_run)


def _settled(
    ident: str, status: str, reason: str, done: Corrected | Change, *, dry_run: bool
) -> SettledCorrection:
    return SettledCorrection(
        ident, status, reason, done.commit, done.id, done.changed, dry_run, done.preview
    )
