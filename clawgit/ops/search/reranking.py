"""What a reranker is asked: about which questions, and how it reads a line."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice, takewhile
from typing import NamedTuple

from clawgit.domain.search.fields import FIELD
from clawgit.domain.search.passage import nearest
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.ranking_standing import (
    CORRECTS,
    Stood,
    reordered,
)
from clawgit.domain.search.terms import words as words_of
from clawgit.domain.workspace.tiers import NOTEBOOKS, dated
from clawgit.language.lazily import lazily
from clawgit.stores.index.reading import ItemRow
from clawgit.stores.reranker import SEPARATOR

READ = 20
"""How many of the best lines a reranker reads. A line takes it longer than all the rest of the
search takes.
"""

_LEAST_WORDS = 2

PROFILE = "USER.md"

_JOINTS = lazily("[-_.]+")

_NOTES = "memory"
"""The folder of all notes of days says nothing about one."""

Relevance = Callable[[str, Sequence[str]], list[float]]
"""Returns how well each of some texts answers a question, 0 to 1."""


class Reranking(NamedTuple):
    """A reranker, and whether it knows the letters of a question. It orders the best hits, by their
    scores and its chance. It is told the name of the `operator`.
    """

    relevance: Relevance
    knows: Callable[[str], bool]
    operator: str = ""

    def ordered(
        self, question: SearchQuestion, hits: Sequence[Stood], rows: Mapping[int, ItemRow]
    ) -> list[Stood]:
        """The hits. What leads as a field that the question names (`Partner: Mili`), or as
        a correction of the operator's, stays where it is.
        """
        stays = [*takewhile(_leads, hits)]
        moving = hits[len(stays) :]
        asked = frozenset(chain.from_iterable(question.words))
        texts = [self._as_read(rows[hit.scored.id], asked) for hit in moving[:READ]]
        return [*stays, *reordered(moving, self.relevance(question.text, texts))]

    def _as_read(self, row: ItemRow, asked: AbstractSet[str]) -> str:
        """An item as a reranker reads it: few lines say alone what they are about, or whom."""
        above = matter_of(row.path, asked)
        if self.operator and row.path.rpartition("/")[2] == PROFILE:
            above = (self.operator,)
        return SEPARATOR.join((*above, *nearest(row.headings, row.led), row.text))


def remembered(read: Relevance) -> Relevance:
    """The same, where texts that were read for the last question are not read again: a search may
    rank more than once.
    """
    last, known = "", dict[str, float]()

    def relevance(question: str, texts: Sequence[str]) -> list[float]:
        nonlocal last, known
        if question != last:
            last, known = question, {}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, read(question, new), strict=True))
        return [known[text] for text in texts]

    return relevance


def _leads(hit: Stood) -> bool:
    factors = (*hit.scored.parts.factors, *hit.standing)
    return any(name in {FIELD, CORRECTS} for name, _ in factors)


def is_for_reading(question: SearchQuestion) -> bool:
    """Whether a question needs a reranker: one word does not, nor do numbers alone."""
    words = [forms[0] for forms in question.words]
    return len(words) >= _LEAST_WORDS and any(map(str.isalpha, words))


def matter_of(path: str, asked: AbstractSet[str]) -> tuple[str, ...]:
    """What a file is about by its name. That of a note of a day, or of a notebook, does not tell
    it: then it is the innermost folder that has a word of the question, `asked`.
    """
    *folders, name = path.split("/")
    if dated(path) or name in NOTEBOOKS:
        about = (_JOINTS.sub(" ", folder) for folder in reversed(folders) if folder != _NOTES)
        return tuple(islice((one for one in about if not asked.isdisjoint(words_of(one))), 1))
    return (_JOINTS.sub(" ", name.rpartition(".")[0]),)
