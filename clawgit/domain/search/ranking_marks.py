"""Whether an item's own text makes it a likely answer: its speaker, and what it asks or states."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from clawgit.domain.search.ranking_weights import Weights
from clawgit.domain.search.terms import words
from clawgit.language.calendar import month_forms, weekday_forms
from clawgit.language.lazily import lazily

if TYPE_CHECKING:
    from clawgit.domain.search.question import SearchQuestion

_TAIL = 30
"""A question mark is looked for in this many characters at the end of a text."""

_SPEAKER = lazily(
    r"\W{0,3}(?:\*\*([^*\n:]{1,60})(?::\*\*|\*\*:)|(user|assistant|human|ai|agent)(?:\*\*)?:)\s",
    re.IGNORECASE,
)

_QUESTION = lazily("[?？]")

_MERE_QUESTION = 140
"""A turn of more characters that ends in a question says something before it asks."""

_OPERATOR = frozenset({"user", "human"})

ROLES = _OPERATOR | {"assistant", "ai", "agent"}
"""Names of speakers that are no label of anything else."""

_TIME = (
    r"\b(?:yesterday|today|tomorrow|tonight|ago|last|next|recently|soon|since|(?:week|month|year|weekend|morning|evening)s?"
    f"|(?:{'|'.join(forms[0] for forms in weekday_forms())})s?"
    f"|{'|'.join(forms[0] for forms in month_forms())}"
    r"|summer|winter|spring|birthday|anniversary|[0-9]{1,2}:[0-9]{2}|(?:19|20)[0-9]{2})\b"
    "|[0-9][年月日号點点년월일시時]|[周週]|요일|昨天|明天|어제|내일"
)


def factors(
    question: "SearchQuestion", text: str, weights: Weights, *, itself: bool = True
) -> Iterator[tuple[str, float]]:
    """The factors by which an item counts more or less than its words alone, each with its name.

    `itself`: the item has a word of the question or its meaning. If only its neighbours do, a time
    in it is probably the time of something else.
    """
    name = speaker(text)
    if name and not question.names.isdisjoint(words(name)):
        yield "speaker", weights.speaker
    if name.casefold() in _OPERATOR:
        yield "operator", weights.operator
    if asks(text):
        yield "asking", weights.asking
    if question.when and itself and tells_time(text):
        yield "time", weights.time
    if question.quoted and holds_phrase(question, text):
        yield "quoted", weights.quoted


def speaker(text: str) -> str:
    """The name before a turn of a conversation; "" if there is none."""
    match = _SPEAKER.match(text)
    if not match:
        return ""
    return match[1] or match[2]


def asks(text: str) -> bool:
    """Whether a text does nothing but ask."""
    return len(text) <= _MERE_QUESTION and _QUESTION.search(text[-_TAIL:]) is not None


def tells_time(text: str) -> bool:
    return _time().search(text) is not None


def holds_phrase(question: "SearchQuestion", text: str) -> bool:
    """Whether a text holds one of the phrases that the question quotes."""
    plain = " ".join(text.split()).casefold()
    return any(phrase in plain for phrase in question.quoted)


@cache
def _time() -> re.Pattern[str]:
    """Compiled when a question first asks for a time, since it takes 1 ms."""
    return re.compile(_TIME, re.IGNORECASE)
