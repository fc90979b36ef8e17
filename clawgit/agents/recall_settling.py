"""Ends a quoted or open correction as the operator says: the entry stays, or it was no
correction.
"""

from clawgit.agents.contract import ChangeSet, Draft, Snapshot, Step
from clawgit.agents.recall_draft import CorrectionDraft
from clawgit.domain.corrections.statuses import DISMISSED, KEPT
from clawgit.domain.markdown.excerpt import in_a_line

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
    """One commit that ends it. NotFoundError if no open or quoted correction has that id."""
    draft = Draft(snapshot.files)
    correction_draft = CorrectionDraft(snapshot, draft)
    correction = correction_draft.waiting(ident)
    proposed = correction_draft.end(correction, _STATUS[how], _WHY[how])
    excerpt = in_a_line(correction.words or correction.correct, _EXCERPT)
    step = Step(
        verb="correct",
        summary=f"{_SUMMARY[how]}: {excerpt}",
        reason=f"{_WHY[how].capitalize()}.",
        evidence=(correction.evidence,),
        edits=draft.edits,
        proposed=proposed,
    )
    return ChangeSet((step,))
