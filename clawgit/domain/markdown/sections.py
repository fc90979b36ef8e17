"""The logs of agents, such as CORRECTIONS.md: sections, each under `## <id> · <time>`."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import takewhile
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.language.lazily import lazily

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


class Shelf(NamedTuple):
    """Where filed sections go: one file a year (a book) in a folder, titled `title` and the
    year.
    """

    folder: str
    title: str


class Filed(NamedTuple):
    """A log without what was filed, the books that have it now, and how many sections went into
    each.
    """

    log: str
    books: Mapping[str, str]
    counts: Mapping[str, int]


def sections(text: str) -> Iterator[DatedSection]:
    """The sections of a log in its order; others are passed over."""
    blocks = scan(text)
    for number, block in enumerate(blocks):
        heading = _HEADING.fullmatch(block.path[-1]) if block.level == LEVEL else None
        if heading is not None:
            body = takewhile(lambda below: not 0 < below.level <= LEVEL, blocks[number + 1 :])
            yield DatedSection(heading[1], _time(heading[2]), block.line, tuple(body))


def filed(
    log: str, shelf: Shelf, books: Mapping[str, str], is_due: Callable[[DatedSection], bool]
) -> Filed:
    """Moves sections to the books of their years, word for word. A second time changes nothing.

    A section that stands there already is only taken out, and one without a time stays.
    """
    lines = lines_of(log)
    gone: set[int] = set()
    changed: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for section in sections(log):
        if section.time is None or not is_due(section):
            continue
        rows = range(section.line - 1, section.end)
        words = "".join(lines[row] for row in rows).strip()
        path = f"{shelf.folder}{section.time.year}.md"
        book = changed.get(path, books.get(path, ""))
        if f"\n{words}\n" not in f"\n{book}":
            title = frames.OF_A_YEAR.format(title=shelf.title, year=section.time.year)
            changed[path] = f"{book.rstrip() or title}\n\n{words}\n"
        gone.update(rows)
        counts[path] += 1
    kept = "".join(line for row, line in enumerate(lines) if row not in gone)
    if len(lines) - 1 in gone:
        kept = f"{kept.rstrip()}\n"
    return Filed(kept, changed, counts)


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
