"""Which notes of past days are due for compaction, and which parts of a note stay in its file."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from clawgit.domain.facts.confidence import CORRECTION
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import CommentParts, day, read_meta, split
from clawgit.domain.markdown.scan import Block, takes_more
from clawgit.domain.markdown.scan import scan as blocks
from clawgit.domain.markdown.tags import tags_in
from clawgit.domain.promotion.edit import cut_out
from clawgit.language.calendar import month_forms, month_names, weekday_forms

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
    headings above them, "" if there are none. None if they cannot be told apart.
    """

    told: tuple[Block, ...]
    left: str | None

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
    told = tuple(block for block in all_blocks if not is_correction(block))
    if len(told) == len(all_blocks):
        return Parted(told, "")
    gone = {block.line for block in told if not block.level and block.kind != "blank"}
    return Parted(told, cut_out(text, gone))


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


LARGEST = 2_000_000
"""The most bytes of a book: OpenClaw refuses files over 2 MiB."""

_CHAPTER = 2
"""The level of a chapter's heading."""

_BELOW = 3
"""The level at which the headings of a note begin, inside of its chapter."""

_DEEPEST = 6
_ISO_DAY = 10
_GAP = Block("blank", 0, "\n")

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT = re.compile(r"`{3,}yaml front matter\n")
_IDS = re.compile(r"<!--[ \t]*claw:([^\s>]+)")

_TICKS = re.compile("`{3,}")
_DATES = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[+-][0-9]{2}:?[0-9]{2}"
)
_WORDS = re.compile(r"[^\W_]+")
_CALENDAR = frozenset(forms[0] for forms in (*month_forms(), *weekday_forms()))


class Chapter(NamedTuple):
    """What a book holds of one note, under the heading `## title`."""

    title: str
    body: str


def chapter(note: Note, content: Sequence[Block]) -> Chapter:
    """The note as it is written, under headings below the chapter's; an open fence is closed.

    Front matter is quoted at the head.
    """
    body = [block for block in content if block.kind != "front" and not _is_title(block, note)]
    front = "".join(_quoted(block.text) for block in content if block.kind == "front")
    told = _closed(_text(_demoted(body)))
    return Chapter(note.heading, "\n".join(filter(None, (front, told))))


def extended(text: str, title: str, chapters: Iterable[Chapter]) -> str:
    """A book with these chapters, each in its place by date.

    A chapter that is there already gets what it lacks, under the headings that go with it.
    Everything else stays byte for byte.
    """
    pieces = _read(text or frames.TITLE.format(title=title))
    ids = set(_IDS.findall(text))
    for new in chapters:
        body = _once(new.body, ids)
        titles = [piece.title for piece in pieces]
        if new.title in titles:
            at = titles.index(new.title)
            body = _lacking(pieces[at].body, body)
        else:
            later = (at for at, old in enumerate(titles) if at and _order(new.title) < _order(old))
            at = next(later, len(pieces))
            pieces.insert(at, Chapter(new.title, ""))
            pieces[at - 1] = _ended(pieces[at - 1])
            body = f"{frames.CHAPTER.format(title=new.title)}\n\n{body}"
        if body:
            is_last = at == len(pieces) - 1
            more = _ended(pieces[at]).body + body + ("" if is_last else "\n")
            pieces[at] = Chapter(new.title, more)
    return "".join(piece.body for piece in pieces)


def _is_title(block: Block, note: Note) -> bool:
    """Whether it is a heading that says no more than the chapter's own."""
    if block.level != 1:
        return False
    rest = _DATES.sub(" ", block.path[-1].removeprefix("Session:"))
    known = {*_WORDS.findall(note.slug.casefold()), *_CALENDAR, "utc"}
    return {*_WORDS.findall(rest.casefold())} <= known


def _quoted(front: str) -> str:
    """Front matter in a fence: in the middle of a book it would not be read as such."""
    lines = front.removeprefix("\ufeff").replace("\r\n", "\n").rstrip().split("\n")
    text = "".join(f"{line}\n" for line in lines[1:-1])
    longest = max(map(len, _TICKS.findall(text)), default=2)
    return frames.FRONT.format(fence="`" * (longest + 1), front=text) if text.strip() else ""


def _demoted(content: Sequence[Block]) -> Iterator[Block]:
    """The blocks with their headings moved down to the third level, each as deep as before against
    the others.

    A heading with nothing below it stays.
    """
    highest = min((block.level for block in content if block.level), default=_BELOW)
    # Only down: a note whose headings are deep enough keeps them.
    shift = max(_BELOW - highest, 0)
    for block in content:
        if block.level:
            level = min(block.level + shift, _DEEPEST)
            yield block._replace(text=f"{'#' * level} {block.path[-1]}\n", level=level)
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
    while parts and parts[-1] == "\n":
        parts.pop()
    return "".join(parts)


def _closed(body: str) -> str:
    """The body with an end for a fence that was left open."""
    if takes_more(body):
        return body
    last = blocks(body)[-1]
    fence = _FENCE.match(last.text) if last.kind == "fence" else None
    return f"{body}{fence[1]}\n" if fence else body


def _read(text: str) -> list[Chapter]:
    """What stands before the first chapter, as one without a title, and the chapters with their
    headings.
    """
    pieces = [Chapter("", "")]
    for block in blocks(text):
        if block.level == _CHAPTER and day(block.path[-1][:_ISO_DAY]):
            pieces.append(Chapter(block.path[-1], ""))
        pieces[-1] = pieces[-1]._replace(body=pieces[-1].body + block.text)
    return pieces


def _lacking(old: str, new: str) -> str:
    """What a chapter's new text has and the old has not, each under its headings."""
    known = {_said(block) for block in blocks(old)}
    lacking: dict[int, Block] = {}
    above: list[Block] = []
    for block in blocks(new):
        if block.level:
            above = [heading for heading in above if heading.level < block.level]
            above.append(block)
            continue
        if block.kind == "blank" or _said(block) in known:
            continue
        # A heading is repeated once, before the first block that is new below it.
        for new_block in (*above, block):
            lacking[new_block.line] = new_block
    return _text(_spaced(lacking.values()))


def _spaced(content: Iterable[Block]) -> Iterator[Block]:
    """The blocks, with blank lines around everything but list items."""
    for block in content:
        if block.kind == "item":
            yield block
        else:
            yield from (_GAP, block, _GAP)


def _once(body: str, ids: set[str]) -> str:
    """The text, with each id once in a book: of an entry that is there twice, only the first keeps
    its comment.

    Adds the ids of the text to `ids`.
    """
    if "claw:" not in body:
        return body
    texts: list[str] = []
    for block in blocks(body):
        parts = split(block.text) if "claw:" in block.text else CommentParts(block.text, "", "")
        ident = parts.id
        texts.append(parts.visible if ident in ids else block.text)
        ids.add(ident)
    return "".join(texts)


def _said(block: Block) -> str:
    """The words of a block, and its comments but for clawgit's own."""
    text = split(block.text).visible if block.kind == "item" else block.text
    return " ".join(text.split())


def _order(title: str) -> tuple[str, str]:
    return title[:_ISO_DAY], title[_ISO_DAY:]


def _ended(piece: Chapter) -> Chapter:
    """A piece with at least one blank line at its end."""
    text = piece.body
    if not text or text.endswith("\n\n"):
        return piece
    return piece._replace(body=f"{text}\n" if text.endswith("\n") else f"{text}\n\n")
