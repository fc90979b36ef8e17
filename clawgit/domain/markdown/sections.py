"""The logs of agents, CORRECTIONS.md, CONFLICTS.md, COMPACTION_LOG.md: sections, each under `##
<id> · <time>`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import takewhile
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.scan import Block, lines_of, scan

LEVEL = 2


class Section(NamedTuple):
    """`time` is None where the heading names none; `line` is the heading's."""

    id: str
    time: datetime | None
    line: int
    body: tuple[Block, ...]


class Shelf(NamedTuple):
    """Where sections go that are filed: a book a year in a folder, with a title that the year
    follows.
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


def sections(text: str) -> Iterator[Section]:
    """The sections of a log in its order; others are passed over."""
    blocks = scan(text)
    for number, block in enumerate(blocks):
        heading = _HEADING.fullmatch(block.path[-1]) if block.level == LEVEL else None
        if heading is not None:
            body = takewhile(lambda below: not 0 < below.level <= LEVEL, blocks[number + 1 :])
            yield Section(heading[1], _time(heading[2]), block.line, tuple(body))


def filed(
    log: str, shelf: Shelf, books: Mapping[str, str], is_due: Callable[[Section], bool]
) -> Filed:
    """Moves sections to the books of their years, word for word; one that stands there already is
    only taken out, and one without a time stays. Twice is once.
    """
    lines, gone = lines_of(log), list[range]()
    changed, counts = dict[str, str](), Counter[str]()
    for section in sections(log):
        if section.time is None or not is_due(section):
            continue
        end = (
            section.body[-1].line - 1 + len(lines_of(section.body[-1].text))
            if section.body
            else section.line
        )
        gone.append(range(section.line - 1, end))
        said, path = (
            "".join(lines[section.line - 1 : end]).strip(),
            f"{shelf.folder}{section.time.year}.md",
        )
        before = changed.get(path, books.get(path, ""))
        if f"\n{said}\n" not in f"\n{before}":
            title = frames.OF_A_YEAR.format(title=shelf.title, year=section.time.year)
            changed[path] = f"{before.rstrip() or title}\n\n{said}\n"
        counts[path] += 1
    out = {number for lost in gone for number in lost}
    kept = "".join(line for number, line in enumerate(lines) if number not in out)
    return Filed(f"{kept.rstrip()}\n" if len(lines) - 1 in out else kept, changed, counts)


def is_of(heading: str, ident: str) -> bool:
    """Whether a heading opens the section of this id."""
    found = _HEADING.fullmatch(heading)
    return found is not None and found[1] == ident


def _time(text: str) -> datetime | None:
    """A time without a zone is UTC, a date alone its beginning."""
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


_HEADING = re.compile(r"([\w-]{1,64}) *· *(.*)")
