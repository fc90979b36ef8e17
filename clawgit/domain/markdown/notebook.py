"""How much MEMORY.md may hold, what is said when it is full, and how a list item in it begins."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.errors import counted
from clawgit.language.lazily import lazily

NOTEBOOK_CHARACTERS = 20_000
NOTEBOOK_LINES = 200
"""The limits of MEMORY.md. OpenClaw cuts the middle out of a longer file."""

BULLET = lazily(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|$)(?:\[[xX]\][ \t]+)?", re.MULTILINE)
"""How a list item begins, with the tick of a task that is done."""

_SHOWN = 60
_MOST_QUOTED = 5


def fits(text: str) -> bool:
    return len(text) <= NOTEBOOK_CHARACTERS and len(text.splitlines()) <= NOTEBOOK_LINES


class MovedBlock(NamedTuple):
    """A block of the notebook, by its first line there, and the file that it goes to."""

    line: int
    text: str
    target: str


def move_notice(notebook: str, moved: Sequence[MovedBlock]) -> str:
    """The message to whoever wrote into a full notebook: which lines moved, and where to."""
    count = counted(len(moved), "entry", "entries")
    targets = ", ".join(sorted({entry.target for entry in moved}))
    bare = (BULLET.sub("", entry.text, count=1) for entry in moved[:_MOST_QUOTED])
    quotes = [f"“{in_a_line(words, _SHOWN)}”" for words in bare]
    if len(moved) > _MOST_QUOTED:
        quotes.append(frames.AND_MORE.format(count=len(moved) - _MOST_QUOTED))
    return f"{notebook} is full: {count} moved to {targets}: {'; '.join(quotes)}."
