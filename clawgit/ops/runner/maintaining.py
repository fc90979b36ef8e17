"""The upkeep at a heartbeat: promotes what lasts, and tells the human what waits."""

from dataclasses import dataclass, replace

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.domain.conversation.heartbeat_file import (
    MAINTAIN,
    OK,
    PATH,
    asked,
    with_upkeep,
)
from clawgit.domain.promotion.plan import FLAGGED
from clawgit.ops.change.changes import snapshot
from clawgit.ops.change.described import Change, described
from clawgit.ops.promotion.promote import PromotionCandidate, PromotionWish, promote
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.status import status
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores.git.worktree import glance

_AT_A_TERMINAL = "Run `clawgit heartbeat --install` at a terminal."
_NOTE = (
    "OpenClaw calls the model once a day for it. Older releases call it at each heartbeat, as they "
    "do where the file asks for other things without a task. Those since July 2026 do not read the "
    "file: `openclaw doctor --fix` makes a job of the task."
)
_UPKEEP = "the upkeep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintained(Change):
    """What the upkeep did. `promoted` are the lines of daily notes that went to MEMORY.md.

    `needs` is what waits for the human, `asked` what else HEARTBEAT.md asks for. `reply` is
    HEARTBEAT_OK if there is neither.
    """

    promoted: tuple[PromotionCandidate, ...]
    needs: tuple[str, ...]
    asked: tuple[str, ...]
    reply: str


def maintain(workspace: Workspace, *, dry_run: bool = False) -> Maintained:
    """Commits edits, promotes what is certain, and asks for the rest."""
    edits = snapshot(workspace, dry_run=dry_run)
    done = promote(workspace, PromotionWish(), dry_run=dry_run)
    alerts = (f"{alert.message}: {alert.next}" for alert in status(workspace).alerts)
    needs = (*alerts, *done.held)
    asks = asked(glance(workspace.root, PATH))
    other = tuple(line for line in asks if MAINTAIN not in line)
    return Maintained(
        promoted=tuple(line for line in done.candidates if line.action != FLAGGED),
        needs=needs,
        asked=other,
        reply="" if needs or other else OK,
        commit=done.commit or edits.commit,
        id=done.id or edits.id,
        changed=(*edits.changed, *done.changed),
        snapshots=tuple(commit.commit for commit in edits.commits),
        dry_run=dry_run,
        preview=done.preview,
    )


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
    note = _NOTE if after != before else ""
    return replace(described(tx, dry_run=dry_run, of=_UPKEEP), note=note)
