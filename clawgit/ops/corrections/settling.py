"""`corrections settle`: the operator ends a quoted or open correction."""

from clawgit.agents.recall_validator import ended
from clawgit.domain.corrections.statuses import DISMISSED, KEPT
from clawgit.errors import UsageError
from clawgit.ops.change.described import Change, fields_of
from clawgit.ops.corrections.corrections import TypedCorrection, add, committed, seen_now
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.workspace import Workspace


class SettledCorrection(Change):
    """A correction that the operator has ended, and how: settled, kept or dismissed."""

    correction: str
    status: str
    reason: str


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
        told = fields_of(done)
        return SettledCorrection(**told, correction=ident, status=done.status, reason=done.reason)
    workspace.git.snapshot(workspace.now, dry_run=dry_run)
    [step] = ended(seen_now(workspace, ident), ident, KEPT if keep else DISMISSED).steps
    told = fields_of(committed(workspace, step, dry_run=dry_run))
    status = step.proposed[0].kind
    return SettledCorrection(**told, correction=ident, status=status, reason=step.reason)
