"""Has a language model choose from numbered texts. It quotes what it chooses."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from clawgit.agents.contract import Mind, Skipped
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.model.showing import proven

_EXCERPT = 300
_WHY = "the words that it quotes are not there"


@dataclass(frozen=True, slots=True)
class Choice:
    """One sentence. `words` stand in the text with that number, letter by letter."""

    number: int
    words: str


@dataclass(frozen=True, slots=True)
class Choices:
    """All that is chosen; an empty list if there is nothing."""

    chosen: list[Choice]


class Chosen(NamedTuple):
    """The proven quotations by the place of their text, and what is not proven.

    `doubted` are the places of the texts that the model quoted wrongly.
    """

    quotes: Mapping[int, Sequence[str]]
    doubted: frozenset[int]
    skipped: tuple[Skipped, ...]


def chosen_by(
    mind: Mind, instructions: str, shown: Mapping[str, str], evidence: Sequence[str]
) -> Chosen:
    """What a model chooses from the evidence. NoAnswerError if it gives no answer.

    A text that may not be quoted is "" there.
    """
    quotes: defaultdict[int, list[str]] = defaultdict(list)
    doubted: set[int] = set()
    skipped: list[Skipped] = []
    for choice in mind.ask(instructions, shown, Choices).chosen:
        place = choice.number - 1
        if 0 <= place < len(evidence) and proven(choice.words, evidence[place]):
            quotes[place].append(choice.words)
            continue
        doubted.add(place)
        skipped.append(Skipped(in_a_line(choice.words, _EXCERPT), _WHY))
    return Chosen(quotes, frozenset(doubted), tuple(skipped))


T = TypeVar("T")

A_CALL = 12_000
"""How many characters one question may have."""


def parts(
    items: Iterable[T], length: Callable[[T], int], most: int = A_CALL
) -> Iterator[Sequence[T]]:
    """The items in their order. An item longer than a part gets a part of its own."""
    part: list[T] = []
    size = 0
    for item in items:
        if part and size + length(item) > most:
            yield part
            part, size = [], 0
        part.append(item)
        size += length(item)
    if part:
        yield part
