"""What of a conversation a language model is shown: the judges choose, so that a long day costs
little.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import inf

from clawgit.domain.conversation.chat import ASSISTANT, USER, Message, unwrapped
from clawgit.domain.model.tokens import estimate_tokens
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.judges.worth import worth
from clawgit.language.sentences import sentences

BUDGET = 6_000
"""Tokens of conversation that one question shows, where nothing else is said."""

LONGEST = 2_000
"""Characters of one message that are counted, and shown."""

_FLOOR = 0.3
"""Below this share of what a judge would act or ask upon nobody pays for a message, however much
room there is."""

_TURN_BEFORE = 400
"""Characters that the assistant's turn before a message is counted with: it is there to be
understood, not kept."""

_SENTENCES = 20


def worth_showing(messages: Sequence[Message], budget: float = BUDGET) -> tuple[Message, ...]:
    """The operator's messages that may matter, the likeliest first until the budget of tokens is
    spent, each with the turn of the assistant that it answers; in the order in which they came. An
    infinite budget leaves out only what cannot matter.
    """
    answered = _answered(messages)
    ranked = sorted(_shares(messages, answered), key=lambda pair: -pair[1])
    shown: set[int] = set()
    left = budget
    for place, share in ranked:
        if share < _FLOOR:
            break
        wanted = {place, *([answered[place]] if place in answered else [])} - shown
        cost = sum(_cost(messages[at]) for at in wanted)
        if cost <= left:  # a shorter one further down may still fit
            shown |= wanted
            left -= cost
    return tuple(message for at, message in enumerate(messages) if at in shown)


def for_a_model(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What the model of a run is shown: all of a short conversation, for it understands what no
    judge does; of a long one what may matter.
    """
    if sum(map(_cost, messages)) <= BUDGET:
        return tuple(messages)
    return worth_showing(messages, inf)


def _shares(
    messages: Sequence[Message], answered: Mapping[int, int]
) -> Iterator[tuple[int, float]]:
    """How near each message of the operator comes to what some judge would act or ask upon, from 0;
    1 is there.
    """
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
    """Message → the assistant's turn right before it in its session."""
    last: dict[str, int] = {}
    found: dict[int, int] = {}
    for place, message in enumerate(messages):
        before = last.get(message.session)
        if before is not None and messages[before].role == ASSISTANT:
            found[place] = before
        last[message.session] = place
    return found


def _cost(message: Message) -> int:
    longest = LONGEST if message.role == USER else _TURN_BEFORE
    return estimate_tokens(unwrapped(message.text)[:longest])
