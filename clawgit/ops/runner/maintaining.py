"""The upkeep at a heartbeat: what lasts is promoted, and the human is told what waits."""

from dataclasses import dataclass

from clawgit.domain.conversation.heartbeat_file import MAINTAIN, OK, PATH, asked
from clawgit.ops.change.changes import snapshot
from clawgit.ops.promotion.promote import FLAGGED, PromotionCandidate, PromotionWish, promote
from clawgit.ops.workspace.status import status
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance


@dataclass(frozen=True, slots=True)
class Maintained:
    """What the upkeep did. `promoted` are the lines of daily notes that went to MEMORY.md.

    `needs` is what waits for the human, `asked` what HEARTBEAT.md asks for besides. `reply` is
    HEARTBEAT_OK if there is neither.
    """

    promoted: tuple[PromotionCandidate, ...]
    needs: tuple[str, ...]
    asked: tuple[str, ...]
    reply: str
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    dry_run: bool = False
    preview: str = ""


def maintain(workspace: Workspace, *, dry_run: bool = False) -> Maintained:
    """Commits edits, promotes what is sure, and asks for the rest."""
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
