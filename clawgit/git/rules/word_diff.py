"""Shows what changed between two texts, word by word, as a reader would mark it."""

from collections.abc import Iterator, Sequence

from clawgit.core import NamedTuple
from clawgit.core.doors import difflib
from clawgit.git.rules.common_ends import common_ends
from clawgit.language.lazily import lazily

_Run = tuple[str, str]
"""A part of the old text and what stands there in the new text; equal if it did not change."""

_ALIKE = 0.3
"""With less in common than this, a line was replaced, not reworded."""

_MANY = 4_000_000
"""Above this product of the numbers of words, the diff would take seconds."""

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"

_WORD = lazily(rf"\s+|(?:[{_CJK}]|[^\W{_CJK}]+|.)(?:[\u0300-\u036f\ufe0f]|\u200d.)*")
"""A word, a character where a script has no spaces, a sign, or the blanks between; an emoji stays
whole."""


class DiffPiece(NamedTuple):
    """`kind` is same, added or dropped. Same and added join to the new text, same and dropped to
    the old.
    """

    kind: str
    text: str


def word_diff(old: str, new: str) -> tuple[DiffPiece, ...]:
    """What is the same in two texts, and between that what was dropped, then what was added."""
    pieces: list[DiffPiece] = []
    for before, after in _runs(_words(old), _words(new)):
        if before == after:
            pieces.append(DiffPiece("same", before))
        else:
            pieces += [DiffPiece("dropped", before), DiffPiece("added", after)]
    return tuple(piece for piece in pieces if piece.text)


def likeness(old: str, new: str) -> float:
    """The common share of two texts, 0 to 1, by the letters of words in the same order."""
    whole = _weight(old) + _weight(new)
    if not whole:
        return 1.0
    runs = _runs(_words(old), _words(new))
    return 2 * sum(_weight(before) for before, after in runs if before == after) / whole


def alike(old: str, new: str) -> bool:
    """Whether one text may be the other, reworded."""
    return likeness(old, new) >= _ALIKE


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[_Run]:
    """The common start, the changes, and the common end."""
    head, tail = common_ends(old, new)
    if head:
        yield "".join(old[:head]), "".join(new[:head])
    yield from _changes(old[head : len(old) - tail], new[head : len(new) - tail])
    if tail:
        yield "".join(old[-tail:]), "".join(new[-tail:])


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Run]:
    """Blanks are equal everywhere, so they match only together with the words beside them."""
    if len(old) * len(new) > _MANY:
        yield "".join(old), "".join(new)
        return
    for _, i1, i2, j1, j2 in difflib.SequenceMatcher(str.isspace, old, new).get_opcodes():
        yield "".join(old[i1:i2]), "".join(new[j1:j2])


def _weight(text: str) -> int:
    return len("".join(text.split()))
