"""Judge (f): was a text planted to make an agent act against its operator, and what would it do?"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from clawgit.judges.features import SLOTS, characters, first_words, hashed, of_message
from clawgit.judges.judging import sigmoid, thresholds
from clawgit.judges.weights import head


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
