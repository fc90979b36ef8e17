"""Makes the word list of the search from the static embedder's model: each whole word of its
vocabulary with its rank by how common it is, and the words that mean nearly the same. And such a list
for each of the languages whose words the model knows by their translations.

    python -m bench.make_near_words [--out FILE]

A search by words alone reads this file, so it needs neither numpy nor the model.
"""

import argparse
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.make_other_words import OPENTHESAURUS, closed, thesaurus
from clawgit.domain.search.cutting import terms
from clawgit.domain.search.kindred import stemmed
from clawgit.domain.search.lexicon import EMPTY
from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.terms import is_unspaced, queried
from clawgit.language.simplified import simplified
from clawgit.stores.embed.other_words import WORDS, OtherWords
from clawgit.stores.embed.static import MODEL, VECTORS, VOCABULARY
from clawgit.stores.lexicon import LEXICON, NEAR, SAME_WORDS
from clawgit.stores.word_list import languages_of

_WORD = re.compile("[a-z]{2,}")
_MOST, _LEAST = 9, 0.45
"""So many words are listed with an English one, of at least this cosine."""

_LOOKED_AT = 80
_ROWS = 1000

_MOST_WORDS = 20_000
"""Words of a language that are listed."""

_COMMON, _LEAST_SAME = 3000, 0.85
"""A word among so many that is as near to a stop word means the same."""

_COMMONEST = 400
"""Words of a language among which those that are little but grammar are looked for."""

_MOST_SAME, _STEP = 12, 5

THESAURI = {"de": OPENTHESAURUS}

_MOST_TRANSLATED, _LEAST_TRANSLATED = 6, 0.75
"""Words with a translation in common are nearer than English words that mean as much the same."""


def lines() -> Iterator[str]:
    """`word rank near:percent …`, in the order of bytes, so that a word is found by halving."""
    yield from _listed(*_words(), _MOST, _LEAST)


def other_lines(language: str) -> Iterator[str]:
    """The same of another language, of stems; and the words that mean a stop word of English,
    which have no rank.
    """
    words, vectors = _other_words(language)
    empty = _empty(words, vectors) | {_term(word) for word in closed(language)}
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        if word not in empty:
            places.setdefault(stemmed(word, language), place)
    chosen = [*places][:_MOST_WORDS]
    found = vectors[[places[stem] for stem in chosen]]
    lines = dict.fromkeys(empty, str(EMPTY))
    for line in _listed(chosen, found, _MOST_TRANSLATED, _LEAST_TRANSLATED):
        stem, _, *near = line.split(" ")
        lines.setdefault(stem, " ".join((_rounded(places[stem]), *map(_in_steps, near))))
    yield from (f"{word} {lines[word]}" for word in sorted(lines, key=str.encode) if word.isalpha())


def _rounded(rank: int) -> str:
    """A rank to two digits: no weight is finer than that, and the list is shorter."""
    return str(int(float(f"{rank:.1e}")))


def _in_steps(near: str) -> str:
    word, _, percent = near.rpartition(":")
    return f"{word}:{round(int(percent) / _STEP) * _STEP}"


def same_lines(language: str, ranked: Sequence[str]) -> Iterator[str]:
    """`stem stem …`: the words that a thesaurus has beside a word, the commonest first."""
    places = {stem: place for place, stem in enumerate(ranked)}
    found: dict[str, set[str]] = defaultdict(set)
    listed = THESAURI[language].read_text("utf-8", "replace").splitlines()
    for word, others in thesaurus(listed).items():
        own, *same = (_stem(one, language) for one in (word, *others))
        found[own].update(stem for stem in same if stem in places and stem != own)
    for stem in sorted(found.keys() & places.keys(), key=str.encode):
        if same := sorted(found[stem], key=places.__getitem__)[:_MOST_SAME]:
            yield " ".join((stem, *same))


def _stem(word: str, language: str) -> str:
    terms = queried(word)
    return stemmed(terms[0], language) if len(terms) == 1 else ""


def _empty(chosen: Sequence[str], vectors: NDArray[np.float32]) -> set[str]:
    """Those of the commonest words whose nearest English word is a stop word."""
    english, theirs = _words()
    theirs /= np.linalg.norm(theirs, axis=1, keepdims=True)
    cosines = vectors[:_COMMON] @ theirs.T
    cosines /= np.linalg.norm(vectors[:_COMMON], axis=1, keepdims=True)
    nearest, best = cosines.argmax(axis=1).tolist(), cosines.max(axis=1).tolist()
    found = zip(chosen, nearest, best, strict=False)
    return {
        word
        for rank, (word, at, cosine) in enumerate(found)
        if english[at] in STOP and (rank < _COMMONEST or cosine >= _LEAST_SAME)
    }


def _listed(
    chosen: list[str],
    vectors: NDArray[np.float32],
    most: int,
    least: float,
) -> Iterator[str]:
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    stems = _stems(chosen)
    searchable = {word for word in chosen if is_unspaced(word[0]) or len(queried(word)) == 1}
    made = []
    for first in range(0, len(chosen), _ROWS):
        cosines = vectors[first : first + _ROWS] @ vectors.T
        for row, own in enumerate(cosines, first):
            top = np.argpartition(-own, _LOOKED_AT)[:_LOOKED_AT]
            order = top[np.argsort(-own[top], kind="stable")]
            near = [
                (chosen[at], float(own[at])) for at in order.tolist() if chosen[at] in searchable
            ]
            apart = _apart(chosen[row], near, stems, most, least)
            made.append(" ".join((chosen[row], str(row), *apart)))
    yield from sorted(made, key=str.encode)


def _words() -> tuple[list[str], NDArray[np.float32]]:
    vocabulary = (MODEL / VOCABULARY).read_text("utf-8").split("\n")
    places = [at for at, word in enumerate(vocabulary) if _WORD.fullmatch(word)]
    vectors = np.load(MODEL / VECTORS).astype(np.float32)
    # The mean is subtracted: what all words have in common says nothing about one.
    return [vocabulary[at] for at in places], vectors[places] - vectors.mean(axis=0)


def _other_words(language: str) -> tuple[list[str], NDArray[np.float32]]:
    """The words as the index has them, the commonest first."""
    table = OtherWords(MODEL, {}, np.load(MODEL / VECTORS))
    lines = (MODEL / WORDS.format(language)).read_text("utf-8").splitlines()
    places: dict[str, int] = {}
    for word, row in sorted(map(str.split, lines), key=lambda pair: int(pair[1])):
        term = _term(word)
        if term.isalpha():
            places.setdefault(term, int(row))
    vectors = np.array([table.sums([row]) for row in places.values()], np.float32)
    return [*places], vectors - vectors[:_MOST_WORDS].mean(axis=0)


def _term(word: str) -> str:
    return simplified(word) if is_unspaced(word[0]) else " ".join(queried(word))


def _apart(
    word: str, near: Sequence[tuple[str, float]], stems: dict[str, str], most: int, least: float
) -> Iterator[str]:
    """The nearest words of other stems: the index finds those of the same by itself."""
    seen = {stems[word]}
    for other, cosine in near:
        if cosine < least or len(seen) > most:
            return
        if stems[other] not in seen and other not in STOP:
            seen.add(stems[other])
            yield f"{other}:{round(100 * cosine)}"


def _stems(words: Sequence[str]) -> dict[str, str]:
    if is_unspaced(words[0][0]):
        return {word: " ".join(terms(word)) for word in words}
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter ascii')")
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    db.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", enumerate(words))
    return {words[at]: stem for at, stem in db.execute("SELECT doc, term FROM v")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=LEXICON)
    out = parser.parse_args().out
    out.write_text("\n".join(lines()) + "\n", "utf-8")
    for language in languages_of(MODEL, WORDS):
        made = [*other_lines(language)]
        _list(out, NEAR, language).write_text("\n".join(made) + "\n", "utf-8")
        if language in THESAURI:
            same = same_lines(language, _by_rank(made))
            _list(out, SAME_WORDS, language).write_text("\n".join(same) + "\n", "utf-8")


def _list(beside: Path, name: str, language: str) -> Path:
    return beside.with_name(name.format(language))


def _by_rank(made: Sequence[str]) -> list[str]:
    """The stems of a list, the commonest first."""
    ranks = {word: int(rank) for word, rank, *_ in (line.split(" ", 2) for line in made)}
    return sorted((word for word, rank in ranks.items() if rank != EMPTY), key=ranks.__getitem__)


if __name__ == "__main__":
    main()
