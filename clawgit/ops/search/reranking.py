"""What a reranker is asked: about which questions, and how it reads a line."""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import takewhile

from clawgit.domain.facts.origins import origins
from clawgit.domain.markdown.tags import words_alone
from clawgit.domain.search.lexicon import Words
from clawgit.domain.search.question import SearchQuestion, is_read
from clawgit.domain.search.ranking import found_beside
from clawgit.domain.search.ranking_standing import (
    Stood,
    is_correction,
    is_log,
    reordered,
    stale_reason,
)
from clawgit.domain.search.terms import queried
from clawgit.domain.search.tongue import is_in
from clawgit.stores.index.reading import IndexReader, ItemRow
from clawgit.values import NamedTuple

_JUDGED = 20
"""How many hits a reranker orders. One takes it longer than the rest of the search."""

_LEADS = 3
"""How many of the best hits have the lines below them read, too."""

_READ_ON = 6
"""How many lines below such a hit are read, in its section."""

_HEADINGS_READ = 2

Answering = Callable[[Sequence[ItemRow]], Iterable[ItemRow]]
"""Returns those of some items that can be hits of a search."""


class Reranking(NamedTuple):
    """A reranker: `relevance` returns how well each text answers a question, 0 to 1."""

    relevance: Callable[[str, Sequence[str]], list[float]]
    only_english: bool = False

    def reads(self, question: SearchQuestion, words: Words) -> bool:
        return _is_english(question.text, words) if self.only_english else True

    def ordered(
        self,
        question: SearchQuestion,
        hits: Sequence[Stood],
        rows: MutableMapping[int, ItemRow],
        index: IndexReader,
        answering: Answering,
    ) -> list[Stood]:
        """The hits, plus those lines below the best of them that may answer. Adds their rows.

        “Error: 429” has the words of a question, and the line below it says why.
        """
        below = _read_on(hits, rows, index, answering)
        rows.update((row.id, row) for row, _ in below)
        judged = [*hits[:_JUDGED], *(hit for _, hit in below)]
        texts = [_below_headings(rows[hit.scored.id]) for hit in judged]
        relevance = self.relevance(question.text, texts)
        return reordered(hits, relevance, [hit for _, hit in below], doubts=not question.looks_up)


def _read_on(
    hits: Sequence[Stood], rows: Mapping[int, ItemRow], index: IndexReader, answering: Answering
) -> list[tuple[ItemRow, Stood]]:
    """The lines below the best hits, each once, with the score of the hit that it is below."""
    found = {hit.scored.id: hit for hit in hits[_JUDGED:]}
    said = {words_alone(rows[hit.scored.id].text) for hit in hits[:_JUDGED]}
    below: list[tuple[ItemRow, Stood]] = []
    for lead in hits[:_LEADS]:
        for row in answering([*_below(index, rows[lead.scored.id])]):
            text = words_alone(row.text)
            if text not in said:
                said.add(text)
                hit = found.get(row.id) or Stood(found_beside(lead.scored, row.id), 0.0)
                below.append((row, hit._replace(score=lead.score)))
    return below


def _below(index: IndexReader, lead: ItemRow) -> Iterator[ItemRow]:
    """The lines below one in its section that may answer for themselves."""
    below = index.rows(range(lead.id + 1, min(lead.id + _READ_ON, lead.last) + 1))
    for row in takewhile(lambda row: row.headings == lead.headings, below):
        if not (
            row.kind == "heading"
            or origins(row.meta)
            or stale_reason(row)
            or is_correction(row)
            or is_log(row)
        ):
            yield row


def _is_english(text: str, words: Words) -> bool:
    if words.language or not is_read(text, "latin"):
        return False
    return is_in(queried(text), lambda word: words.known(word) is not None)


def _below_headings(row: ItemRow) -> str:
    """An item as a reranker reads it: few lines say by themselves what they are about."""
    return " › ".join((*row.headings[-_HEADINGS_READ:], row.text))
