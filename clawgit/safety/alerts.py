"""`status --ack`: the operator has seen an alert; and what waits for his word."""

from collections.abc import Iterator

from clawgit.core import NamedTuple
from clawgit.core.errors import Committed, Finding, NotFoundError, counted
from clawgit.git.place import head_of
from clawgit.memory.rules.conflict_log import conflicts
from clawgit.safety.committed_texts import of_commits
from clawgit.safety.operator import require_operator
from clawgit.safety.state_alerts import of_recovery
from clawgit.talk.rules.corrections import corrections
from clawgit.workspace.workspace_base import WorkspaceBase

_AT_A_TERMINAL = "The operator runs this at a terminal: clawgit status --ack"


class Acknowledged(NamedTuple):
    """The alerts that will not be shown again.

    This is not in the history, so there is no commit.
    """

    acknowledged: tuple[str, ...]
    change: Committed = Committed()


def acknowledge(workspace: WorkspaceBase, name: str = "") -> Acknowledged:
    """Marks one alert of the history or of the state as seen, or all that are shown.

    Alerts are for the operator, so only the operator may acknowledge them.
    """
    require_operator(workspace.caller, "acknowledge an alert", _AT_A_TERMINAL)
    head = head_of(workspace.place) or None
    shown = [*of_recovery(workspace), *of_commits(workspace, head)]
    ids = (alert.id for alert in shown if alert.id and name in ("", alert.id))
    chosen = tuple(dict.fromkeys(ids))
    if name and not chosen:
        raise NotFoundError(f"There is no alert {name}.", hint="`clawgit status` lists the alerts.")
    if chosen and not workspace.dry_run:
        with workspace.state() as state:
            for ident in chosen:
                state.acknowledge(ident)
    return Acknowledged(chosen)


def undecided(corrected: str, conflicting: str) -> Iterator[Finding]:
    """What waits in CORRECTIONS.md and CONFLICTS.md for the operator's word, and what shows it."""
    if count := sum(correction.waits for correction in corrections(corrected)):
        what = f"{counted(count, 'correction asks', 'corrections ask')} what is right"
        yield Finding(what, "clawgit corrections list --open")
    if count := sum(conflict.open for conflict in conflicts(conflicting)):
        what = f"{counted(count, 'conflict waits', 'conflicts wait')} for the operator"
        yield Finding(what, "clawgit conflicts list")
