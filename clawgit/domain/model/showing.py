"""Chooses what a language model is shown of a conversation, so that a long day costs little."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import inf

from clawgit.domain.conversation.chat import ASSISTANT, USER, Message, unwrapped
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.judges.judging import acts, thresholds, worth
from clawgit.language.sentences import sentences

BUDGET = 6_000
"""One question shows at most this many tokens of conversation by default."""

LONGEST = 2_000
"""At most this many characters of one message are counted, and shown."""

_FLOOR = 0.3
"""A message below this share of a judge's threshold is not shown, even if there is room for it."""

_TURN_BEFORE = 400
"""At most this many characters of the assistant's turn before a message are counted: it only
explains the message, so callers shorten it.
"""

_SENTENCES = 20
"""The judges read at most this many sentences of one message."""


def worth_showing(messages: Sequence[Message], budget: float = BUDGET) -> tuple[Message, ...]:
    """The operator's messages that may matter, each with the assistant's turn before it.

    The likeliest are taken first until the budget of tokens is spent; they come back in their own
    order. An infinite budget leaves out only what cannot matter.
    """
    answered = _answered(messages)
    ranked = sorted(_shares(messages, answered), key=lambda pair: -pair[1])
    shown: set[int] = set()
    left = budget
    for place, share in ranked:
        if share < _FLOOR:
            break
        new = {place} - shown
        if place in answered:
            new |= {answered[place]} - shown
        cost = sum(_cost(messages[at]) for at in new)
        # No break where one is too long: a shorter one further down may still fit.
        if cost <= left:
            shown |= new
            left -= cost
    return tuple(message for at, message in enumerate(messages) if at in shown)


def for_a_model(messages: Sequence[Message]) -> tuple[Message, ...]:
    """All of a short conversation; of a long one, what may matter.

    A model understands more than the judges do, so they choose only where all would be too much.
    """
    if sum(map(_cost, messages)) <= BUDGET:
        return tuple(messages)
    return worth_showing(messages, inf)


def _shares(
    messages: Sequence[Message], answered: Mapping[int, int]
) -> Iterator[tuple[int, float]]:
    """Each operator's message with its highest score, as a share of that judge's threshold."""
    bars = thresholds()
    for place, message in enumerate(messages):
        text = unwrapped(message.text)[:LONGEST]
        if message.role != USER or not text.strip():
            continue
        before = unwrapped(messages[answered[place]].text)[-LONGEST:] if place in answered else ""
        parts = [span.text for span in islice(sentences(text), _SENTENCES)]
        kept = max((worth(part, before) for part in parts), default=0.0)
        heard = acts(text, before)
        yield (
            place,
            max(
                kept / bars.worth,
                heard.corrects / bars.corrects_ask,
                heard.orders / bars.orders_ask,
                heard.complains / bars.complains_ask,
                heard.praises / bars.praises_ask,
            ),
        )


def _answered(messages: Sequence[Message]) -> Mapping[int, int]:
    """The place of a message → the place of the assistant's turn before it in its session."""
    last: dict[str, int] = {}
    answered: dict[int, int] = {}
    for place, message in enumerate(messages):
        before = last.get(message.session)
        if before is not None and messages[before].role == ASSISTANT:
            answered[place] = before
        last[message.session] = place
    return answered


def _cost(message: Message) -> int:
    longest = LONGEST if message.role == USER else _TURN_BEFORE
    return estimate_tokens(unwrapped(message.text)[:longest])
