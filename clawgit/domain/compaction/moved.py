"""What had to leave a full notebook, the line there that says where it is, and what whoever wrote
into it is told.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.entry import entries
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.promotion.edit import BULLET


class Moved(NamedTuple):
    """A block of the notebook, by its first line there, and the file that it goes to."""

    line: int
    text: str
    target: str


def told_of(notebook: str, moved: Sequence[Moved]) -> str:
    """What whoever wrote into a notebook is told of what had to make room: which lines, and where
    they are now.
    """
    count = f"{len(moved):,} {'entry' if len(moved) == 1 else 'entries'}"
    targets = sorted({one.target for one in moved})
    shown = [f"“{in_a_line(BULLET.sub('', one.text, count=1), _SHOWN)}”" for one in moved[:_MOST]]
    if len(targets) > 1:
        shown = [f"{words} → {one.target}" for words, one in zip(shown, moved, strict=False)]
    if len(moved) > _MOST:
        shown.append(frames.AND_MORE.format(count=len(moved) - _MOST))
    return f"{notebook} is full: {count} moved to {', '.join(targets)}: {'; '.join(shown)}."


def link(title: str, path: str, text: str) -> str:
    """The line that says where a topic is told."""
    count = len(entries(text))
    told = f"{count:,} {'fact' if count == 1 else 'facts'}" if count else "details"
    return frames.ITEM.format(line=frames.TOPIC.format(title=title, told=told, path=path))


def is_link(item: str) -> bool:
    return LINK.fullmatch(item.strip()) is not None


LINK = re.compile(r"[-*+] (.+): (?:[\d,]+ facts?|details) → (memory/\S+\.md)")
_SHOWN = 60
_MOST = 5
