"""Makes the word list of the search from the static embedder's model: each whole word of its
vocabulary with its rank by how common it is, and the words that mean nearly the same. And such a list
for each of the languages whose words the model knows by their translations.

    python -m bench.make_near_words [--out FILE]

A search by words alone reads this file, so it needs neither numpy nor the model.
"""

import argparse
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.make_other_words import closed
from clawgit.domain.search.kindred import stemmed
from clawgit.domain.search.lexicon import EMPTY
from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.terms import is_unspaced, queried
from clawgit.domain.search.tongue import LATIN
from clawgit.stores.embed.other_words import WORDS, OtherWords
from clawgit.stores.embed.static import MODEL, VECTORS, VOCABULARY
from clawgit.stores.lexicon import LEXICON, OTHERS

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

_MOST_TRANSLATED, _LEAST_TRANSLATED = 6, 0.75
"""Words with a translation in common are nearer than English words that mean as much the same."""


def lines() -> Iterator[str]:
    """`word rank near:percent …`, in the order of bytes, so that a word is found by halving."""
    yield from _listed(*_words(), _MOST, _LEAST)


def other_lines(language: str) -> Iterator[str]:
    """The same of another language. A word that means a stop word of English has no rank."""
    chosen, vectors = _other_words(language)
    empty = _empty(chosen, vectors) | {
        word if is_unspaced(word[0]) else " ".join(queried(word)) for word in closed(language)
    }
    stems = {word: stemmed(word, language) for word in chosen} if language in LATIN else {}
    lines = dict.fromkeys(empty, str(EMPTY))
    for line in _listed(chosen, vectors, _MOST_TRANSLATED, _LEAST_TRANSLATED, stems):
        word, _, known = line.partition(" ")
        lines.setdefault(word, known)
    yield from (f"{word} {lines[word]}" for word in sorted(lines, key=str.encode) if word.isalpha())


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
    bent: dict[str, str] | None = None,
) -> Iterator[str]:
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    stems = bent or _stems(chosen)
    terms = {word for word in chosen if len(queried(word)) == 1}
    made = []
    for first in range(0, len(chosen), _ROWS):
        cosines = vectors[first : first + _ROWS] @ vectors.T
        for row, own in enumerate(cosines, first):
            top = np.argpartition(-own, _LOOKED_AT)[:_LOOKED_AT]
            order = top[np.argsort(-own[top], kind="stable")]
            near = [(chosen[at], float(own[at])) for at in order.tolist() if chosen[at] in terms]
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
        term = word if is_unspaced(word[0]) else " ".join(queried(word))
        if term.isalpha():
            places.setdefault(term, int(row))
    chosen = [*places][:_MOST_WORDS]
    vectors = np.array([table.sums([places[word]]) for word in chosen], np.float32)
    return chosen, vectors - vectors.mean(axis=0)


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
    for language in OTHERS:
        path = out.with_name(f"{out.stem}-{language}{out.suffix}")
        path.write_text("\n".join(other_lines(language)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
