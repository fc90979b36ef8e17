"""Chooses what a language model is shown of a conversation, so that a long day costs little."""

from collections.abc import Iterable, Sequence
from itertools import islice

from clawgit.core.tokens import estimate_tokens
from clawgit.language.clauses import sentences
from clawgit.language.judges.judging import acts, thresholds, worth
from clawgit.language.lexicon import content_words
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, unwrapped
from clawgit.talk.rules.quoting import bears

_EDGES = " \n.,;:!?…。！？\"'“”„«»"
"""Signs around a quotation that are not always quoted."""


def proven(quote: str, evidence: str) -> bool:
    """Whether a quotation says something, and its words stand side by side in the evidence."""
    words = quote.strip(_EDGES).casefold()
    return bool(content_words(words)) and bears(evidence.casefold(), words)


def is_chosen(passage: str, quotes: Iterable[str]) -> bool:
    """Whether one of these quotations is of a passage, or holds all of it."""
    return any(proven(quote, passage) or proven(passage, quote) for quote in quotes)


BUDGET = 6_000
"""A conversation of at most this many tokens is shown whole."""

LONGEST = 2_000
"""At most this many characters of one message are counted, and judged."""

_FLOOR = 0.3
"""A message below this share of a judge's threshold is not shown."""

_TURN_BEFORE = 400
"""At most this many characters of an assistant's turn are counted: it only explains the message
after it, so callers shorten it.
"""

_SENTENCES = 20
"""The judges read at most this many sentences of one message."""


def for_a_model(messages: Sequence[Message]) -> tuple[Message, ...]:
    """All of a short conversation; of a long one, the operator's messages that may matter, each
    with the assistant's turn before it.

    A model understands more than the judges do, so they choose only where all would be too much.
    """
    if sum(map(_cost, messages)) <= BUDGET:
        return tuple(messages)
    shown: set[int] = set()
    turns: dict[str, int] = {}
    for place, message in enumerate(messages):
        at = turns.pop(message.session, None)
        if message.role == ASSISTANT:
            turns[message.session] = place
        if message.role != USER:
            continue
        before = "" if at is None else messages[at].text
        if _share(message.text, before) >= _FLOOR:
            shown |= {place} if at is None else {place, at}
    return tuple(message for place, message in enumerate(messages) if place in shown)


def _share(said: str, before: str) -> float:
    """The highest score of a message, as a share of that judge's threshold."""
    text, before, bars = unwrapped(said)[:LONGEST], unwrapped(before)[-LONGEST:], thresholds()
    if not text.strip():
        return 0.0
    parts = [span.text for span in islice(sentences(text), _SENTENCES)]
    heard = acts(text, before)
    return max(
        max((worth(part, before) for part in parts), default=0.0) / bars.worth,
        heard.corrects / bars.corrects_ask,
        heard.orders / bars.orders_ask,
        heard.complains / bars.complains_ask,
        heard.praises / bars.praises_ask,
    )


def _cost(message: Message) -> int:
    longest = LONGEST if message.role == USER else _TURN_BEFORE
    return estimate_tokens(unwrapped(message.text)[:longest])
