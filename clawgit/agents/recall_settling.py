"""The end of a quoted or open correction by the operator's word: the entry is kept, or it was no
correction.
"""

from clawgit.agents.contract import ChangeSet, Draft, Snapshot, Step
from clawgit.agents.recall_desk import Desk
from clawgit.domain.corrections.statuses import DISMISSED, KEPT
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.errors import NotFoundError

KEEP = "keep"
DISMISS = "dismiss"
_STATUS = {KEEP: KEPT, DISMISS: DISMISSED}
_WHY = {
    KEEP: "the operator keeps the entry as it is",
    DISMISS: "the operator says that it was no correction",
}
_SUMMARY = {KEEP: "keep what was disputed", DISMISS: "dismiss what was no correction"}
_EXCERPT = 80


def ended(snapshot: Snapshot, ident: str, how: str) -> ChangeSet:
    """One commit that ends it. NotFoundError where no open or quoted correction has that id."""
    draft = Draft(snapshot.files)
    desk = Desk(snapshot, draft)
    one = next((one for one in desk.known if one.id == ident and one.waits), None)
    if one is None:
        raise NotFoundError(
            f"No open or quoted correction is {ident}.", hint="clawgit corrections list --open"
        )
    proposed = desk.end(one, _STATUS[how], _WHY[how])
    said = in_a_line(one.words or one.correct, _EXCERPT)
    step = Step(
        "correct",
        f"{_SUMMARY[how]}: {said}",
        f"{_WHY[how].capitalize()}.",
        (one.evidence,),
        draft.edits,
        proposed,
    )
    return ChangeSet((step,))
