"""Which notes of past days are due for compaction, and which parts of a note stay in its file."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown.comment import day, read_meta, split
from clawgit.domain.markdown.document import blocks
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.tags import tags_in
from clawgit.language.calendar import month_names

QUARTERLY_DAYS = 90
"""The age at which the quarterly compaction takes a note, unless another is asked for."""

_NAME = re.compile(r"memory/([0-9]{4}-[0-9]{2}-[0-9]{2})(?:-([^/]+))?\.md")
_CLOCK = re.compile(r"[0-2][0-9][0-5][0-9]")
_SILENT = ("blank", "rule", "front")
_SPOKEN = ("item", "para", "quote", "html", "heading")
"""Blocks in which a tag is a tag: in code, it is somebody's code."""

_CORRECTION = "orrection"
"""A quick look before the tags are read: without it, no text holds a correction."""

_MONTHS = month_names()


class Note(NamedTuple):
    """A note of a day, by its path; `slug` is what it is about, "" for the day's own."""

    day: date
    slug: str
    path: str

    @property
    def heading(self) -> str:
        """The date, and what it is about: `2026-01-03 · api design`, `2026-01-03 · 14:30`."""
        if not self.slug:
            return f"{self.day}"
        if _CLOCK.fullmatch(self.slug):
            return f"{self.day} · {self.slug[:2]}:{self.slug[2:]}"
        return f"{self.day} · {self.slug.replace('-', ' ')}"

    @property
    def month(self) -> str:
        return f"{self.day.year:04}-{_MONTHS[self.day.month - 1]}"

    @property
    def quarter(self) -> str:
        return f"{self.day.year:04}-Q{(self.day.month + 2) // 3}"


class Parted(NamedTuple):
    """What of a note goes into a book, and what must stay in its file: the corrections with the
    headings above them, "" if there are none.
    """

    told: tuple[Block, ...]
    left: str

    @property
    def tells(self) -> bool:
        return any(not block.level and block.kind not in _SILENT for block in self.told)


def note_of(path: str) -> Note | None:
    """The note that a path names; None for topic files, archives and what lies deeper."""
    match = _NAME.fullmatch(path)
    when = day(match[1]) if match else None
    return Note(when, match[2] or "", path) if match and when else None


def due(paths: Iterable[str], today: date, days: int) -> list[Note]:
    """The notes that are more than `days` old, oldest first.

    Of one day, its own note comes before the others.
    """
    notes = filter(None, map(note_of, paths))
    return sorted(note for note in notes if (today - note.day).days > days)


def parted(text: str) -> Parted:
    """Splits a note by its blocks. Everything under a heading that is a correction is one too."""
    all_blocks = blocks(text)
    corrections = _corrections(all_blocks) if _CORRECTION in text else set()
    if not corrections:
        return Parted(all_blocks, "")
    staying = corrections | _headings_of(all_blocks, corrections)
    remaining = tuple(block for at, block in enumerate(all_blocks) if at not in corrections)
    return Parted(remaining, "".join(_with_gaps(all_blocks, staying)))


def is_correction(block: Block) -> bool:
    """Whether a block holds a correction by the operator, even in a nested list."""
    if any("correction" in tags_in(title) for title in block.path):
        return True
    if block.kind not in _SPOKEN or _CORRECTION not in block.text:
        return False
    if "correction" in tags_in(block.text):
        return True
    meta = read_meta(split(block.text))
    return meta is not None and meta.src == CORRECTION


def _corrections(all_blocks: tuple[Block, ...]) -> set[int]:
    return {at for at, block in enumerate(all_blocks) if is_correction(block)}


def _headings_of(all_blocks: tuple[Block, ...], kept: set[int]) -> set[int]:
    """The title of the file, and the headings above these blocks."""
    headings: set[int] = set()
    above: list[int] = []
    for at, block in enumerate(all_blocks):
        if block.level:
            if not headings:
                headings.add(at)
            above = [heading for heading in above if all_blocks[heading].level < block.level]
            above.append(at)
        if at in kept:
            headings.update(above)
    return headings


def _with_gaps(all_blocks: tuple[Block, ...], kept: set[int]) -> Iterator[str]:
    """These blocks, each with the blank lines after it, but none at the end. If something between
    two blocks is gone, a blank line keeps them apart.
    """
    order = sorted(kept)
    for at, following in pairwise(order):
        text = all_blocks[at].text
        yield text
        if all_blocks[at + 1].kind == "blank":
            yield all_blocks[at + 1].text
        elif following != at + 1:
            yield "\n" if text.endswith("\n") else "\n\n"
    yield all_blocks[order[-1]].text
