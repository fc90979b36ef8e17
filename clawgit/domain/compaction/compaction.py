"""Which notes of past days are due for compaction, and what of a note may be told elsewhere: never
a correction.
"""

import re
from collections.abc import Iterable
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown.comment import day, read_meta, split
from clawgit.domain.markdown.scan import Block, scan
from clawgit.domain.markdown.tags import tags_in
from clawgit.language.calendar import month_names

QUARTERLY_DAYS = 90
"""The age at which the quarterly compaction takes a note, unless somebody says another."""


class Note(NamedTuple):
    """A note of a day, by its path; `slug` is what it is about, "" for the day's own."""

    day: date
    slug: str
    path: str

    @property
    def heading(self) -> str:
        """The date, and what it is about: `2026-01-03 · api design`, `2026-01-03 · 14:30`."""
        about = (
            f"{self.slug[:2]}:{self.slug[2:]}"
            if _CLOCK.fullmatch(self.slug)
            else self.slug.replace("-", " ")
        )
        return f"{self.day} · {about}" if about else f"{self.day}"

    @property
    def month(self) -> str:
        return f"{self.day.year:04}-{_MONTHS[self.day.month - 1]}"

    @property
    def quarter(self) -> str:
        return f"{self.day.year:04}-Q{(self.day.month + 2) // 3}"


class Parted(NamedTuple):
    """What a note tells, and what must stay in its file: the corrections and the headlines they
    stand under, "" where there are none.
    """

    told: tuple[Block, ...]
    left: str

    @property
    def tells(self) -> bool:
        return any(not block.level and block.kind not in _SILENT for block in self.told)


def note_of(path: str) -> Note | None:
    """The note that a path names; None for topic files, archives and what lies deeper."""
    found = _NAME.fullmatch(path)
    when = day(found[1]) if found else None
    return Note(when, found[2] or "", path) if found and when else None


def due(paths: Iterable[str], today: date, days: int) -> list[Note]:
    """The notes that are more than so many days old, oldest first, a day's own before the others of
    that day.
    """
    notes = filter(None, map(note_of, paths))
    return sorted(note for note in notes if (today - note.day).days > days)


def parted(text: str) -> Parted:
    """Parts a note by its blocks. Whatever stands under a headline that is a correction is one
    too.
    """
    blocks = scan(text)
    right = (
        {at for at, block in enumerate(blocks) if is_correction(block)}
        if "orrection" in text
        else set()
    )
    if not right:
        return Parted(blocks, "")
    staying = right | _headings_of(blocks, right)
    told = tuple(block for at, block in enumerate(blocks) if at not in right)
    return Parted(told, "".join(_with_gaps(blocks, staying)))


def is_correction(block: Block) -> bool:
    """Whether a block holds anything that the operator set right, be it in a nested list."""
    if any("correction" in tags_in(title) for title in block.path):
        return True
    if block.kind not in _SPOKEN or "orrection" not in block.text:
        return False
    meta = read_meta(split(block.text))
    return "correction" in tags_in(block.text) or (meta is not None and meta.src == CORRECTION)


def _headings_of(blocks: tuple[Block, ...], kept: set[int]) -> set[int]:
    """The headline of the file, and the headings above these blocks."""
    first = next((at for at, block in enumerate(blocks) if block.level), None)
    found = set() if first is None else {first}
    above: list[int] = []
    for at, block in enumerate(blocks):
        if block.level:
            above = [*(one for one in above if blocks[one].level < block.level), at]
        if at in kept:
            found.update(above)
    return found


def _with_gaps(blocks: tuple[Block, ...], kept: set[int]) -> Iterable[str]:
    """These blocks, each with the blank lines behind it, none at the end. Two that had something
    else between them get one, so that they do not become one block.
    """
    order = sorted(kept)
    for at, following in pairwise(order):
        text = blocks[at].text
        yield text
        if blocks[at + 1].kind == "blank":
            yield blocks[at + 1].text
        elif following != at + 1:
            yield "\n" if text.endswith("\n") else "\n\n"
    yield blocks[order[-1]].text


_NAME = re.compile(r"memory/([0-9]{4}-[0-9]{2}-[0-9]{2})(?:-([^/]+))?\.md")
_CLOCK = re.compile(r"[0-2][0-9][0-5][0-9]")
_SILENT = ("blank", "rule", "front")
_SPOKEN = ("item", "para", "quote", "html", "heading")
_MONTHS = month_names()
