"""The logs of agents, such as CORRECTIONS.md: sections, each under `## <id> · <time>`."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import takewhile
from typing import NamedTuple

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


def sections(text: str) -> Iterator[DatedSection]:
    """The sections of a log in its order; others are passed over."""
    blocks = scan(text)
    for number, block in enumerate(blocks):
        heading = _HEADING.fullmatch(block.path[-1]) if block.level == LEVEL else None
        if heading is not None:
            body = takewhile(lambda below: not 0 < below.level <= LEVEL, blocks[number + 1 :])
            yield DatedSection(heading[1], _time(heading[2]), block.line, tuple(body))


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
