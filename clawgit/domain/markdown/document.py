"""A Markdown file as sections and code fences, each with its lines, so that one can be changed and
nothing else is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from markdown_it import MarkdownIt
from markdown_it.token import Token

from clawgit.domain.markdown.scan import front_end, lines_of


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and all below it, subsections too. `line` is its first line, `body` the one below
    the heading.

    `own_end` is the line where its first subsection begins, `end` the line behind its last; all
    count from 1.
    """

    title: str
    level: int
    path: tuple[str, ...]
    line: int
    body: int
    own_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block; `line` is the first of its content. `info` is what stands behind the
    opening fence.
    """

    info: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """`text` is the input, byte for byte. `front` is the front matter without its marks; its info
    is "yaml".
    """

    text: str
    front: Fence | None
    sections: tuple[Section, ...]
    fences: tuple[Fence, ...]

    def section(self, *path: str) -> Section | None:
        """The first section whose path ends so: `section("Core", "Values")`, or just
        `section("Values")`.
        """
        return next(
            (section for section in self.sections if section.path[-len(path) :] == path), None
        )

    def body(self, section: Section) -> str:
        """What stands below a heading, down to the next one of its level, as it is written."""
        return "".join(lines_of(self.text)[section.body - 1 : section.end - 1])

    def with_body(self, section: Section, body: str) -> "Document":
        """With another body below a heading, blank lines around it as they were."""
        return self._with(section.body, section.end, body)

    def with_appended(self, section: Section, block: str) -> "Document":
        """With one more block at the end of what stands right below a heading, before its
        subsections.
        """
        own = "".join(_filled(lines_of(self.text)[section.body - 1 : section.own_end - 1])).rstrip(
            "\r\n"
        )
        return self._with(section.body, section.own_end, f"{own}\n\n{block}" if own else block)

    def _with(self, begin: int, end: int, body: str) -> "Document":
        """With other lines from `begin` to before `end`; the blank lines around them stay as they
        were.
        """
        newline = "\r\n" if "\r\n" in self.text else "\n"
        lines = lines_of(self.text)
        before, old, after = lines[: begin - 1], lines[begin - 1 : end - 1], lines[end - 1 :]
        new = [line.rstrip("\r\n") + newline for line in _filled(lines_of(body))]
        if new and not before[-1].endswith("\n"):
            before[-1] += newline
        head, tail = _blanks(old), _blanks(old[::-1])[::-1]
        if new and old and not tail and not old[-1].endswith("\n"):
            new[-1] = new[-1].rstrip("\r\n")
        if not _filled(old):
            head, tail = [newline] * bool(new), head or [newline] * bool(new and after)
        return parse(
            "".join(
                [
                    *before,
                    *(head if new or not after else []),
                    *new,
                    *(tail if new or after else []),
                    *after,
                ]
            )
        )


def parse(text: str) -> Document:
    """Reads any text; never fails."""
    lines = lines_of(text)
    begin = front_end(lines)
    tokens = _BLOCKS.parse("\n" * begin + _readable("".join(lines[begin:])))
    fences = (
        Fence(token.info.strip(), token.map[0] + 2, token.content)
        for token in tokens
        if token.type == "fence" and token.map
    )
    return Document(
        text=text,
        front=Fence("yaml", 2, "".join(lines[1 : begin - 1])) if begin else None,
        sections=tuple(_sections(list(_headings(tokens)), len(lines))),
        fences=tuple(fences),
    )


def metadata(document: Document) -> dict[str, object]:
    """What the front matter says; empty where it is not a mapping that can be read."""
    if document.front is None:
        return {}
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415 (20 ms that most documents never need)
    from yaml import YAMLError  # noqa: PLC0415

    try:
        found = YAMLHandler().load(document.front.text)
    except (YAMLError, ValueError, RecursionError):
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}


def _readable(text: str) -> str:
    """The text as markdown-it counts its lines as we do: for it, a carriage return alone ends one
    too.
    """
    return re.sub("\r(?!\n)", " ", text.removeprefix("\ufeff"))


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[int, str, int, int]]:
    """Level, title, first line and the line below of each heading that stands in no list or
    quote.
    """
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            yield (
                int(token.tag[1:]),
                " ".join(inline.content.split()),
                token.map[0] + 1,
                token.map[1] + 1,
            )


def _sections(headings: list[tuple[int, str, int, int]], count: int) -> Iterator[Section]:
    above: list[tuple[int, str]] = []
    starts = [*(line for _, _, line, _ in headings), count + 1]
    ends = _ends([level for level, *_ in headings])
    for number, (level, title, line, body) in enumerate(headings):
        above = [*(one for one in above if one[0] < level), (level, title)]
        path = tuple(name for _, name in above)
        yield Section(title, level, path, line, body, starts[number + 1], starts[ends[number]])


def _ends(levels: list[int]) -> list[int]:
    """For each heading the number of the next one that is not below it."""
    ends = [len(levels)] * len(levels)
    waiting: list[int] = []
    for number, level in enumerate(levels):
        while waiting and levels[waiting[-1]] >= level:
            ends[waiting.pop()] = number
        waiting.append(number)
    return ends


def _blanks(lines: list[str]) -> list[str]:
    """The blank lines at the head of some lines."""
    return list(takewhile(lambda line: not line.strip(), lines))


def _filled(lines: list[str]) -> list[str]:
    """Lines without the blank ones around them."""
    head, tail = len(_blanks(lines)), len(_blanks(lines[::-1]))
    return lines[head : len(lines) - tail]


_BLOCKS = MarkdownIt("commonmark").disable("reference")
_BLOCKS.core.ruler.enableOnly(["normalize", "block"])
