"""Items: the list items, paragraphs, tables and turns of a Markdown file, which the search finds
one by one.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.markdown.chunk import pieces, size
from clawgit.domain.markdown.comment import Meta, read_meta, split
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.domain.markdown.front import matter
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.markdown.tags import visible


class Item(NamedTuple):
    """`text` is what a reader sees on its lines: no marks of lists, quotes and fences, and no HTML
    comments.

    `path` names the headings above it, and for a nested list item the items above it too. `opens`
    are the headings under which it comes first. `key` and `meta` are those of the entry that it is
    a part of, `meta` in any file.
    """

    line: int
    end_line: int
    text: str
    path: tuple[str, ...]
    kind: str
    key: str = ""
    meta: Meta | None = None
    opens: tuple[str, ...] = ()


def items(path: str, text: str, chunk_tokens: int = 400, overlap: int = 80) -> tuple[Item, ...]:
    """All that a reader of the file sees, cut where an item is longer than a chunk. Never fails,
    linear in time.

    Kinds are item, para, turn, table, fence, code, quote, html, front, and heading for one with
    nothing below it.
    """
    found = (piece for item in whole(text) for piece in cut(item, chunk_tokens, overlap))
    return tuple(found) if holds_entries(path) else tuple(item._replace(key="") for item in found)


def whole(text: str) -> Iterator[Item]:
    """The items of a text, however long, as if its top-level list items were entries."""
    return _opening(scan(text.removeprefix("\ufeff")), _Place())


def cut(item: Item, tokens: int, overlap: int) -> Iterator[Item]:
    """The item in pieces of at most so many tokens; itself where it is short enough.

    What a note says about itself stays in one piece, and is short enough for any chunk.
    """
    if item.kind == "front" or size(item.text) <= tokens:
        yield item
        return
    exact = item.text.count("\n") == item.end_line - item.line
    for number, piece in enumerate(pieces(item.text, tokens, overlap)):
        line, end = (
            (item.line + piece.first, item.line + piece.last)
            if exact
            else (item.line, item.end_line)
        )
        yield item._replace(
            line=line, end_line=end, text=piece.text, opens=() if number else item.opens
        )


def spoken(turn: str) -> str:
    """What a turn says, without the role of who says it; a name stays, since it may be a part of
    what is said.
    """
    return turn[found.end() :] if (found := _ROLE.match(turn)) else turn


class _Place(NamedTuple):
    """Where a run of blocks stands: how many lines come before, and what is above it."""

    before: int = 0
    above: tuple[str, ...] = ()
    depth: int = 0


def _opening(blocks: Iterable[Block], place: _Place) -> Iterator[Item]:
    """The items of some blocks; the first below a heading opens it, and a heading without any is
    one itself.
    """
    waiting: list[Block] = []
    for block in blocks:
        if block.level:
            if waiting and block.level <= waiting[-1].level:
                yield from _bare(waiting, place)
                waiting = []
            waiting.append(block)
        elif block.kind not in ("blank", "rule"):
            for item in _items(block, place):
                yield item._replace(opens=_titles(waiting)) if waiting else item
                waiting = []
    yield from _bare(waiting, place)


def _bare(waiting: list[Block], place: _Place) -> Iterator[Item]:
    """The last of these headings, with nothing below it, stands for the others above it."""
    if not any(_titles(waiting)):
        return
    last = waiting[-1]
    path = (*place.above, *_seen(last.path))
    line = place.before + last.line
    yield Item(
        line,
        line + last.text.rstrip("\n").count("\n"),
        path[-1],
        path,
        "heading",
        opens=_titles(waiting[:-1]),
    )


def _titles(headings: list[Block]) -> tuple[str, ...]:
    return tuple(_seen(heading.path)[-1] for heading in headings)


def _items(block: Block, place: _Place) -> Iterator[Item]:
    if block.kind != "item":
        return _leaves(block, place)
    if "\n" not in block.text[:-1] and not _NESTED.match(block.text):
        return _plain_item(block, place)
    found = _listed(block, place)
    if place.depth:
        return found
    entry = next(iter(entries(block.text)), None)
    if entry is None:
        return found
    key, meta = entry.key, entry.meta
    return (item._replace(key=key, meta=meta) for item in found)


def _plain_item(block: Block, place: _Place) -> Iterator[Item]:
    """A list item on one line with nothing nested in it: nearly all are, so this is the way that
    must be fast.
    """
    text, meta = block.text, None
    if "<!--" in text:
        parts = split(text)
        text, meta = visible(parts.before + parts.after), read_meta(parts)
    bullet = _BULLET.match(text)
    text = text[bullet.end() if bullet else 0 :].strip()
    if text:
        line, path = place.before + block.line, (*place.above, *_seen(block.path))
        key = "" if place.depth else meta.id if meta and meta.id else content_key(text)
        yield Item(line, line, text, path, "item", key, None if place.depth else meta)


def _listed(block: Block, place: _Place) -> Iterator[Item]:
    """A list item as its own text and what is nested in it, which stands below its first line."""
    path = (*place.above, *_seen(block.path))
    inside = _Place(place.before + block.line - 1, path, place.depth + 1)
    text = _dedented(block.text)
    if place.depth >= _DEEPEST:
        yield from _leaf("item", _MARKS.sub("", text), inside.before + 1, path)
        return
    lead: tuple[str, ...] = ()
    for number, item in enumerate(_opening(scan(text), inside)):
        if number == 0 and item.kind == "para":
            lead = (" ".join(item.text.partition("\n")[0].split())[:_LEAD],)
            yield item._replace(kind="item")
        else:
            yield item._replace(path=(*path, *lead, *item.path[len(path) :]))


def _leaves(block: Block, place: _Place) -> Iterator[Item]:
    """What stands in a block that is no list item."""
    line, path, text = place.before + block.line, (*place.above, *_seen(block.path)), block.text
    if block.kind == "front" and not place.depth:
        return _front(block)
    if block.kind in ("fence", "front"):
        rest = lines_of(text)[1:]
        body = rest[:-1] if rest and _CLOSING.fullmatch(rest[-1]) else rest
        return _leaf(block.kind, "".join(body), line + 1, path)
    if block.kind == "code":
        return _leaf("code", text, line, path)
    shown = visible(_QUOTES.sub("", text) if block.kind == "quote" else text)
    hidden = text.count("\n") - shown.count("\n")
    if block.kind == "para" and not hidden:
        return _paragraph(shown, line, path)
    return _leaf(block.kind, shown, line, path, hidden)


def _front(block: Block) -> Iterator[Item]:
    """What the front matter says of the note, as one item; text like any other if unreadable."""
    lines = lines_of(block.text)[1:-1]
    found = matter(block.text)
    if found is None:
        yield from _leaf("para", "".join(lines), block.line + 1, ())
    elif shown := str(found):
        yield Item(block.line + 1, block.line + len(lines), shown, (), "front")


def _paragraph(text: str, line: int, path: tuple[str, ...]) -> Iterator[Item]:
    """A paragraph as a whole, but for a table at its end, and a conversation, of which each turn is
    an item.
    """
    lines = lines_of(text)
    table = next(
        (
            number
            for number in range(1, len(lines))
            if _is_delimiter(lines[number - 1], lines[number])
        ),
        0,
    )
    prose = lines[: table - 1] if table else lines
    turns = [number for number, one in enumerate(prose) if _TURN.match(one)]
    if len(turns) == 1 and not _ROLE.match(prose[turns[0]]):
        turns = []
    for begin, end in pairwise(sorted({0, *turns, len(prose)})):
        kind = "turn" if begin in turns else "para"
        yield from _leaf(kind, "".join(prose[begin:end]), line + begin, path)
    if table:
        rows = [lines[table - 1], "\n", *lines[table + 1 :]]
        yield from _leaf(
            "table", "".join(row.strip().strip("|") + "\n" for row in rows), line + table - 1, path
        )


def _is_delimiter(header: str, row: str) -> bool:
    return "|" in header and "|" in row and "-" in row and not row.strip(" \t\r\n|:-")


def _leaf(
    kind: str, text: str, line: int, path: tuple[str, ...], hidden: int = 0
) -> Iterator[Item]:
    """One item that begins on this line. It stands on those of its lines that show something; on
    all of them where a comment has hidden some, since nobody can tell which.
    """
    lines = [
        one.rstrip() if kind in _VERBATIM else one.strip() for one in text.rstrip().split("\n")
    ]
    first = next((number for number, one in enumerate(lines) if one), None)
    if first is not None:
        start, end = (
            (line, line + len(lines) - 1 + hidden)
            if hidden
            else (line + first, line + len(lines) - 1)
        )
        yield Item(start, end, "\n".join(lines[first:]), path, kind)


def _dedented(item: str) -> str:
    """What stands in a list item, as if it were a text of its own, line for line."""
    bullet = _BULLET.match(item)
    if bullet is None:
        return item
    first, *rest = lines_of(item)
    marker, blanks = bullet[1].expandtabs(_TAB), bullet[2].expandtabs(_TAB)
    width = len(marker) + (len(blanks) if 0 < len(blanks) <= _TAB else 1)
    return "".join([first[bullet.end() :] or "\n", *(_outdented(line, width) for line in rest)])


def _outdented(line: str, width: int) -> str:
    text = line.lstrip(" \t")
    indent = line[: len(line) - len(text)].expandtabs(_TAB)
    return indent[width:] + text


@lru_cache(maxsize=64)
def _seen(titles: tuple[str, ...]) -> tuple[str, ...]:
    """Headings as a reader sees them."""
    return tuple(" ".join(visible(title).split()) for title in titles)


_DEEPEST = 8
"""Lists nested deeper than this are taken as they are: each level is scanned once more."""

_LEAD = 80
_TAB = 4
_VERBATIM = ("fence", "code", "front")

_BULLET = re.compile(r"(\ufeff?[ \t]*(?:[-+*]|[0-9]{1,9}[.)]))([ \t]+|(?=\r?$))", re.MULTILINE)
_NESTED = re.compile(
    rf"{_BULLET.pattern}(?:(?:[-+*]|[0-9]{{1,9}}[.)]|#{{1,6}})[ \t\r\n]|>|```|~~~)"
)
_MARKS = re.compile(r"^(?:[ \t]*(?:[-+*>]|[0-9]{1,9}[.)])(?=[ \t\r\n]))+", re.MULTILINE)
_QUOTES = re.compile(r"^(?:[ \t]*>)+ ?", re.MULTILINE)
_CLOSING = re.compile(r"[ \t]*(?:`{3,}|~{3,}|---|\.\.\.)\s*")
_ROLE = re.compile(
    r"[ \t]*(?:\*\*)?(?:user|assistant|human|ai|agent|system|tool)(?:\*\*)?:(?:\*\*)?\s",
    re.IGNORECASE,
)
_TURN = re.compile(rf"{_ROLE.pattern}|[ \t]*\*\*[^*\n]{{1,60}}(?::\*\*|\*\*:)\s", re.IGNORECASE)
"""Who speaks: a role, or a name in bold."""
