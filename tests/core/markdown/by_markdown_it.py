"""The blocks of a text by markdown-it, which the tests hold equal to those of `scan`.

They differ in one place: a line that is indented by four columns, goes on with a paragraph and
begins with the sign of a list, a quote or a heading.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import markdown_it

from clawgit.core.markdown.scan import Block, Run, assembled, front_end, lines_of

if TYPE_CHECKING:
    from markdown_it.token import Token


def trimmed(kind: str, first: int, end: int, lines: Sequence[str]) -> Iterator[Run]:
    """A run, and the blank lines at its end as a run of their own."""
    last = end
    while last > first and not lines[last - 1].strip(" \t\r\n"):
        last -= 1
    if first < last:
        yield kind, first, last
    if last < end:
        yield "blank", last, end


_KINDS = {
    "heading_open": "heading",
    "list_item_open": "item",
    "paragraph_open": "para",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "blockquote_open": "quote",
    "hr": "rule",
}
_BLANK = " \t\r"
_VERBATIM = ("fence", "html")
"""Blank lines inside of these are theirs, at the end of an open one too."""


@lru_cache(maxsize=32)  # room in a full notebook reads it, its topic files, and both anew
def blocks(text: str) -> tuple[Block, ...]:
    """Every line in exactly one block, in order, as `scan` gives them. Never fails.

    Some 20 ms for the largest notebook, and 30 ms once for the library.
    """
    lines = lines_of(text)
    return assembled(lines, _runs(lines))


def _runs(lines: Sequence[str]) -> Iterator[Run]:
    begin = front_end(lines)
    if begin:
        yield "front", 0, begin
    starts = [*_starts(_parser().parse(_readable(lines, begin))), ("", len(lines), len(lines))]
    if begin < starts[0][1]:
        yield "blank", begin, starts[0][1]
    for (kind, first, end), (_, following, _) in pairwise(starts):
        if kind not in _VERBATIM:
            yield from trimmed(kind, first, following, lines)
            continue
        yield kind, first, end
        if end < following:
            yield "blank", end, following


def _starts(tokens: Sequence["Token"]) -> Iterator[Run]:
    """The blocks at the top level, and the items of the lists there."""
    for token in tokens:
        depth = 1 if token.type == "list_item_open" else 0
        if token.level == depth and token.type in _KINDS and token.map:
            yield _KINDS[token.type], token.map[0], token.map[1]


def _readable(lines: Sequence[str], begin: int) -> str:
    """The text with blank lines for its front matter, so that lines count the same in both.

    markdown-it ends a line at a carriage return alone, does not know a byte order mark, and
    forgets a last line of blanks that has no end.
    """
    rest = [line.rstrip("\r\n") for line in lines[begin:]]
    if rest and not begin:
        rest[0] = rest[0].removeprefix("\ufeff")
    text = "".join(f"{line if line.strip(_BLANK) else ''}\n" for line in rest)
    # Inside of a line, `scan` takes a carriage return for a character and not for a blank.
    return "\n" * begin + text.replace("\r", "\v")


@cache
def _parser() -> "markdown_it.MarkdownIt":
    """For blocks only: what is inside a line is never read."""
    parser = markdown_it.MarkdownIt("commonmark").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
