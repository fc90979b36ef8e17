"""Items: the list items, paragraphs, tables and turns that the search finds one by one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from clawgit.core import NamedTuple
from clawgit.core.doors import frontmatter, yaml
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import entry_of, holds_entries
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.scan import Block, lines_of, scan
from clawgit.core.markdown.tag_table import visible
from clawgit.language.lazily import lazily

_CHUNK = 400
"""Tokens of an item; a longer one is cut."""

_DEEPEST = 8
"""Lists nested deeper than this are taken as they are: each level is scanned once more."""

_LEAD = 80
"""At most this many characters of an item stand in the path of what is nested in it."""

_TAB = 4
_VERBATIM = ("fence", "code", "front")

_BULLET = lazily(r"(\ufeff?[ \t]*(?:[-+*]|[0-9]{1,9}[.)]))([ \t]+|(?=\r?$))", re.MULTILINE)
_NESTED = lazily(rf"{_BULLET.pattern}(?:(?:[-+*]|[0-9]{{1,9}}[.)]|#{{1,6}})[ \t\r\n]|>|```|~~~)")
_MARKS = lazily(r"^(?:[ \t]*(?:[-+*>]|[0-9]{1,9}[.)])(?=[ \t\r\n]))+", re.MULTILINE)
_QUOTES = lazily(r"^(?:[ \t]*>)+ ?", re.MULTILINE)
_CLOSING = lazily(r"[ \t]*(?:`{3,}|~{3,}|---|\.\.\.)\s*")
_ROLE = lazily(
    r"[ \t]*(?:\*\*)?(?:user|assistant|human|ai|agent|system|tool)(?:\*\*)?:(?:\*\*)?\s",
    re.IGNORECASE,
)
_TURN = lazily(rf"{_ROLE.pattern}|[ \t]*\*\*[^*\n]{{1,60}}(?::\*\*|\*\*:)\s", re.IGNORECASE)
"""Who speaks: a role, or a name in bold."""


class Item(NamedTuple):
    """`text` is what a reader sees on its lines: no marks of lists, quotes and fences, and no HTML
    comments.

    `headings` are those above it, for a nested list item the items above it too, and for a row of a
    table the table's header. `opens` are those of them under which it comes first, the nearest
    heading last. `key` and `meta` are those of the entry that it is a part of, `meta` in any file.

    The index adds where it is: the `path` of its file and that one's `source`, its `id`, the one of
    the `first` item of the file, and how many `words` it has.
    """

    line: int
    end_line: int
    text: str
    headings: tuple[str, ...]
    kind: str
    key: str = ""
    meta: Meta | None = None
    opens: tuple[str, ...] = ()
    path: str = ""
    source: str = ""
    id: int = 0
    first: int = 0
    words: int = 0


def items(path: str, text: str) -> tuple[Item, ...]:
    """All that a reader of the file sees, cut where an item is longer than a chunk.

    Never fails, takes linear time.

    Kinds are item, para, turn, table, fence, code, quote, html, front, and heading for one with
    nothing below it.
    """
    cut_items = (piece for item in whole(text) for piece in cut(item))
    if holds_entries(path):
        return tuple(cut_items)
    # Keys address entries, and this file holds none.
    return tuple(item._replace(key="") for item in cut_items)


def whole(text: str) -> Iterator[Item]:
    """The items of a text, however long, as if its top-level list items were entries."""
    return _opening(scan(text.removeprefix("\ufeff")), _Place())


def cut(item: Item) -> Iterator[Item]:
    """The item in pieces that are a chunk at most; itself if it is short enough.

    What a note says about itself stays in one piece, and is short enough for any chunk.
    """
    if item.kind == "front" or size(item.text) <= _CHUNK:
        yield item
        return
    # Where a comment hides lines, it is not known on which of them a piece stands.
    is_exact = item.text.count("\n") == item.end_line - item.line
    for number, piece in enumerate(pieces(item.text, _CHUNK)):
        part = item._replace(text=piece.text)
        if is_exact:
            part = part._replace(line=item.line + piece.first, end_line=item.line + piece.last)
        yield part._replace(opens=()) if number else part


def spoken(turn: str) -> str:
    """What a turn says, without the role of the speaker. A name stays: it may be said."""
    role = _ROLE.match(turn)
    return turn[role.end() :] if role else turn


class _Place(NamedTuple):
    """Where a run of blocks stands: how many lines come before, and what is above it."""

    before: int = 0
    above: tuple[str, ...] = ()
    depth: int = 0

    def of(self, block: Block) -> tuple[int, tuple[str, ...]]:
        """The line of a block of it, and what is above that."""
        return self.before + block.line, (*self.above, *_seen(block.path))


def _opening(blocks: Iterable[Block], place: _Place) -> Iterator[Item]:
    """The items of some blocks. The first below a heading opens it; a bare heading is an item."""
    waiting: list[Block] = []
    for block in blocks:
        if block.level:
            if waiting and block.level <= waiting[-1].level:
                yield from _bare(waiting, place)
                waiting = []
            waiting.append(block)
        elif block.kind not in ("rule", "blank"):
            for item in _items(block, place):
                yield item._replace(opens=(*item.opens, *_titles(waiting))) if waiting else item
                waiting = []
    yield from _bare(waiting, place)


def _bare(waiting: list[Block], place: _Place) -> Iterator[Item]:
    """The last of these headings, with nothing below it, stands for the others above it."""
    if not any(_titles(waiting)):
        return
    last = waiting[-1]
    line, path = place.of(last)
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
    entry = entry_of(block)
    if "\n" in block.text[:-1] or _NESTED.match(block.text):
        found = _listed(block, place)
    else:  # nearly all are, so this must be fast
        found = _leaf("item", entry.text, *place.of(block))
    if place.depth:
        return found
    key, meta = entry.key, entry.meta
    return (item._replace(key=key, meta=meta) for item in found)


def _listed(block: Block, place: _Place) -> Iterator[Item]:
    """A list item as its own text, and what is nested in it below its first line."""
    line, path = place.of(block)
    inside = _Place(line - 1, path, place.depth + 1)
    text = _dedented(block.text)
    if place.depth >= _DEEPEST:
        yield from _leaf("item", _MARKS.sub("", text), line, path)
        return
    lead: tuple[str, ...] = ()
    for number, item in enumerate(_opening(scan(text), inside)):
        if number == 0 and item.kind in ("para", "turn"):
            lead = (in_a_line(item.text.partition("\n")[0], _LEAD),)
            yield item._replace(kind="item")
        else:
            yield item._replace(headings=(*path, *lead, *item.headings[len(path) :]))


def _leaves(block: Block, place: _Place) -> Iterator[Item]:
    """What stands in a block that is no list item."""
    if block.kind == "front" and not place.depth:
        return _front(block)
    text, (line, path) = block.text, place.of(block)
    if block.kind in ("fence", "front"):
        body = lines_of(text)[1:]
        if body and _CLOSING.fullmatch(body[-1]):
            del body[-1]
        return _leaf(block.kind, "".join(body), line + 1, path)
    if block.kind == "code":
        return _leaf("code", text, line, path)
    if block.kind == "quote":
        text = _QUOTES.sub("", text)
    shown = visible(text)
    hidden = text.count("\n") - shown.count("\n")
    if block.kind == "para" and not hidden:
        return _paragraph(shown, line, path)
    return _leaf(block.kind, shown, line, path, hidden)


def _front(block: Block) -> Iterator[Item]:
    """What the front matter says of the note, as one item; text like any other if unreadable."""
    # Without the two lines of hyphens around it.
    lines = lines_of(block.text)[1:-1]
    shown = about(block.text)
    if shown is None:
        yield from _leaf("para", "".join(lines), block.line + 1, ())
    elif shown:
        yield Item(block.line + 1, block.line + len(lines), shown, (), "front")


def _paragraph(text: str, line: int, path: tuple[str, ...]) -> Iterator[Item]:
    """A paragraph as a whole, except for a table at its end, and each turn of a conversation."""
    lines = lines_of(text)
    table = _table_at(lines)
    prose = lines[:table]
    turns = _turns_in(prose)
    for begin, end in pairwise(sorted({0, *turns, len(prose)})):
        kind = "turn" if begin in turns else "para"
        yield from _leaf(kind, "".join(prose[begin:end]), line + begin, path)
    if table < len(lines):
        yield from _rows(lines[table:], line + table, path)


def _rows(lines: Sequence[str], line: int, path: tuple[str, ...]) -> Iterator[Item]:
    """Each row of a table, below its header. A header without rows stands for itself."""
    [header, _, *below] = [one_line(row.strip(" \t\r\n|")) for row in lines]
    if header and not any(below):
        yield Item(line, line + 1, header, path, "table")
    above = opens = (header,) if header else ()
    for number, row in enumerate(below, line + 2):
        if row:
            yield Item(number, number, row, (*path, *above), "table", opens=opens)
            opens = ()


def _table_at(lines: Sequence[str]) -> int:
    """The line of a table's header, the number of lines where there is no table."""
    for number, (header, row) in enumerate(pairwise(lines)):
        if "|" in header and "|" in row and "-" in row and not row.strip(" \t\r\n|:-"):
            return number
    return len(lines)


def _turns_in(prose: Sequence[str]) -> list[int]:
    """The lines that begin a turn. A single name in bold is a label, and no conversation."""
    turns = [number for number, line in enumerate(prose) if _TURN.match(line)]
    if len(turns) == 1 and not _ROLE.match(prose[turns[0]]):
        return []
    return turns


def _leaf(
    kind: str, text: str, line: int, path: tuple[str, ...], hidden: int = 0
) -> Iterator[Item]:
    """One item that begins on this line, without the lines that show nothing.

    If a comment hid some lines, the item takes all of them, because nobody knows which they were.
    """
    strip = str.rstrip if kind in _VERBATIM else str.strip
    lines = [strip(row) for row in text.rstrip().split("\n")]
    first = next((number for number, row in enumerate(lines) if row), None)
    if first is None:
        return
    start = line if hidden else line + first
    end = line + len(lines) - 1 + hidden
    yield Item(start, end, "\n".join(lines[first:]), path, kind)


def _dedented(item: str) -> str:
    """What stands in a list item, as if it were a text of its own, line for line."""
    bullet = _BULLET.match(item)
    if bullet is None:
        return item
    first, *rest = lines_of(item)
    marker, blanks = bullet[1].expandtabs(_TAB), bullet[2].expandtabs(_TAB)
    is_text = 0 < len(blanks) <= _TAB  # more than that is one blank and indented code
    width = len(marker) + (len(blanks) if is_text else 1)
    return "".join([first[bullet.end() :] or "\n", *(_outdented(line, width) for line in rest)])


def _outdented(line: str, width: int) -> str:
    text = line.lstrip(" \t")
    indent = line[: len(line) - len(text)].expandtabs(_TAB)
    return indent[width:] + text


@lru_cache(maxsize=64)
def _seen(titles: tuple[str, ...]) -> tuple[str, ...]:
    """Headings as a reader sees them."""
    return tuple(one_line(visible(title)) for title in titles)


# What the front matter of a note says about the note, on one line.

_LARGEST = 64 * 1024
"""The most characters of front matter that are read. Longer front matter is data, not
properties.
"""

_DEEPEST_YAML = 8
"""The YAML library crashes the process on lists nested some ten thousand levels deep."""

_MOST = 50
"""At most this many values of one property are used."""

_LONGEST = 1_400
"""The most characters that are shown: below the size of a chunk, so that a note has one such item.
"""

_ALIASES = ("aliases", "alias")
_TAGS = ("tags", "tag")
_BARE = ("title", "name", *_ALIASES, "description", "summary")
"""What is shown first, and without the name of the property."""


def about(block: str) -> str | None:
    """What a block of front matter says, its two rules included: names, description, tags with
    their `#`, and the rest. "" if it says nothing, None if it cannot be read.

    Loads the YAML library, 38 ms: call it for blocks of the kind `front` only.
    """
    read = _read("".join(lines_of(block)[1:-1]))
    return None if read is None else _told(_properties(read))


def _told(properties: dict[str, list[str]]) -> str:
    bare = [", ".join(properties.pop(key)) for key in _BARE if key in properties]
    named = (tag for key in _TAGS for tag in properties.pop(key, ()))
    # A blank would end a tag.
    tags = " ".join(f"#{'-'.join(tag.lstrip('#').split())}" for tag in named)
    rest = (f"{key}: {', '.join(texts)}" for key, texts in properties.items())
    return in_a_line(frames.PROPERTIES.join(filter(None, (*bare, tags, *rest))), _LONGEST)


def _properties(read: Mapping[object, object]) -> dict[str, list[str]]:
    properties: dict[str, list[str]] = {}
    for key, value in _pairs(read):
        if texts := [*islice(_texts(_split(key, value)), _MOST)]:
            properties.setdefault(key, texts)
    return properties


def _read(text: str) -> Mapping[object, object] | None:
    """The properties; None for what is no YAML, nested deeper than properties are, or has aliases:
    ten lines of them can name ten billion values.
    """
    if len(text) > _LARGEST:
        return None
    # The base loader leaves each value as it is written: a date is not an object, `on` is not True.
    loader = yaml.CBaseLoader if hasattr(yaml, "CBaseLoader") else yaml.BaseLoader
    depth = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST_YAML or isinstance(event, yaml.AliasEvent):
                return None
        read = frontmatter.YAMLHandler().load(text, Loader=loader)
    except (yaml.YAMLError, ValueError):
        return None
    return read if isinstance(read, Mapping) else None


def _pairs(read: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """Keys and values, without regard to case. A Claude memory has its type below `metadata`."""
    for key, value in read.items():
        inside = value.items() if isinstance(value, Mapping) else [(key, value)]
        yield from ((one_line(visible(str(name))).lower(), below) for name, below in inside)


def _split(key: str, value: object) -> object:
    """Tags and other names may be a list in one text."""
    if isinstance(value, str) and key in _TAGS:
        return value.replace(",", " ").split()
    return value.split(",") if isinstance(value, str) and key in _ALIASES else value


def _texts(value: object) -> Iterator[str]:
    """The texts of a value or of a list of values, as a reader sees them."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, list):
            yield from _texts(each)
        elif isinstance(each, str) and (text := one_line(visible(each))):
            yield text


# A long text cut into pieces that share a little, on borders of lines or words.

_TOKEN_BYTES = 4
"""Bytes of a token on average: exact enough for chunk sizes, and free to count."""

_SHARED = 5
"""Each piece but the first begins with up to one part in so many of the one before."""


class ChunkText(NamedTuple):
    """`first` and `last` are the lines of the text that it stands on, counted from 0."""

    first: int
    last: int
    text: str


def size(text: str) -> int:
    """A text's length in tokens, roughly."""
    return -(-_bytes(text) // _TOKEN_BYTES)


def pieces(text: str, tokens: int) -> Iterator[ChunkText]:
    """A whole text in pieces of at most `tokens` tokens."""
    first, piece, shared = 0, "", max(1, tokens // _SHARED) * _TOKEN_BYTES
    for number, line in enumerate(text.split("\n")):
        for part in _parts(f"{line}\n", shared):
            if size(piece + part.rstrip()) > tokens:
                yield from _chunk(first, piece)
                piece = _end(piece, shared)
                first = number - piece.count("\n")
            # Without blank lines before it, a piece stands on no more lines than it does.
            if not piece.strip():
                first, piece = number, ""
            piece += part
    yield from _chunk(first, piece)


def _end(piece: str, most: int) -> str:
    """The last words of a piece."""
    start = max(0, len(piece) - _room(piece, most))
    # Where it has no blank, the sum is 0, and the cut may be anywhere.
    return piece[piece.find(" ", start) + 1 or start :].lstrip("\n")


def _chunk(first: int, piece: str) -> Iterator[ChunkText]:
    if text := piece.rstrip():
        yield ChunkText(first, first + text.count("\n"), text)


def _parts(line: str, most: int) -> Iterator[str]:
    """A line; a longer one by words, or anywhere if it has none."""
    step, start = _room(line, most), 0
    while len(line) - start > step and _bytes(line) > most:
        # Without a blank the sum is 0, and the cut is made where the step ends.
        end = line.rfind(" ", start + 1, start + step) + 1 or start + step
        yield line[start:end]
        start = end
    yield line[start:]


def _room(text: str, most: int) -> int:
    """How many characters surely fit into so many bytes: each takes up to four."""
    return most if text.isascii() else most // _TOKEN_BYTES


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
