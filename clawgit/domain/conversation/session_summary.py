"""A summary without a model: the parts of a conversation most worth keeping, in its order and its
own words.
"""

from collections.abc import Iterator, Sequence
from math import sqrt

from clawgit.domain.conversation.chat import ASSISTANT, USER
from clawgit.domain.conversation.session import (
    NO_REPLY,
    SUMMARY,
    SessionMessage,
    text_of,
)
from clawgit.domain.extraction.passages import Passage, passages
from clawgit.domain.markdown import frames
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.judges.judging import acts, thresholds, worth

_LONGEST = 240
"""The most characters of a line. A longer one is left out, because a piece of it could say
something else.
"""

_ENOUGH = 0.5
"""This share of what makes a sentence worth an entry makes it worth a line here, if there is
room.
"""

_CLEAR = 3.0
"""Certainty above this many thresholds makes a sentence no more worth telling."""

_KEPT_BEFORE = 5.0
"""The value of a line of the former summary: more than any other, so that it stays."""

_WEIGHTS = {USER: 1.0, ASSISTANT: 0.0}
"""Added by who said it."""


def summary_by_rules(messages: Sequence[SessionMessage], budget: int) -> str:
    """The sentences that are worth keeping, correct something or give an order, in at most `budget`
    tokens; "" if there are none. No line is cut.
    """
    # Of equal lines the last counts.
    lines = {text: (value, at) for at, (value, text) in enumerate(_lines(messages))}
    kept: list[str] = []
    for text in sorted(lines, key=lambda text: lines[text], reverse=True):
        budget -= estimate_tokens(text) + 1
        if budget < 0:
            break
        kept.append(text)
    return "\n".join(sorted(kept, key=lambda text: lines[text][1]))


def _lines(messages: Sequence[SessionMessage]) -> Iterator[tuple[float, str]]:
    """Each line that a summary may hold, after what it is worth."""
    before = ""
    for message in messages:
        text = text_of(message)
        if message.role == SUMMARY:
            yield from _kept_before(text)
        elif message.role in _WEIGHTS:
            yield from _told(message.role, text, before)
            before = text if message.role == ASSISTANT else ""


def _kept_before(summary: str) -> Iterator[tuple[float, str]]:
    for line in summary.split("\n"):
        words = " ".join(line.split()).removeprefix("- ")
        # The heading of the former summary goes: the new one gets its own.
        if words and not words.startswith(frames.SUMMARY):
            yield _KEPT_BEFORE, frames.ITEM.format(line=words)


def _told(role: str, text: str, before: str) -> Iterator[tuple[float, str]]:
    for passage in passages(text):
        words = _shown(passage)
        is_fit = len(words) <= _LONGEST and passage.text != NO_REPLY
        if is_fit and not passage.text.endswith(("?", "？")):
            value = _value(role, passage.text, before)
            if value >= _ENOUGH:
                yield value + _WEIGHTS[role], frames.SPOKEN.format(role=role, words=words)


def _value(role: str, words: str, before: str) -> float:
    """How much a sentence matters, as a share of a threshold between asking and acting.

    Less certainty is enough than for a change: a line of a summary only informs.
    """
    bars = thresholds()
    if role == ASSISTANT:
        return min(worth(words, before, place="assistant") / bars.worth, _CLEAR)
    act = acts(words, before)
    shares = (
        worth(words, before) / bars.worth,
        act.corrects / sqrt(bars.corrects_ask * bars.corrects_sure),
        act.orders / sqrt(bars.orders_ask * bars.orders_sure),
    )
    return min(max(shares), _CLEAR)


def _shown(passage: Passage) -> str:
    words = " ".join(passage.text.split())
    return frames.UNDER.format(path=passage.path, words=words) if passage.under else words
