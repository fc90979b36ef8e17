"""Has HEARTBEAT.md ask the agent for the upkeep, when the operator wants that."""

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.domain.conversation.heartbeat_file import PATH, has_tasks, with_upkeep
from clawgit.ops.change.described import Change, described
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource

_AT_A_TERMINAL = "Run `clawgit heartbeat --install` at a terminal."
_ONCE_A_DAY = (
    "OpenClaw calls the model once a day for it. Older releases call it at each heartbeat. "
    "Those since July 2026 do not read the file: `openclaw doctor --fix` makes a job of the task."
)
_EACH_TIME = f"{PATH} asks for other things too, so the model sees the new line at each heartbeat."
_UPKEEP = "the upkeep"


def ask_for_upkeep(workspace: Workspace, *, dry_run: bool = False) -> Change:
    """Writes HEARTBEAT.md, or adds one task or line to it, by one commit.

    For the operator only: from then on, heartbeats cost model calls. Anybody may see what would
    change.
    """
    if not dry_run:
        require_operator(workspace.caller, "have heartbeats ask for the upkeep", _AT_A_TERMINAL)
    intent = Intent(
        actor=OPERATOR,
        verb="heartbeat",
        summary=f"have {PATH} ask for the upkeep of memory",
        reason="The operator ran `clawgit heartbeat --install`.",
    )
    template = (resource("templates") / "openclaw" / PATH).read_text(encoding="utf-8")
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        before = tx.read_text(PATH) or ""
        after = with_upkeep(before, template)
        if after != before:
            tx.put(PATH, after)
    return described(tx, dry_run=dry_run, of=_UPKEEP)._replace(note=_note(before, after))


def _note(before: str, after: str) -> str:
    if after == before:
        return ""
    return _ONCE_A_DAY if has_tasks(after) else _EACH_TIME
