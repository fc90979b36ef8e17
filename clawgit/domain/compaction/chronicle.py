"""A book of past days: a chapter for each note, by date, in the words of the note."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from clawgit.domain.compaction.compaction import Note
from clawgit.domain.conversation.session_note import is_label
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import CommentParts, day, split
from clawgit.domain.markdown.document import blocks
from clawgit.domain.markdown.scan import Block, takes_more
from clawgit.domain.markdown.tags import comments_in, without_comments
from clawgit.domain.promotion.marks import GENERAL, kinds_of
from clawgit.errors import counted
from clawgit.language.calendar import month_forms, weekday_forms

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
_SESSION = re.compile(r"Session:")
_PROMOTED = re.compile(r"Promoted From Short-Term Memory \(")
_IDS = re.compile(r"<!--[ \t]*claw:([^\s>]+)")
_MARK = re.compile(r"<!--\s*openclaw[-:]")
"""How the comments begin by which OpenClaw finds its own blocks again; they say nothing."""

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


def chapter(note: Note, content: Sequence[Block], *, marks: bool) -> Chapter:
    """The note in its order, under headings below the chapter's.

    With `marks`, the note as it is written, an open fence closed. Without, what only serves a
    program is left out: see `left_out`. Front matter is quoted at the head.
    """
    body = [block for block in content if block.kind != "front" and not _is_title(block, note)]
    if marks:
        told = _as_written(note, body)
    else:
        told = _as_read(note, body, is_session=_is_of_session(content))
    front = "".join(_quoted(block.text) for block in content if block.kind == "front")
    return told._replace(body="\n".join(filter(None, (front, told.body))))


def _as_written(note: Note, body: Sequence[Block]) -> Chapter:
    return Chapter(note.heading, _closed(_text(_demoted(body))))


def _as_read(note: Note, body: Sequence[Block], *, is_session: bool) -> Chapter:
    unmarked = [*filter(None, (_unmarked(block, is_session=is_session) for block in body))]
    if not is_session:
        return _as_written(note, unmarked)
    told = _as_written(note, _untalked(unmarked))
    return told._replace(title=told.title.replace(" · ", frames.OF_SESSION)) if note.slug else told


def _untalked(body: list[Block]) -> list[Block]:
    """The blocks of a session without the heading over its messages, which says nothing of it."""
    first = next((at for at, block in enumerate(body) if block.level), None)
    title = body[first].path[-1] if first is not None else ""
    if first is None or comments_in(title) or GENERAL not in kinds_of(title):
        return body
    return [*body[:first], *body[first + 1 :]]


def left_out(content: Iterable[Block], told: Chapter) -> str:
    """What of a note its chapter lacks, in words: marks and other comments of programs.

    The title and the rules between sections are no loss.
    """
    texts = [block.text for block in content if block.kind not in ("fence", "code")]
    has_labels = any(is_label(text) and text.strip() not in told.body for text in texts)
    lost = _lost_comments(texts, told)
    marks = sum(1 for comment in lost if _MARK.match(comment))
    others = len(lost) - marks
    parts = {
        "the labels of the session": has_labels,
        counted(marks, "mark of OpenClaw", "marks of OpenClaw"): marks,
        counted(others, "comment"): others,
    }
    return ", ".join(part for part, is_lost in parts.items() if is_lost)


def _lost_comments(texts: Iterable[str], told: Chapter) -> list[str]:
    there = {*comments_in(told.body)}
    comments = chain.from_iterable(map(comments_in, texts))
    return [each for each in comments if not _IDS.match(each) and each not in there]


def extended(text: str, title: str, chapters: Iterable[Chapter]) -> str:
    """A book with these chapters, each in its place by date.

    A chapter that is there already gets what it lacks, under the headings that go with it.
    Everything else stays byte for byte.
    """
    head, there = _read(text or frames.TITLE.format(title=title))
    book = _Book(head, there)
    ids = set(_IDS.findall(text))
    for new in chapters:
        book.add(new._replace(body=_once(new.body, ids)))
    return book.text


class _Book:
    """The pieces of a book: its head, and each chapter as it is written."""

    def __init__(self, head: str, there: Iterable[Chapter]) -> None:
        self._pieces = [head]
        self._titles: list[str] = []
        for old in there:
            self._titles.append(old.title)
            self._pieces.append(old.body)

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, new: Chapter) -> None:
        if new.title in self._titles:
            self._complete(self._titles.index(new.title), new.body)
        else:
            self._insert(self._place(new.title), new)

    def _complete(self, number: int, body: str) -> None:
        """Appends what the chapter lacks, and nothing where it has everything."""
        piece = self._pieces[number + 1]
        if more := _lacking(piece, body):
            is_last = number == len(self._titles) - 1
            self._pieces[number + 1] = _ended(piece) + more + ("" if is_last else "\n")

    def _insert(self, number: int, new: Chapter) -> None:
        is_last = number == len(self._titles)
        heading = frames.CHAPTER.format(title=new.title)
        piece = f"{heading}\n\n{new.body}" + ("" if is_last else "\n")
        self._pieces[number] = _ended(self._pieces[number])
        self._pieces.insert(number + 1, piece)
        self._titles.insert(number, new.title)

    def _place(self, title: str) -> int:
        """The place of a new chapter: before the first one of a later day."""
        for number, old in enumerate(self._titles):
            if _order(title) < _order(old):
                return number
        return len(self._titles)


def _is_of_session(content: Iterable[Block]) -> bool:
    return any(block.level and _SESSION.match(block.path[-1]) for block in content)


def _is_title(block: Block, note: Note) -> bool:
    """Whether it is a heading that says no more than the chapter's own."""
    if block.level != 1:
        return False
    rest = _DATES.sub(" ", block.path[-1].removeprefix("Session:"))
    known = {*_WORDS.findall(note.slug.casefold()), *_CALENDAR, "utc"}
    return {*_WORDS.findall(rest.casefold())} <= known


def _unmarked(block: Block, *, is_session: bool) -> Block | None:
    """A block without what only serves a program; None if nothing is left."""
    if _is_of_a_program(block, is_session=is_session):
        return None
    if "<!--" not in block.text or block.kind in ("fence", "code"):
        return block
    text = without_comments(block.text, lambda comment: bool(_MARK.match(comment)))
    return block._replace(text=text) if text.strip() else None


def _quoted(front: str) -> str:
    """Front matter in a fence: in the middle of a book it would not be read as such."""
    lines = front.removeprefix("\ufeff").replace("\r\n", "\n").rstrip().split("\n")
    text = "".join(f"{line}\n" for line in lines[1:-1])
    longest = max(map(len, _TICKS.findall(text)), default=2)
    return frames.FRONT.format(fence="`" * (longest + 1), front=text) if text.strip() else ""


def _is_of_a_program(block: Block, *, is_session: bool) -> bool:
    """Rules between sections, labels at the head of a session, headings over promoted lines."""
    if block.kind == "rule":
        return True
    if is_session and is_label(block.text):
        return True
    return block.level > 0 and _PROMOTED.match(block.path[-1]) is not None


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


def _read(text: str) -> tuple[str, list[Chapter]]:
    """What stands before the first chapter, and the chapters with their headings."""
    head: list[str] = []
    titles: list[str] = []
    bodies: list[list[str]] = []
    for block in blocks(text):
        if block.level == _CHAPTER and day(block.path[-1][:_ISO_DAY]):
            titles.append(block.path[-1])
            bodies.append([block.text])
        else:
            (bodies[-1] if bodies else head).append(block.text)
    chapters = [Chapter(title, "".join(body)) for title, body in zip(titles, bodies, strict=True)]
    return "".join(head), chapters


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


def _ended(text: str) -> str:
    """The text with at least one blank line at its end."""
    if not text or text.endswith("\n\n"):
        return text
    return f"{text}\n" if text.endswith("\n") else f"{text}\n\n"
