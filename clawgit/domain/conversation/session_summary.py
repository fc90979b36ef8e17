"""A summary without a model: the parts of a conversation most worth keeping, in its order and its
own words.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from clawgit.domain.conversation.chat import ASSISTANT, USER
from clawgit.domain.conversation.session import (
    NO_REPLY,
    SUMMARY,
    SessionMessage,
    text_of,
)
from clawgit.domain.extraction.passages import Passage, passages
from clawgit.domain.markdown import frames
from clawgit.domain.model.proof import is_chosen
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.judges.worth import worth

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

_CHOSEN = 4.0
"""Added for what a model chose."""

_ANSWERS = 1.0
"""Added for the answer to a question of the user."""

_OPERATOR = 1.0
"""Added for what the user said."""


class SummaryLine(NamedTuple):
    """A line that a summary may hold. `at` is its place among all."""

    at: int
    worth: float
    text: str


def summary_by_rules(
    messages: Sequence[SessionMessage], budget: int, chosen: Sequence[str] = ()
) -> str:
    """The sentences that are worth keeping, correct something, give an order or answer a question,
    in at most `budget` tokens; "" if there are none. No line is cut.

    Those that a model quotes, the `chosen`, come before others.
    """
    lines = {line.text: line for line in _lines(messages, chosen)}
    best = sorted(lines.values(), key=lambda line: (-line.worth, -line.at))
    kept: list[SummaryLine] = []
    left = budget
    for line in best:
        left -= estimate_tokens(line.text) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(line.text for line in sorted(kept))


def _lines(messages: Sequence[SessionMessage], chosen: Sequence[str]) -> Iterator[SummaryLine]:
    at = 0
    asked = before = ""
    for message in messages:
        if message.role == SUMMARY:
            scored = [*_kept_before(message)]
        elif message.role in (USER, ASSISTANT):
            spoken = [
                passage
                for passage in passages(text_of(message))
                if len(_shown(passage)) <= _LONGEST
            ]
            scored = [*_told(message.role, spoken, asked, before, chosen)]
            asked = (
                next((passage.text for passage in reversed(spoken) if _is_question(passage)), "")
                if message.role == USER
                else ""
            )
            before = text_of(message) if message.role == ASSISTANT else ""
        # Results of tools between them do not part a question from its answer.
        else:
            continue
        for value, text in scored:
            at += 1
            yield SummaryLine(at, value, text)


def _kept_before(message: SessionMessage) -> Iterator[tuple[float, str]]:
    lines = (" ".join(line.split()).removeprefix("- ") for line in text_of(message).split("\n"))
    # The heading of the former summary goes: the new one gets its own.
    return (
        (_KEPT_BEFORE, frames.ITEM.format(line=line))
        for line in lines
        if line and not line.startswith(frames.SUMMARY)
    )


def _told(
    role: str, spoken: Sequence[Passage], asked: str, before: str, chosen: Sequence[str]
) -> Iterator[tuple[float, str]]:
    for number, passage in enumerate(spoken):
        answers = bool(asked) and number == 0 and role == ASSISTANT
        if passage.text == NO_REPLY or (_is_question(passage) and not answers):
            continue
        value = _value(role, passage.text, before)
        words = _shown(passage)
        if is_chosen(passage.text, chosen):
            value += _CHOSEN
        if answers:
            value += _ANSWERS
            words = frames.ANSWERED.format(question=" ".join(asked.split()), answer=words)
        if value < _ENOUGH:
            continue
        if role == USER:
            value += _OPERATOR
        yield value, frames.SPOKEN.format(role=role, words=words)


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


def _is_question(passage: Passage) -> bool:
    return passage.text.endswith(("?", "？"))
