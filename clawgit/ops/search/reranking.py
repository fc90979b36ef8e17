"""What a reranker is asked: about which questions, and how it reads a line."""

from collections.abc import Callable, Mapping, Sequence

from clawgit.domain.search.lexicon import Words
from clawgit.domain.search.question import SearchQuestion, is_read
from clawgit.domain.search.ranking_standing import Stood, reordered
from clawgit.domain.search.terms import queried
from clawgit.domain.search.tongue import is_in
from clawgit.stores.index.reading import ItemRow
from clawgit.values import NamedTuple

_JUDGED = 20
"""How many hits a reranker orders. One takes it longer than the rest of the search."""

_HEADINGS_READ = 2


class Reranking(NamedTuple):
    """A reranker: `relevance` returns how well each text answers a question, 0 to 1."""

    relevance: Callable[[str, Sequence[str]], list[float]]
    only_english: bool = False

    def reads(self, question: SearchQuestion, words: Words) -> bool:
        return _is_english(question.text, words) if self.only_english else True

    def ordered(
        self, question: SearchQuestion, hits: Sequence[Stood], rows: Mapping[int, ItemRow]
    ) -> list[Stood]:
        texts = [_below_headings(rows[hit.scored.id]) for hit in hits[:_JUDGED]]
        relevance = self.relevance(question.text, texts)
        return reordered(hits, relevance, doubts=not _looks_up(question))


def _looks_up(question: SearchQuestion) -> bool:
    """Whether a line answers by having what is looked up: a phrase in quotation marks, or a lone
    word (“B12”, “anything on Grafana?”).
    """
    phrases = " ".join(question.quoted)
    if phrases and all(forms[0] in phrases for forms in question.words):
        return True
    return len(question.words) == 1 and not question.wanted


def _is_english(text: str, words: Words) -> bool:
    if words.language or not is_read(text, "latin"):
        return False
    return is_in(queried(text), lambda word: words.known(word) is not None)


def _below_headings(row: ItemRow) -> str:
    """An item as a reranker reads it: few lines say by themselves what they are about."""
    return " › ".join((*row.headings[-_HEADINGS_READ:], row.text))
