"""What a reranker is asked: about which questions, and how it reads a line."""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice, takewhile
from typing import NamedTuple

from clawgit.domain.facts.confidence import origins
from clawgit.domain.markdown.tags import words_alone
from clawgit.domain.search.fields import FIELD
from clawgit.domain.search.lexicon import Words
from clawgit.domain.search.names import PROFILE
from clawgit.domain.search.passage import nearest
from clawgit.domain.search.question import SearchQuestion, is_read
from clawgit.domain.search.ranking import found_beside
from clawgit.domain.search.ranking_standing import (
    CORRECTS,
    Stood,
    is_correction,
    is_log,
    reordered,
    stale_reason,
)
from clawgit.domain.search.ranking_weights import ANSWERS
from clawgit.domain.search.terms import queried
from clawgit.domain.search.terms import words as words_of
from clawgit.domain.search.tongue import is_in
from clawgit.domain.workspace.tiers import NOTEBOOKS, dated
from clawgit.language.lazily import lazily
from clawgit.stores.index.reading import IndexReader, ItemRow
from clawgit.stores.reranker import SEPARATOR

READ = 20
"""How many of the best lines a reranker reads at first. A line takes it longer than all the rest of
the search takes.
"""

MOST_READ = 40
"""How many it reads in all if nothing of what it has read is likely to answer."""

_LEADS = 3
"""How many of the best hits have the lines below them read, too."""

_READ_ON = 6
"""How many lines below such a hit are read, in its section."""

_LEAST_WORDS = 2

_BELOW = 0.8
"""The share of that hit's score that they get: it matched the question, they stand below it."""

_JOINTS = lazily("[-_.]+")

_NOTES = "memory"
"""The folder of all notes of days says nothing about one."""

Answering = Callable[[Sequence[ItemRow]], Iterable[ItemRow]]
"""Returns those of some items that can be hits of a search."""


Relevance = Callable[[str, Sequence[str]], list[float]]
"""Returns how well each of some texts answers a question, 0 to 1."""


class Reranking(NamedTuple):
    """A reranker, and whether it knows the letters of a question. It orders the best hits, by their
    scores and its chance, and finds lines that were no hits before. It is told the name of the
    `operator`.
    """

    relevance: Relevance
    knows: Callable[[str], bool]
    operator: str = ""

    def ordered(
        self,
        question: SearchQuestion,
        hits: Sequence[Stood],
        further: Sequence[Stood],
        rows: MutableMapping[int, ItemRow],
        index: IndexReader,
        answering: Answering,
    ) -> list[Stood]:
        """The hits, plus what may answer of the `further` lines and of those below the best hits.
        Adds the rows of the latter.

        “Error: 429” has the words of a question, and the line below it says why. What leads as a
        field that the question names (`Partner: Mili`), or as a correction of the operator's, stays
        where it is. Reads on if nothing is likely to answer.
        """
        below = _read_on(hits, rows, index, answering)
        rows.update((row.id, row) for row, _ in below)
        stays = [*takewhile(_leads, hits)]
        moving = hits[len(stays) :]
        ordered = [*hits]
        for most in (READ, MOST_READ):
            more = _offered(most, hits, further, below, rows)
            ordered = [*stays, *self._sorted(most, question, moving, rows, more)]
            if len(hits) + len(further) <= most or _is_answered(ordered):
                break
        return ordered

    def _sorted(
        self,
        most: int,
        question: SearchQuestion,
        hits: Sequence[Stood],
        rows: Mapping[int, ItemRow],
        offered: Sequence[Stood],
    ) -> list[Stood]:
        first = {hit.scored.id for hit in hits[:most]}
        # What is below a hit may be one of the first here, though it is none of the first of all.
        # It is then placed by its own score.
        offered = [hit for hit in offered if hit.scored.id not in first]
        judged = [*hits[:most], *offered]
        asked = frozenset(chain.from_iterable(question.words))
        texts = [self._as_read(rows[hit.scored.id], asked) for hit in judged]
        relevance = self.relevance(question.text, texts)
        return reordered(hits, relevance, offered)

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


def _offered(
    most: int,
    hits: Sequence[Stood],
    further: Sequence[Stood],
    below: Sequence[tuple[ItemRow, Stood]],
    rows: Mapping[int, ItemRow],
) -> list[Stood]:
    """As many further lines as are read, without those that a hit says; and those below the best
    hits.
    """
    said = {words_alone(rows[hit.scored.id].text) for hit in hits}
    new = (hit for hit in further if words_alone(rows[hit.scored.id].text) not in said)
    taken = {row.id for row, _ in below}
    beside = islice(new, max(0, most - len(hits)))
    return [*(hit for hit in beside if hit.scored.id not in taken), *(hit for _, hit in below)]


def _read_on(
    hits: Sequence[Stood], rows: Mapping[int, ItemRow], index: IndexReader, answering: Answering
) -> list[tuple[ItemRow, Stood]]:
    """The lines below the best hits, each once, placed by the score of the hit above it."""
    found = {hit.scored.id: hit for hit in hits[READ:]}
    said = {words_alone(rows[hit.scored.id].text) for hit in hits[:READ]}
    below: list[tuple[ItemRow, Stood]] = []
    for lead in hits[:_LEADS]:
        for row in answering([*_below(index, rows[lead.scored.id])]):
            text = words_alone(row.text)
            if text not in said:
                said.add(text)
                hit = found.get(row.id) or Stood(found_beside(lead.scored, row.id), 0.0)
                below.append((row, hit._replace(score=max(hit.score, _BELOW * lead.score))))
    return below


def _below(index: IndexReader, lead: ItemRow) -> Iterator[ItemRow]:
    """The lines below one in its section that may answer for themselves."""
    below = index.rows(range(lead.id + 1, min(lead.id + _READ_ON, lead.last) + 1))
    for row in takewhile(lambda row: row.headings == lead.headings, below):
        if speaks_for_itself(row) and not is_correction(row):
            yield row


def speaks_for_itself(row: ItemRow) -> bool:
    """Whether an item may be a hit for what a reranker says alone. What no longer holds, or only
    logs how something came about, may not.
    """
    return not (row.kind == "heading" or origins(row.meta) or stale_reason(row) or is_log(row))


def _is_answered(ordered: Sequence[Stood]) -> bool:
    """Whether something is likely to answer, or leads without being read."""
    return any(map(_leads, ordered[:1])) or any((hit.chance or 0.0) >= ANSWERS for hit in ordered)


def _leads(hit: Stood) -> bool:
    factors = (*hit.scored.parts.factors, *hit.standing)
    return any(name in {FIELD, CORRECTS} for name, _ in factors)


def may_find(question: SearchQuestion) -> bool:
    """Whether a reranker may add lines that are no hits by themselves. Not if the question has few
    words: they are meant as written.
    """
    return not question.is_brief


def is_for_reading(question: SearchQuestion, words: Words) -> bool:
    """Whether a question needs a reranker: one word does not. Nor do numbers and jargon alone,
    which are in no language.
    """
    if len(question.words) < _LEAST_WORDS:
        return False
    if words.language or not is_read(question.text, "latin"):
        return True
    return is_in(queried(question.text), lambda word: words.known(word) is not None)


def matter_of(path: str, asked: AbstractSet[str]) -> tuple[str, ...]:
    """What a file is about by its name. That of a note of a day, or of a notebook, does not tell
    it: then it is the innermost folder that has a word of the question, `asked`.
    """
    *folders, name = path.split("/")
    if dated(path) or name in NOTEBOOKS:
        about = (_JOINTS.sub(" ", folder) for folder in reversed(folders) if folder != _NOTES)
        return tuple(islice((one for one in about if not asked.isdisjoint(words_of(one))), 1))
    return (_JOINTS.sub(" ", name.rpartition(".")[0]),)
