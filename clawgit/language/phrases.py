"""Finds listed phrases among tokens, each in one look-up per token."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from clawgit.language.tokens import Token, is_hangul, tokens

T = TypeVar("T")
_BREAK = re.compile(r"[.!?;:\n。！？；：|]")
_WIDEST_GAP = 2


class Match(NamedTuple, Generic[T]):
    """The tokens from `first` up to `after`, and the characters from `start` up to `end`."""

    first: int
    after: int
    start: int
    end: int
    value: T


class Phrases(Generic[T]):
    """Listed phrases, each with a value. A row that ends in `*` stands for every word that begins
    so, and so does a Hangul word: particles are written onto it. With `whole`, only the whole
    Hangul word counts.
    """

    def __init__(self, rows: Iterable[tuple[str, T]], *, whole: bool = False) -> None:
        self._rows: dict[str, list[tuple[tuple[str, ...], bool, T]]] = {}
        sizes: set[int] = set()
        for phrase, value in rows:
            words = tuple(token.folded for token in tokens(phrase)) or (phrase,)
            is_open = phrase.endswith("*") or (not whole and is_hangul(words[-1]))
            self._rows.setdefault(words[0], []).append((words, is_open, value))
            if is_open and len(words) == 1:
                sizes.add(len(words[0]))
        for listed in self._rows.values():
            listed.sort(key=lambda row: -len(row[0]))
        self._sizes = tuple(sorted(sizes, reverse=True))

    def __bool__(self) -> bool:
        return bool(self._rows)

    def at(self, source: str, among: Sequence[Token], index: int) -> Match[T] | None:
        """The longest phrase that begins at this token."""
        folded = among[index].folded
        for words, is_open, value in self._rows.get(folded, ()):
            if end := self._ends(source, among, index, words, is_open):
                return Match(index, index + len(words), among[index].start, end, value)
        for size in self._sizes if self._sizes and is_hangul(folded[0]) else ():
            if size < len(folded):
                for words, is_open, value in self._rows.get(folded[:size], ()):
                    if is_open and len(words) == 1:
                        return Match(
                            index, index + 1, among[index].start, among[index].start + size, value
                        )
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
    def _ends(
        source: str, among: Sequence[Token], index: int, words: tuple[str, ...], is_open: bool
    ) -> int:
        """Where the phrase ends in the source, 0 where other words stand there."""
        if index + len(words) > len(among):
            return 0
        last = len(words) - 1
        for step, word in enumerate(words):
            token = among[index + step]
            begins = is_open and step == last and token.folded.startswith(word)
            if token.folded != word and not begins:
                return 0
            if step and not _is_beside(source[among[index + step - 1].end : token.start]):
                return 0
        token = among[index + last]
        return token.end if token.folded == words[-1] else token.start + len(words[-1])


def _is_beside(gap: str) -> bool:
    return gap == "." or (len(gap) <= _WIDEST_GAP and not _BREAK.search(gap))
