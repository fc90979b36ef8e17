"""A question to a memory, as it was read: its telling words, and what stands for each of them."""

from collections.abc import Collection, Mapping
from typing import NamedTuple


class Word(NamedTuple):
    """A telling word. `forms` are the terms of the memory that stand for it, each with what it is
    worth: its share of the word, the weight of the word in its language, and how rare it is.
    """

    word: str
    forms: Mapping[str, float]

    def worth(self, said: Collection[str]) -> float:
        """What a text is worth that has these terms; the best of them counts."""
        return max((value for form, value in self.forms.items() if form in said), default=0.0)


class Asked(NamedTuple):
    """A question, and those of its words, as they were written, that stand nowhere in any form."""

    text: str
    words: tuple[Word, ...]
    missing: tuple[str, ...] = ()

    @property
    def terms(self) -> list[str]:
        return [*dict.fromkeys(term for word in self.words for term in word.forms)]

    @property
    def whole(self) -> float:
        """What a text is worth that has every word."""
        return sum(max(word.forms.values()) for word in self.words)

    def worth(self, said: Collection[str]) -> float:
        return sum(word.worth(said) for word in self.words)
