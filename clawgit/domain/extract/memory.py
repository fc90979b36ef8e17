"""What was read out of a conversation, ready to be kept."""

from datetime import date, datetime
from typing import NamedTuple

from clawgit.domain.routing import DECISION, EVENT, KNOWLEDGE, SKILL

TOLD, DECIDED, PLAN, PREFERENCE, DIRECTIVE, LESSON, HOW_TO, FACT, HAPPENED = (
    "told", "decision", "plan", "preference", "directive", "lesson", "skill", "fact", "event",
)  # fmt: skip
"""Kinds of memories; the first is what the operator asked to be kept, whatever it says."""

TAGS = {
    DECIDED: DECISION, PLAN: DECISION, PREFERENCE: KNOWLEDGE, DIRECTIVE: KNOWLEDGE, LESSON: SKILL, HOW_TO: SKILL,
    FACT: KNOWLEDGE, HAPPENED: EVENT,
}  # fmt: skip


class Memory(NamedTuple):
    """One thing to keep. `text` stands for itself, in one line and without a tag: who speaks is named, and days are
    dates. `quote` are words that stand in the message; `evidence` names it, "" where the text came from elsewhere.
    `asked`: the operator asked for it to be kept.
    """

    text: str
    tag: str
    kind: str
    source: str
    confidence: float
    when: date | None
    evidence: str
    quote: str
    said: datetime
    asked: bool = False
