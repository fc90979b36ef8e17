"""The line scanner: cuts Markdown into its top-level blocks in one pass, fast enough for a hook."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple


class Block(NamedTuple):
    """A run of whole lines. `path` names the headings above it, a heading's own title included.

    `level` is a heading's, else 0. `kind` is front, heading, item, para (a table too), fence, code,
    html, quote, rule or blank.
    """

    kind: str
    line: int
    text: str
    path: tuple[str, ...] = ()
    level: int = 0


@lru_cache(maxsize=4)  # who judges a text, changes it and writes it asks for its blocks each time
def scan(text: str) -> tuple[Block, ...]:
    """Every line in exactly one block, in order: the joined texts give the input back. Never fails,
    linear in time.

    Follows CommonMark, but: only a newline ends a line, front matter is known, a link reference
    definition is a para, nesting is followed 20 levels deep, and a byte order mark is looked
    through.
    """
    lines = lines_of(text)
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    for kind, first, end in _runs(lines):
        level = 0
        if kind == "heading":
            level, title = _heading(lines[first:end])
            path = [*(above for above in path if above[0] < level), (level, title)]
        titles = blocks[-1].path if blocks and not level else tuple(title for _, title in path)
        blocks.append(Block(kind, first + 1, "".join(lines[first:end]), titles, level))
    return tuple(blocks)


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends. Only a newline ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _runs(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """Kind, first line and end of each block. Blank lines that trail an item or indented code stand
    for themselves.
    """
    begin = front_end(lines)
    if begin:
        yield "front", 0, begin
    kind, first = "", begin
    parser = _Parser()
    for number in range(begin, len(lines)):
        line = lines[number]
        if _FLAT_ITEM.match(line) and parser.takes_item():
            opened = "item"
        else:
            opened = parser.feed(_plain(line.removeprefix("\ufeff") if number == 0 else line))
        if opened == _UNDERLINE:
            kind = "heading"
        elif opened and not (opened == kind == "blank"):
            if kind in _TRIMMED and not lines[number - 1].strip(_BLANK):
                yield from _trimmed(kind, first, number, lines)
            elif first < number:
                yield kind, first, number
            kind, first = opened, number
    yield from _trimmed(kind, first, len(lines), lines)


def _trimmed(kind: str, first: int, end: int, lines: list[str]) -> Iterator[tuple[str, int, int]]:
    last = end
    while kind in _TRIMMED and not lines[last - 1].strip(_BLANK):
        last -= 1
    if first < last:
        yield kind, first, last
    if last < end:
        yield "blank", last, end


def front_end(lines: list[str]) -> int:
    """How many lines the front matter takes. A rule on line 1 is none where what follows does not
    look like YAML.
    """
    if not lines or lines[0].removeprefix("\ufeff").rstrip() != "---":
        return 0
    body = [number for number in range(1, len(lines)) if not lines[number].startswith("#")]
    if not body or not _YAML_FIRST.match(lines[body[0]]):
        return 0
    return next((number + 1 for number in body if lines[number].rstrip() in ("---", "...")), 0)


def _plain(line: str) -> str:
    """A line as its columns count: no line end, tabs widened to their stops, nothing where there is
    only blank.
    """
    if not line.strip(_BLANK):
        return ""
    line = line.rstrip("\r\n")
    return line.expandtabs(4) if "\t" in line else line


def _heading(lines: list[str]) -> tuple[int, str]:
    text = "".join(lines).removeprefix("\ufeff").strip(_BLANK)
    marks = len(text) - len(text.lstrip("#"))
    if len(lines) > 1 or not marks:
        title, _, underline = text.rpartition("\n")
        return 1 if "=" in underline else 2, " ".join(title.split())
    title = text[marks:].strip(" \t")
    bare = title.rstrip("#")
    return marks, " ".join((bare if bare[-1:] in ("", " ", "\t") else title).split())


class _Parser:
    """CommonMark's block structure, line by line: the containers that are open, and the leaf inside
    the innermost.
    """

    __slots__ = ("_bare", "_containers", "_end", "_leaf")

    def __init__(self) -> None:
        self._containers: list[int] = []  # the width of an item's indent, or _QUOTE
        self._leaf = ""  # para, fence, html, code, or nothing
        self._end: re.Pattern[str] | None = (
            None  # what closes the fence or html; None: a blank line
        )
        self._bare = False  # the innermost container is an item that has nothing in it yet

    def feed(self, line: str) -> str:
        """The kind of the top-level block that this line opens, "" where it belongs to the one
        before.
        """
        pos, depth = self._continued(line)
        start = _indent(line, pos)
        blank = start == len(line)
        if (
            depth == len(self._containers)
            and self._leaf in ("fence", "html")
            and not (blank and self._end is None)
        ):
            self._verbatim(line, start, start - pos)
            return ""
        if blank:
            return self._blank(depth)
        return self._opened(line, pos, start, depth)

    def takes_item(self) -> bool:
        """Opens a plain item at the margin, unless a fence or html swallows it: what `feed` would
        do, the short way.
        """
        if not self._containers and self._leaf in ("fence", "html"):
            return False
        self._containers = [_FLAT_WIDTH]
        self._leaf = "para"
        self._bare = False
        return True

    def _continued(self, line: str) -> tuple[int, int]:
        """Where the line's own text begins, and how many of the open containers go on."""
        pos = 0
        for depth, width in enumerate(self._containers):
            start = _indent(line, pos)
            if width == _QUOTE:
                if start - pos > _MOST_INDENT or not line.startswith(">", start):
                    return pos, depth
                pos = start + (2 if line.startswith(" ", start + 1) else 1)
            elif start < len(line):
                if start - pos < width:
                    return pos, depth
                pos += width
            elif self._bare and depth == len(self._containers) - 1:
                return pos, depth
            else:
                pos = start
        return pos, len(self._containers)

    def _verbatim(self, line: str, start: int, indent: int) -> None:
        if self._leaf == "fence" and indent > _MOST_INDENT:
            return
        if self._end and (self._end.match if self._leaf == "fence" else self._end.search)(
            line, start
        ):
            self._leaf = ""

    def _blank(self, depth: int) -> str:
        self._close(depth)
        if self._leaf != "code":
            self._leaf = ""
        return "" if self._containers or self._leaf else "blank"

    def _close(self, depth: int) -> None:
        if depth < len(self._containers):
            del self._containers[depth:]
            self._leaf = ""
            self._bare = False

    def _opened(self, line: str, pos: int, start: int, depth: int) -> str:
        """Opens what begins on this line, container within container, and says what began at the
        top level.
        """
        top = ""
        while True:
            kind, skip = self._start(line, start, start - pos, depth)
            if not kind:
                return top
            self._close(depth)
            if kind == _UNDERLINE:
                self._leaf = ""
                return "" if self._containers else kind
            top = top or ("" if self._containers or (kind == self._leaf == "code") else kind)
            if kind not in ("quote", "item"):
                self._leaf = (
                    kind if kind in ("para", "code") or (kind in ("fence", "html") and skip) else ""
                )
                self._bare = False
                return top
            self._containers.append(skip + start - pos if kind == "item" else _QUOTE)
            self._leaf = ""
            depth += 1
            pos = pos + self._containers[-1] if kind == "item" else start + skip
            start = _indent(line, pos)
            self._bare = kind == "item" and start >= len(line)
            if start >= len(line):
                return top

    def _start(self, line: str, start: int, indent: int, depth: int) -> tuple[str, int]:
        """What begins at `start`, "" for more of an open paragraph, and how many columns its marker
        takes.
        """
        whole = depth == len(self._containers)
        para = self._leaf == "para"
        if indent > _MOST_INDENT:
            return ("", 0) if para else ("code", 0)
        if line[start] in _SIGNS:
            if para and whole and _SETEXT.match(line, start):
                return _UNDERLINE, 0
            if found := self._sign(line, start, para=para, whole=whole):
                return found
        return ("", 0) if para else ("para", 0)

    def _sign(self, line: str, start: int, *, para: bool, whole: bool) -> tuple[str, int] | None:
        sign = line[start]
        if sign in "`~<":
            return self._html(line, start, para=para) if sign == "<" else self._fence(line, start)
        if _ATX.match(line, start):
            return "heading", 0
        if sign in "-*_" and _is_rule(line, start):
            return "rule", 0
        if len(self._containers) >= _DEEPEST:
            return None
        if sign == ">":
            return "quote", 2 if line.startswith(" ", start + 1) else 1
        return _marker(line, start, interrupts=para and whole)

    def _fence(self, line: str, start: int) -> tuple[str, int] | None:
        found = _FENCE.match(line, start)
        if not found:
            return None
        run = found[1] or found[2]
        self._end = re.compile(rf"{run[0]}{{{len(run)},}} *$")
        return "fence", 1

    def _html(self, line: str, start: int, *, para: bool) -> tuple[str, int] | None:
        """Html that ends on its own line has nothing to skip."""
        for begin, end in _HTML:
            if begin.match(line, start):
                self._end = end
                return "html", 0 if end and end.search(line, start) else 1
        if not para and _LONE_TAG.match(line, start):
            self._end = None
            return "html", 1
        return None


def _indent(line: str, pos: int) -> int:
    found = _SPACES.match(line, pos)
    return found.end() if found else pos


def _is_rule(line: str, start: int) -> bool:
    signs = line[start:].replace(" ", "")
    return len(signs) >= _RULE and signs.count(signs[0]) == len(signs)


def _marker(line: str, start: int, *, interrupts: bool) -> tuple[str, int] | None:
    """An item's marker. Only one with text, and with number 1 if any, may interrupt a paragraph."""
    found = _MARKER.match(line, start)
    if not found:
        return None
    marker, spaces = found[1], len(found[2])
    empty = found.end() == len(line)
    if interrupts and (empty or (marker[0].isdigit() and int(marker[:-1]) != 1)):
        return None
    return "item", len(marker) + (1 if empty or spaces > _MOST_INDENT + 1 else spaces)


_UNDERLINE = "underline"
"""Not a block of its own: it makes a heading of the paragraph above."""

_BLANK = " \t\r\n"
_TRIMMED = ("item", "code")
_QUOTE = -1
_DEEPEST = 20
_MOST_INDENT = 3
_RULE = 3

_SIGNS = frozenset("#>`~<=-+*_0123456789")
_SPACES = re.compile(" *")
_ATX = re.compile(r"#{1,6}(?: |$)")
_SETEXT = re.compile(r"(?:=+|-+) *$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_MARKER = re.compile(r"([-+*]|[0-9]{1,9}[.)])( +|$)")
_FLAT_ITEM = re.compile(r"[-+*] (?:[^\s#>`~<=\-+*_0-9]|\*\*\w|[0-9]+[^\s0-9.)])")
_FLAT_WIDTH = 2
"""An item that holds a paragraph and can hold nothing else: of the lines of a memory, most are
such."""

_YAML_FIRST = re.compile(r"""["']?\w[^:\n]*:(?:\s|$)|(?:---|\.\.\.)\s*$""")

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr"
    "|track|ul"
)
_HTML: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=\s|>|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile("<!--"), re.compile("-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile("<![A-Za-z]"), re.compile(">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_BLOCK_TAGS})(?=\s|/?>|$)", re.IGNORECASE), None),
)
_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
_LONE_TAG = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*{_VALUE})?)*\s*/?|/[A-Za-z][A-Za-z0-9-]*\s*)>\s*$"
)
"""A line that is one tag and nothing else."""
