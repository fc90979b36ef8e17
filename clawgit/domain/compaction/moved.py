"""What had to leave a full notebook, and the links to where it is now."""

from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.entry import entries
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.notebook import BULLET
from clawgit.errors import counted
from clawgit.language.lazily import lazily

LINK = lazily(r"[-*+] (.+): [\d,]+ facts? → (memory/\S+\.md)")
"""The line of a notebook for a topic file: its title and its path."""

_SHOWN = 60
_MOST = 5
"""At most this many characters of an entry are quoted, and this many entries."""


class MovedBlock(NamedTuple):
    """A block of the notebook, by its first line there, and the file that it goes to."""

    line: int
    text: str
    target: str


def move_notice(notebook: str, moved: Sequence[MovedBlock]) -> str:
    """The message to whoever wrote into a full notebook: which lines moved, and where to."""
    count = counted(len(moved), "entry", "entries")
    targets = ", ".join(sorted({entry.target for entry in moved}))
    bare = (BULLET.sub("", entry.text, count=1) for entry in moved[:_MOST])
    quotes = [f"“{in_a_line(words, _SHOWN)}”" for words in bare]
    if len(moved) > _MOST:
        quotes.append(frames.AND_MORE.format(count=len(moved) - _MOST))
    return f"{notebook} is full: {count} moved to {targets}: {'; '.join(quotes)}."


def link(title: str, path: str, text: str) -> str:
    """The notebook's line that links to the file of a topic."""
    count = counted(len(entries(text)), "fact")
    return frames.ITEM.format(line=frames.TOPIC.format(title=title, told=count, path=path))


def is_link(item: str) -> bool:
    return LINK.fullmatch(item.strip()) is not None
