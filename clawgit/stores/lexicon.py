"""The word list that ships with us: how common a word is in English, and its nearest words.

`bench/make_near_words.py` makes it of the static model.
"""

from functools import cached_property, lru_cache, partial
from mmap import mmap
from pathlib import Path

from clawgit.domain.search.kindred import stemmed
from clawgit.domain.search.lexicon import SAME, Known, WordLookup, Words, is_grammar
from clawgit.domain.search.postings import SYNONYM
from clawgit.domain.search.terms import is_unspaced, phrase, queried
from clawgit.domain.search.tongue import ENGLISH, NO_HOME, Home, Rank, han_of, latin_of, spaced
from clawgit.language.simplified import simplified
from clawgit.language.tokens import is_cjk
from clawgit.stores.word_list import languages_of, line_of, opened

LEXICON = Path(__file__).parent / "embed" / "model" / "near_words.txt"

NEAR, SAME_WORDS = "near_words-{}.txt", "same_words-{}.txt"
"""Of the stems of a language: how common each is, with those nearest to it by their translations;
and those that a thesaurus has beside it. Words that are little but grammar stand there whole.
"""


_BESIDE = SYNONYM - 0.01
"""The cosine at most of two words that have only some translations in common: they do not say the
same, as “reunião” and “grupo” by “gathering”. In Chinese and Japanese most do.
"""

_KEPT = 4096
"""Words of other languages that are kept: each is asked for as a part of others, too."""


class Lexicon:
    """Answers for single words.

    A word that is not in the list is unknown; without a list all are.
    """

    def __init__(self, path: Path = LEXICON) -> None:
        self._path = path
        self._data = opened(path)
        self._others: dict[str, mmap | bytes] = {}
        self._of = lru_cache(maxsize=_KEPT)(self._stem_of)

    def known(self, word: str) -> Known | None:
        return _known(self._data, word)

    def for_text(self, text: str, home: Home = NO_HOME) -> Words:
        """Looks up words in the language of a text; where that does not tell, in the memory's."""
        asked = [word for word in queried(text) if not is_unspaced(word[0])]
        language = latin_of(asked, self._ranks, home)
        latin = partial(self._of, language) if language else self.known
        if text.isascii() or not is_cjk(text):
            return Words(latin, language)
        of_han = han_of(text, home)
        han = partial(self._of, of_han)
        return Words(lambda word: (han if is_unspaced(word[0]) else latin)(word), language, of_han)

    def _stem_of(self, language: str, word: str) -> Known | None:
        """What is known of a word of another language, by its stem."""
        near, word = self._other(NEAR.format(language)), simplified(word)
        known = _known(near, word)
        if is_grammar(known):
            return known
        stem = stemmed(word, language)
        known = known if stem == word else _known(near, stem)
        if not known:
            return None
        same = line_of(self._other(SAME_WORDS.format(language)), stem).split()
        listed = ((phrase(other), self._nearness(cosine, language)) for other, cosine in known.near)
        return known._replace(near=(*((other, SAME) for other in same), *listed))

    def _nearness(self, cosine: float, language: str) -> float:
        return cosine if cosine >= 1 or language not in self._spaced else min(cosine, _BESIDE)

    def _ranks(self) -> dict[str, Rank]:
        asked = {ENGLISH: self.known} | {code: partial(self._of, code) for code in self._spaced}
        return {code: partial(_rank, known) for code, known in asked.items()}

    @cached_property
    def _spaced(self) -> tuple[str, ...]:
        return spaced(languages_of(self._path.parent, NEAR))

    def _other(self, name: str) -> mmap | bytes:
        if name not in self._others:
            self._others[name] = opened(self._path.with_name(name))
        return self._others[name]


def _known(data: mmap | bytes, word: str) -> Known | None:
    line = line_of(data, word)
    return _read(line) if line else None


def _rank(known: WordLookup, word: str) -> int | None:
    found = known(word)
    return max(0, found.rank) if found else None


def _read(line: str) -> Known:
    rank, *near = line.split(" ")
    pairs = (part.rpartition(":") for part in near)
    return Known(int(rank), tuple((word, int(percent) / 100) for word, _, percent in pairs))
