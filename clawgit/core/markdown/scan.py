"""The line scanner: cuts Markdown into its top-level blocks in one pass, fast enough for a hook;
and the logs of agents, such as CORRECTIONS.md: sections, each under `## <id> · <time>`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import takewhile

from clawgit.core import NamedTuple
from clawgit.language.lazily import lazily

_BLANK = " \t\r\n"
_BOM = "\ufeff"
_TRIMMED = ("item", "code")
"""Blocks whose trailing blank lines are not theirs."""

_UNDERLINE = "underline"
"""Not a block of its own: it turns the paragraph above into a heading."""

_QUOTE = -1
"""Stands for a quote among the open containers; an item stands there with its width."""

_DEEPEST = 20
"""How deep nesting is followed: as deep as markdown-it does."""

_MOST_INDENT = 3
"""One more column makes indented code of a line."""

_SHORTEST_RULE = 3

_SIGNS = frozenset("#>`~<=-+*_0123456789")
"""What a line that is not a paragraph can begin with."""

_SPACES = lazily(" *")
_ATX = lazily(r"#{1,6}(?: |$)")
_SETEXT = lazily(r"(?:=+|-+) *$")
_FENCE = lazily(r"(`{3,})[^`]*$|(~{3,})")
_MARKER = lazily(r"([-+*]|[0-9]{1,9}[.)])( +|$)")
_YAML_FIRST = lazily(r"""["']?\w[^:\n]*:(?:\s|$)|(?:---|\.\.\.)\s*$""")

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr"
    "|track|ul"
)
_HTML: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (
        lazily(r"<(?:script|pre|style|textarea)(?=\s|>|$)", re.IGNORECASE),
        lazily(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (lazily("<!--"), lazily("-->")),
    (lazily(r"<\?"), lazily(r"\?>")),
    (lazily("<![A-Za-z]"), lazily(">")),
    (lazily(r"<!\[CDATA\["), lazily(r"\]\]>")),
    (lazily(rf"</?(?:{_BLOCK_TAGS})(?=\s|/?>|$)", re.IGNORECASE), None),
)
"""How a block of HTML begins and ends; None: at the next blank line."""

_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
_LONE_TAG = lazily(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*{_VALUE})?)*\s*/?|/[A-Za-z][A-Za-z0-9-]*\s*)>\s*$"
)
"""A line that is one tag and nothing else."""


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

    @property
    def end(self) -> int:
        """Its last line."""
        return self.line + self.text.rstrip("\n").count("\n")


Run = tuple[str, int, int]
"""A block by its kind, its first line and the line after its last, counted from 0."""


@lru_cache(maxsize=4)  # judging a text, changing it and writing it each ask for its blocks
def scan(text: str) -> tuple[Block, ...]:
    """Every line in exactly one block, in order. Never fails, takes linear time.

    Follows CommonMark, except that only a newline ends a line, front matter is known, a link
    reference definition is a para, and a byte order mark is ignored.
    """
    lines = lines_of(text)
    return assembled(lines, _runs(lines))


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends. Only a newline ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def takes_more(text: str) -> bool:
    """Whether a text can be appended to: no open fence, tag or comment would swallow it."""
    return scan(f"{text}\n\n# End\n")[-1].level == 1


def assembled(lines: Sequence[str], runs: Iterable[Run]) -> tuple[Block, ...]:
    """The blocks that these runs of lines are, each with the headings above it."""
    blocks: list[Block] = []
    above: list[tuple[int, str]] = []
    path: tuple[str, ...] = ()
    for kind, first, end in runs:
        level = 0
        if kind == "heading":
            level, title = _heading(lines[first:end])
            above = [*(heading for heading in above if heading[0] < level), (level, title)]
            path = tuple(title for _, title in above)
        blocks.append(Block(kind, first + 1, "".join(lines[first:end]), path, level))
    return tuple(blocks)


def front_end(lines: Sequence[str]) -> int:
    """How many lines the front matter takes, 0 if there is none.

    A rule on line 1 opens no front matter unless what follows looks like YAML.
    """
    if not lines or lines[0].removeprefix(_BOM).rstrip() != "---":
        return 0
    is_yaml = False
    for number in range(1, len(lines)):
        line = lines[number]
        if line.startswith("#"):
            continue
        if not is_yaml and not _YAML_FIRST.match(line):
            return 0
        is_yaml = True
        if line.rstrip() in ("---", "..."):
            return number + 1
    return 0


def _runs(lines: list[str]) -> Iterator[Run]:
    begin = front_end(lines)
    if begin:
        yield "front", 0, begin
    kind, first = "", begin
    parser = _Parser()
    for number in range(begin, len(lines)):
        line = lines[number]
        opened = parser.feed(_plain(line.removeprefix(_BOM) if number == 0 else line))
        if opened == _UNDERLINE:
            kind = "heading"
        elif opened and not (opened == kind == "blank"):
            yield from _closed(kind, first, number, lines)
            kind, first = opened, number
    yield from _closed(kind, first, len(lines), lines)


def _closed(kind: str, first: int, end: int, lines: list[str]) -> Iterator[Run]:
    """A run; of some kinds, the blank lines at its end are a run of their own."""
    last = end
    while kind in _TRIMMED and last > first and not lines[last - 1].strip(_BLANK):
        last -= 1
    if first < last:
        yield kind, first, last
    if last < end:
        yield "blank", last, end


def _plain(line: str) -> str:
    """A line by its columns: no line end, tabs widened to their stops, "" for a blank one."""
    if not line.strip(_BLANK):
        return ""
    line = line.rstrip("\r\n")
    return line.expandtabs(4) if "\t" in line else line


def _heading(lines: Sequence[str]) -> tuple[int, str]:
    """The level and the title of a heading, underlined or not."""
    text = "".join(lines).removeprefix(_BOM).strip(_BLANK)
    marks = len(text) - len(text.lstrip("#"))
    if len(lines) > 1 or not marks:
        title, _, underline = text.rpartition("\n")
        return 1 if "=" in underline else 2, " ".join(title.split())
    title = text[marks:].strip(" \t")
    bare = title.rstrip("#")
    # Signs at the end close the heading only after a blank: `# C#` is about C#.
    if bare[-1:] in ("", " ", "\t"):
        title = bare
    return marks, " ".join(title.split())


class _Parser:
    """CommonMark's block structure, line by line: the open containers, and the leaf inside."""

    __slots__ = ("_bare", "_containers", "_end", "_leaf")

    def __init__(self) -> None:
        self._containers: list[int] = []
        self._leaf = ""  # para, fence, html, code, or nothing
        self._end: re.Pattern[str] | None = None  # what closes the fence or html; None: a blank
        self._bare = False  # the innermost container is an item that has nothing in it yet

    def feed(self, line: str) -> str:
        """The kind of the top-level block that this line opens, "" if it opens none."""
        pos, depth = self._continued(line)
        start = _indent(line, pos)
        is_blank = start == len(line)
        is_inside = depth == len(self._containers) and self._leaf in ("fence", "html")
        if is_inside and not (is_blank and self._end is None):
            self._verbatim(line, start, start - pos)
            return ""
        if is_blank:
            return self._blank(depth)
        return self._opened(line, pos, start, depth)

    def _continued(self, line: str) -> tuple[int, int]:
        """Where the line's own text begins, and how many of the open containers go on."""
        pos = 0
        for depth, width in enumerate(self._containers):
            start = _indent(line, pos)
            if width == _QUOTE:
                if start - pos > _MOST_INDENT or not line.startswith(">", start):
                    return pos, depth
                pos = _behind_quote(line, start)
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
        """Takes a line of a fence or of html, and closes it where this is its end."""
        if self._end is None:
            return
        if self._leaf == "html":
            is_end = self._end.search(line, start)
        elif indent > _MOST_INDENT:
            return
        else:
            is_end = self._end.match(line, start)
        if is_end:
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
        """Opens what begins on this line, container within container.

        Returns what began at the top level.
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
            if not top and not self._containers and not kind == self._leaf == "code":
                top = kind
            if kind not in ("quote", "item"):
                self._open_leaf(kind, goes_on=bool(skip))
                return top
            self._leaf = ""
            depth += 1
            if kind == "item":
                width = start - pos + skip
                pos += width
            else:
                width = _QUOTE
                pos = start + skip
            self._containers.append(width)
            start = _indent(line, pos)
            is_empty = start >= len(line)
            self._bare = kind == "item" and is_empty
            if is_empty:
                return top

    def _open_leaf(self, kind: str, *, goes_on: bool) -> None:
        """Opens a leaf; a fence or html stays open only if it goes on after its line."""
        stays = kind in ("para", "code") or (kind in ("fence", "html") and goes_on)
        self._leaf = kind if stays else ""
        self._bare = False

    def _start(self, line: str, start: int, indent: int, depth: int) -> tuple[str, int]:
        """What begins at `start`, and a number: for a quote or an item, the columns of its marker;
        for a fence or html, 1 if it goes on after its line, else 0.

        Nothing begins where a line only goes on with an open paragraph.
        """
        is_para = self._leaf == "para"
        is_whole = depth == len(self._containers)
        plain = ("", 0) if is_para else ("para", 0)
        if indent > _MOST_INDENT:
            # A paragraph cannot be interrupted by indented code, not even a lazy one.
            return plain if is_para else ("code", 0)
        if line[start] not in _SIGNS:
            return plain
        if is_para and is_whole and _SETEXT.match(line, start):
            return _UNDERLINE, 0
        return self._sign(line, start, is_para=is_para, is_whole=is_whole) or plain

    def _sign(
        self, line: str, start: int, *, is_para: bool, is_whole: bool
    ) -> tuple[str, int] | None:
        """What a sign opens: a heading, a rule, a fence, html, a quote or an item."""
        sign = line[start]
        if sign in "<`~":
            is_html = sign == "<"
            return self._html(line, start, is_para=is_para) if is_html else self._fence(line, start)
        if _ATX.match(line, start):
            return "heading", 0
        if sign in "-*_" and _is_rule(line, start):
            return "rule", 0
        if len(self._containers) >= _DEEPEST:
            return None
        if sign == ">":
            return "quote", _behind_quote(line, start) - start
        return _marker(line, start, interrupts=is_para and is_whole)

    def _fence(self, line: str, start: int) -> tuple[str, int] | None:
        match = _FENCE.match(line, start)
        if not match:
            return None
        run = match[1] or match[2]
        self._end = re.compile(rf"{run[0]}{{{len(run)},}} *$")
        return "fence", 1

    def _html(self, line: str, start: int, *, is_para: bool) -> tuple[str, int] | None:
        """Html, with 0 if it ends on its own line and 1 if it goes on."""
        for begin, end in _HTML:
            if begin.match(line, start):
                self._end = end
                return "html", 0 if end and end.search(line, start) else 1
        if not is_para and _LONE_TAG.match(line, start):
            self._end = None
            return "html", 1
        return None


def _indent(line: str, pos: int) -> int:
    match = _SPACES.match(line, pos)
    return match.end() if match else pos


def _behind_quote(line: str, start: int) -> int:
    """Where the text of a quote begins: one blank after its sign belongs to the sign."""
    return start + (2 if line.startswith(" ", start + 1) else 1)


def _is_rule(line: str, start: int) -> bool:
    signs = line[start:].replace(" ", "")
    return len(signs) >= _SHORTEST_RULE and signs.count(signs[0]) == len(signs)


def _marker(line: str, start: int, *, interrupts: bool) -> tuple[str, int] | None:
    """An item's marker. Only one with text, and with number 1 if any, may interrupt a paragraph."""
    match = _MARKER.match(line, start)
    if not match:
        return None
    marker, spaces = match[1], len(match[2])
    is_empty = match.end() == len(line)
    is_later = marker[0].isdigit() and int(marker[:-1]) != 1
    if interrupts and (is_empty or is_later):
        return None
    # Five blanks and more after a marker are one blank and indented code.
    if is_empty or spaces > _MOST_INDENT + 1:
        spaces = 1
    return "item", len(marker) + spaces


LEVEL = 2
"""The level of a section's heading."""

_HEADING = lazily(r"([\w-]{1,64}) *· *(.*)")


class DatedSection(NamedTuple):
    """`time` is None where the heading names none; `line` is the heading's."""

    id: str
    time: datetime | None
    line: int
    body: tuple[Block, ...]

    @property
    def end(self) -> int:
        """The line after it, counted from 0."""
        if not self.body:
            return self.line
        last = self.body[-1]
        return last.line - 1 + len(lines_of(last.text))


def sections(text: str) -> Iterator[DatedSection]:
    """The sections of a log in its order; others are passed over."""
    blocks = scan(text)
    for number, block in enumerate(blocks):
        ident, time = dated_id(block.path[-1]) if block.level == LEVEL else ("", None)
        if ident:
            body = takewhile(lambda below: not 0 < below.level <= LEVEL, blocks[number + 1 :])
            yield DatedSection(ident, time, block.line, tuple(body))


def dated_id(heading: str) -> tuple[str, datetime | None]:
    """The id and the time that the title of a section names; "" if it is not such a title."""
    match = _HEADING.fullmatch(heading)
    return (match[1], _time(match[2])) if match else ("", None)


def _time(text: str) -> datetime | None:
    """A time without a zone is UTC, a date alone is its first moment."""
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
