"""The logs that agents keep, CORRECTIONS.md and CONFLICTS.md: one section each thing, `## <id> · <time>` above it."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import takewhile
from typing import NamedTuple

from clawgit.domain.scan import Block, scan

LEVEL = 2


class Section(NamedTuple):
    """`time` is None where the heading names none; `line` is the heading's."""

    id: str
    time: datetime | None
    line: int
    body: tuple[Block, ...]


def sections(text: str) -> Iterator[Section]:
    """The sections of a log in its order; others are passed over."""
    blocks = scan(text)
    for number, block in enumerate(blocks):
        heading = _HEADING.fullmatch(block.path[-1]) if block.level == LEVEL else None
        if heading is not None:
            body = takewhile(lambda below: not 0 < below.level <= LEVEL, blocks[number + 1 :])
            yield Section(heading[1], _time(heading[2]), block.line, tuple(body))


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
