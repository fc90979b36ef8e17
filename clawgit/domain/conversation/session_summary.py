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

_WEIGHTS = {USER: 1.0, ASSISTANT: 0.0}
"""Added by who said it."""


def summary_by_rules(
    messages: Sequence[SessionMessage], budget: int, chosen: Sequence[str] = ()
) -> str:
    """The sentences that are worth keeping, correct something, give an order or answer a question,
    in at most `budget` tokens; "" if there are none. No line is cut.

    Those that a model quotes, the `chosen`, come before others.
    """
    # Of equal lines the last counts.
    lines = {text: (value, at) for at, (value, text) in enumerate(_lines(messages, chosen))}
    kept: list[str] = []
    for text in sorted(lines, key=lambda text: lines[text], reverse=True):
        budget -= estimate_tokens(text) + 1
        if budget < 0:
            break
        kept.append(text)
    return "\n".join(sorted(kept, key=lambda text: lines[text][1]))


def _lines(
    messages: Sequence[SessionMessage], chosen: Sequence[str]
) -> Iterator[tuple[float, str]]:
    """Each line that a summary may hold, after what it is worth."""
    asked = before = ""
    for message in messages:
        text = text_of(message)
        if message.role == SUMMARY:
            yield from _kept_before(text)
        # Results of tools between them do not part a question from its answer.
        elif message.role in (USER, ASSISTANT):
            spoken = [each for each in passages(text) if len(_shown(each)) <= _LONGEST]
            answered = asked if message.role == ASSISTANT else ""
            yield from _told(message.role, spoken, answered, before, chosen)
            asked, before = "", text
            if message.role == USER:
                asked, before = _last_question(spoken), ""


def _last_question(spoken: Sequence[Passage]) -> str:
    return next((each.text for each in reversed(spoken) if _is_question(each)), "")


def _kept_before(summary: str) -> Iterator[tuple[float, str]]:
    for line in summary.split("\n"):
        words = " ".join(line.split()).removeprefix("- ")
        # The heading of the former summary goes: the new one gets its own.
        if words and not words.startswith(frames.SUMMARY):
            yield _KEPT_BEFORE, frames.ITEM.format(line=words)


def _told(
    role: str, spoken: Sequence[Passage], asked: str, before: str, chosen: Sequence[str]
) -> Iterator[tuple[float, str]]:
    for number, passage in enumerate(spoken):
        # The first sentence after a question is its answer.
        answers = bool(asked) and number == 0
        if passage.text == NO_REPLY or (_is_question(passage) and not answers):
            continue
        words = _shown(passage)
        value = _value(role, passage.text, before)
        if is_chosen(passage.text, chosen):
            value += _CHOSEN
        if answers:
            value += _ANSWERS
            words = frames.ANSWERED.format(question=" ".join(asked.split()), answer=words)
        if value >= _ENOUGH:
            rank = value + _WEIGHTS[role]
            yield rank, frames.SPOKEN.format(role=role, words=words)


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
