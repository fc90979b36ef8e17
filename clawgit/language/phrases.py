"""Finds listed phrases among tokens, each in one look-up per token."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from clawgit.language.lazily import lazily
from clawgit.language.tokens import Token, is_hangul, tokens

T = TypeVar("T")
_BREAK = lazily(r"[.!?;:\n。！？；：|]")
_WIDEST_GAP = 2


class Match(NamedTuple, Generic[T]):
    """The tokens from `first` up to `after`, and the characters from `start` up to `end`."""

    first: int
    after: int
    start: int
    end: int
    value: T


class _Row(NamedTuple, Generic[T]):
    """A phrase by its words. `is_open`: its last word stands for every word that begins so."""

    words: tuple[str, ...]
    is_open: bool
    value: T


class Phrases(Generic[T]):
    """Listed phrases, each with a value.

    A row that ends in `*` stands for every word that begins so. So does a Hangul word, because
    particles are written onto it; with `whole`, only the whole Hangul word counts.
    """

    def __init__(self, rows: Iterable[tuple[str, T]], *, whole: bool = False) -> None:
        self._rows: dict[str, list[_Row[T]]] = {}
        for phrase, value in rows:
            words = tuple(token.folded for token in tokens(phrase)) or (phrase,)
            is_open = phrase.endswith("*") or (not whole and is_hangul(words[-1]))
            self._rows.setdefault(words[0], []).append(_Row(words, is_open, value))
        for listed in self._rows.values():
            # The longest first, so that `at` finds it.
            listed.sort(key=lambda row: -len(row.words))
        # The lengths of single open words: those are looked up by the beginning of a token.
        self._sizes = tuple(sorted(self._open_lengths(), reverse=True))

    def _open_lengths(self) -> set[int]:
        return {
            len(word)
            for word, listed in self._rows.items()
            if any(row.is_open and len(row.words) == 1 for row in listed)
        }

    def __bool__(self) -> bool:
        return bool(self._rows)

    def at(self, source: str, among: Sequence[Token], index: int) -> Match[T] | None:
        """The longest phrase that begins at this token."""
        token = among[index]
        for row in self._rows.get(token.folded, ()):
            if end := self._ends(source, among, index, row):
                return Match(index, index + len(row.words), token.start, end, row.value)
        if self._sizes and is_hangul(token.folded[0]):
            return self._beginning(token, index)
        return None

    def _beginning(self, token: Token, index: int) -> Match[T] | None:
        """The longest open word with which a token begins."""
        for size in self._sizes:
            if size >= len(token.folded):
                continue
            for row in self._rows.get(token.folded[:size], ()):
                if row.is_open and len(row.words) == 1:
                    return Match(index, index + 1, token.start, token.start + size, row.value)
        return None

    def every(self, source: str, among: Sequence[Token]) -> Iterator[Match[T]]:
        """All of them from left to right; none overlaps another."""
        rows, has_sizes, after = self._rows, bool(self._sizes), 0
        if not rows:
            return
        for index, token in enumerate(among):
            if (has_sizes or token.folded in rows) and index >= after:
                match = self.at(source, among, index)
                if match is not None:
                    after = match.after
                    yield match

    @staticmethod
    def _ends(source: str, among: Sequence[Token], index: int, row: _Row[T]) -> int:
        """Where the phrase ends in the source, 0 if other words stand there."""
        after = index + len(row.words)
        if after > len(among):
            return 0
        for step, word in enumerate(row.words[:-1]):
            token, after_it = among[index + step], among[index + step + 1]
            if token.folded != word or not _is_beside(source[token.end : after_it.start]):
                return 0
        last, word = among[after - 1], row.words[-1]
        if last.folded == word:
            return last.end
        begins = row.is_open and last.folded.startswith(word)
        return last.start + len(word) if begins else 0


def _is_beside(gap: str) -> bool:
    return gap == "." or (len(gap) <= _WIDEST_GAP and not _BREAK.search(gap))
