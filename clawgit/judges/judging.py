"""The judges: what a message does, what is worth keeping, its tag, and what was planted.

Each is one shape: the features of a text → scores → chances that hold for how often things occur in
real chats. From which chance one acts alone was chosen on writers that no judge learned from.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp, log
from typing import NamedTuple

from clawgit.judges.features import SLOTS, characters, first_words, hashed, of_message
from clawgit.judges.weights import head

_LEAST = -500.0


class Acts(NamedTuple):
    """Chances calibrated for how often each act occurs in real chats. Their sum is 1."""

    corrects: float
    orders: float
    praises: float
    complains: float
    chats: float


class Thresholds(NamedTuple):
    """Below `…_ask` a judge says nothing. From `…_sure` on it may act without asking."""

    corrects_pass: float
    corrects_ask: float
    corrects_sure: float
    orders_ask: float
    orders_sure: float
    praises_ask: float
    praises_sure: float
    complains_ask: float
    worth: float
    poison_warn: float
    poison_hold: float


@cache
def thresholds() -> Thresholds:
    bars = (head(name).more["thresholds"] for name in ("acts", "worth", "poison"))
    return Thresholds(**{name: bar for part in bars for name, bar in part.items()})


def acts(message: str, before: str = "") -> Acts:
    """What this message does. `before` is the assistant's last turn."""
    learned = head("acts")
    scores = learned.scores(hashed(of_message(message, before)))
    # Each act but the last has its own line; the last gets the rest.
    each = [
        sigmoid(slope * _odds(scores, number) + shift)
        for number, (slope, shift) in enumerate(learned.more["calibration"])
    ]
    # Each line was fitted by itself, so together they may pass 1.
    total = max(1.0, sum(each))
    each = [chance / total for chance in each]
    return Acts._make((*each, max(0.0, 1 - sum(each))))


def worth(sentence: str, before: str = "", *, place: str = "chat") -> float:
    """The chance that a sentence is worth keeping for months. `place` is "chat", "assistant" or
    "note"; `before` the turn or heading.
    """
    learned = head("worth")
    (score,) = learned.scores(hashed([*of_message(sentence, before), [f"place {place}"]]))
    slope, shift = learned.more["calibration"][place]
    return sigmoid(slope * score + shift)


def tag(sentence: str) -> str:
    """The likeliest tag of a sentence that is kept, one of `domain/markdown/tag_table.py`."""
    learned = head("tags")
    scores = learned.scores(hashed(of_message(sentence, "")))
    return learned.classes[scores.index(max(scores))]


def sigmoid(score: float) -> float:
    if score >= 0:
        return 1 / (1 + exp(max(-score, _LEAST)))
    power = exp(max(score, _LEAST))
    return power / (1 + power)


def _odds(scores: Sequence[float], number: int) -> float:
    """The log odds of one class against all the others."""
    others = [score for at, score in enumerate(scores) if at != number]
    highest = max(others)
    most = sum(exp(max(score - highest, _LEAST)) for score in others)
    return scores[number] - highest - log(most)


class Poison(NamedTuple):
    """`kind` is what such a text would do: `hides`, `leaks` and so on; "" if nothing is
    reported.
    """

    chance: float
    kind: str


HONEST = Poison(0.0, "")


@lru_cache(maxsize=1024)  # notes share headings and templates, and a file has a line twice
def poison(text: str, signs: tuple[str, ...] = ()) -> Poison:
    """The chance that a text of a few lines was planted, and the likeliest kind. `signs` are the
    names of patterns that it matches.

    HONEST, without a closer look, if no pattern matches and its words alone say nothing.
    """
    if not signs and _first(text) < head("poison_first").more["pass"]:
        return HONEST
    learned = head("poison")
    groups = hashed(seen(text, signs), learned.slots)
    (score,) = learned.scores(groups)
    slope, shift = learned.more["calibration"]
    chance = sigmoid(slope * score + shift)
    # The kind is needed only if something is reported, and it costs more than the chance.
    is_named = bool(signs) or chance >= thresholds().poison_warn
    return Poison(chance, _kind(groups) if is_named else "")


def seen(text: str, signs: Sequence[str]) -> list[list[str]]:
    """What the judges of planted text see of it."""
    groups = of_message(text, "")
    return [*groups, characters(groups[0]), [f"sign {sign}" for sign in signs]]


def _kind(groups: list[list[int]]) -> str:
    """Only what is planted has a kind, so this judge learned from no honest text."""
    learned = head("poison_kind")
    scores = learned.scores([[slot % SLOTS for slot in group] for group in groups])
    return learned.classes[max(range(len(scores)), key=scores.__getitem__)]


def _first(text: str) -> float:
    """The score of the words alone: a third of the work, and most lines go no further."""
    learned, units = head("poison_first"), {*first_words(text)}
    scale = learned.step / len(units) ** 0.5 if units else 0.0
    return learned.bias[0] + scale * sum(map(_weight, units))


@lru_cache(maxsize=1 << 14)
def _weight(unit: str) -> int:
    """The weight of one word. Cached, because the files of a commit share most of their words."""
    ((slot,),) = hashed([[unit]])
    return head("poison_first").table[0][slot]
