"""Which notes of past days are due for compaction, and the books that they are gathered in; and
COMPACTION_LOG.md: what left the files, why, where it is now, and which commit has it.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import read_meta, split, uncommented
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.scan import Block, scan
from clawgit.core.markdown.tag_table import CORRECTION_TAG, tags_in
from clawgit.core.tiers import Note, note_of
from clawgit.memory.rules.confidence import CORRECTION
from clawgit.memory.rules.moving import cut_out
from clawgit.talk.rules.corrections import with_section

PATH = "COMPACTION_LOG.md"

_SHORT = 12
"""Digits of a commit's hash: enough for any repository of notes."""

_LONGEST = 160
"""At most this many characters of an entry are quoted."""


class Removal(NamedTuple):
    """`what` went from `path`; `now_at` is where its summary or its successor stands, if any."""

    path: str
    what: str
    why: str
    now_at: str = ""


def removal_line(removal: Removal, head: str) -> str:
    """One removal as a line of text: nothing in it is markup that would hide or end it."""
    went = f"{uncommented(removal.what)}, from {removal.path}" if removal.what else removal.path
    now_in = f"; now in {removal.now_at}" if removal.now_at else ""
    return (
        f"- {went}: {uncommented(removal.why)}{now_in}; whole in {head[:_SHORT] or 'no commit yet'}"
    )


def logged(text: str, ident: str, now: datetime, removals: Iterable[Removal], head: str) -> str:
    """The log with one more section at its end; older sections never change."""
    lines = "\n".join(removal_line(removal, head) for removal in removals)
    section = f"## {ident} · {now.isoformat(timespec='seconds')}\n\n{lines}\n"
    return with_section(text, frames.COMPACTIONS, section)


def excerpt(text: str) -> str:
    """The words of an entry on one line, cut where they are many."""
    return f"“{in_a_line(text, _LONGEST)}”"


_SILENT = ("blank", "rule", "front")
_SPOKEN = ("item", "para", "quote", "html", "heading")
"""Blocks in which a tag is a tag: in code, it is somebody's code."""

_CORRECTION = "orrection"
"""A quick look before the tags are read: without it, no text holds a correction."""

_TOP = 3
"""The level at which the headings of a note begin in a book."""

_DEEPEST = 6

_FENCE = "````"
"""Around front matter: in the middle of a book it would not be read as such."""


def month_of(day: date) -> str:
    return f"{day.year:04}-{day:%B}"


class Parted(NamedTuple):
    """What of a note goes into a book, and what must stay in its file: the corrections with the
    headings above them, "" if there are none. None if they cannot be told apart.
    """

    told: tuple[Block, ...]
    left: str | None

    @property
    def tells(self) -> bool:
        return any(map(_tells, self.told))


def due(paths: Iterable[str], today: date, days: int) -> list[Note]:
    """The notes that are more than `days` old, oldest first, and of one day its own note first."""
    notes = filter(None, map(note_of, paths))
    return sorted(note for note in notes if (today - note.day).days > days)


def parted(text: str) -> Parted:
    """Splits a note by its blocks. Everything under a heading that is a correction is one too."""
    blocks = scan(text)
    told = tuple(block for block in blocks if not holds_correction(block))
    if len(told) == len(blocks):
        return Parted(told, "")
    gone = {block.line for block in told if not block.level and block.kind != "blank"}
    return Parted(told, cut_out(text, gone))


def holds_correction(block: Block) -> bool:
    """Whether a block holds a correction by the operator, even in a nested list."""
    if any(CORRECTION_TAG in tags_in(title) for title in block.path):
        return True
    if block.kind not in _SPOKEN or _CORRECTION not in block.text:
        return False
    meta = read_meta(split(block.text))
    return CORRECTION_TAG in tags_in(block.text) or (meta is not None and meta.src == CORRECTION)


def chapter(note: Note, content: Iterable[Block]) -> str:
    """What a book holds of a note: all as it is written, under headings below the chapter's."""
    title = (1, f"{note.day}")
    return _text(_demoted([b for b in content if (b.level, *b.path[-1:]) != title]))


def extended(text: str, title: str, chapters: Iterable[tuple[str, str]]) -> str:
    """A book with these chapters, each a title and a text, at its end; what stands in it stays byte
    for byte.

    Of a note whose chapter is there already, it gets what that lacks.
    """
    before = text = text or frames.TITLE.format(title=title)
    for name, new in chapters:
        if body := _lacking(before, name, new):
            end = text if text.endswith("\n") else f"{text}\n"
            gap = "" if end.endswith("\n\n") else "\n"
            text = f"{end}{gap}{frames.CHAPTER.format(title=name)}\n\n{body}"
    return text


def _demoted(content: list[Block]) -> Iterator[Block]:
    """The blocks with their headings moved down to the third level, each as deep as before against
    the others, and with front matter quoted.
    """
    highest = min((block.level for block in content if block.level), default=_TOP)
    for block in content:
        if block.level:
            level = min(block.level + max(_TOP - highest, 0), _DEEPEST)
            yield block._replace(text=f"{'#' * level} {block.path[-1]}\n", level=level)
        elif block.kind == "front":
            inside = block.text.removeprefix("\ufeff").rstrip().splitlines()[1:-1]
            front = "".join(f"{line}\n" for line in inside)
            yield block._replace(text=frames.FRONT.format(fence=_FENCE, front=front))
        else:
            yield block


def _text(content: Iterable[Block]) -> str:
    """The blocks one below the other, one blank line for several, and none at the ends."""
    parts: list[str] = []
    for block in content:
        if block.kind != "blank":
            parts.append(block.text.replace("\r\n", "\n").rstrip() + "\n")
        elif parts and parts[-1] != "\n":
            parts.append("\n")
    return "".join(parts).rstrip("\n") + "\n" if parts else ""


def _lacking(book: str, title: str, body: str) -> str:
    """What the chapters of a note in a book do not hold of it, under its headings."""
    if f"{frames.CHAPTER.format(title=title)}\n" not in book:
        return body
    known = {_said(block) for block in scan(book) if title in block.path and _tells(block)}
    more = [block for block in scan(body) if _said(block) not in known]
    return _text(more) if any(map(_tells, more)) else ""


def _tells(block: Block) -> bool:
    return not block.level and block.kind not in _SILENT


def _said(block: Block) -> str:
    """The words of a block, and its comments but for clawgit's own."""
    return one_line(split(block.text).visible)
