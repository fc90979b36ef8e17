"""A file without forgotten words.

An entry that holds them is removed whole, with its comment and what is nested in it. Anywhere else
only the words are, and the line says that something was there.
"""

from collections.abc import Iterable, Sequence

from clawgit.core import NamedTuple
from clawgit.core.markdown.decoding import text_of, wide_encoding
from clawgit.core.markdown.entry import holds_entries
from clawgit.core.markdown.scan import lines_of, scan
from clawgit.history.rules.needle import Matcher


class Standing(NamedTuple):
    """A line that holds forgotten words; `goes`: the whole line is removed, because it is an
    entry.
    """

    path: str
    line: int
    text: str
    goes: bool


def wiped(path: str, text: str, matcher: Matcher) -> str:
    """A text of the file at `path`, without the words."""
    if not matcher.is_in(text):
        return text
    if holds_entries(path):
        lines = lines_of(text)
        gone = _lines_gone(text, _lines_at(text, matcher.spans(text)))
        text = "".join(line for at, line in enumerate(lines) if at not in gone)
    return matcher.without(text)


def wiped_bytes(path: str, data: bytes, matcher: Matcher) -> bytes:
    """The same for the bytes of a file. A file that is not text is emptied, because words cannot be
    cut out of it.
    """
    if not matcher.is_in_bytes(data):
        return data
    wide = wide_encoding(data)
    if b"\0" in data and not wide:
        return b""
    encoding = wide or "utf-8"
    after = wiped(path, data.decode(encoding, "surrogateescape"), matcher)
    return after.encode(encoding, "surrogateescape")


def standings(path: str, data: bytes, matcher: Matcher) -> list[Standing]:
    """The lines of a file that hold the words, each as it would go or be cut."""
    text = text_of(data)
    spans = matcher.spans(text)
    if not spans:
        return []
    numbers = _lines_at(text, spans)
    gone = _lines_gone(text, numbers) if holds_entries(path) else frozenset[int]()
    lines = lines_of(text)
    return [
        Standing(path, number + 1, lines[number].strip(), goes=number in gone) for number in numbers
    ]


def _lines_at(text: str, spans: Iterable[tuple[int, int]]) -> list[int]:
    """The lines, from 0, at which the words begin."""
    return sorted({text.count("\n", 0, start) for start, _ in spans})


def _lines_gone(text: str, hit: Sequence[int]) -> frozenset[int]:
    """The lines of the list items that hold the words: of nested ones the innermost."""
    gone: set[int] = set()
    for block in scan(text):
        first = block.line - 1
        own = [at - first for at in hit if first <= at < block.end] if block.kind == "item" else []
        for at in own:
            gone.update(first + line for line in _innermost(lines_of(block.text), at))
    return frozenset(gone)


def _innermost(lines: Sequence[str], at: int) -> range:
    """The lines of the list item that a line belongs to, among those of a whole entry."""
    own = max((n for n in range(1, at + 1) if _is_nested(lines[n])), default=0)
    if own == 0:
        return range(len(lines))
    below = range(own + 1, len(lines))
    ends = (n for n in below if _is_nested(lines[n]) and _depth(lines[n]) <= _depth(lines[own]))
    return range(own, next(ends, len(lines)))


def _is_nested(line: str) -> bool:
    words = line.lstrip(" \t")
    return words != line and words[:2] in ("- ", "* ", "+ ")


def _depth(line: str) -> int:
    spaced = line.expandtabs(4)
    return len(spaced) - len(spaced.lstrip(" "))
