"""Notes of past days told in a book, by month or by quarter, and taken out of their files: two
styles of one thing.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from clawgit.agents.contract import Draft, Skipped
from clawgit.domain.compaction.chronicle import LARGEST, Chapter, chapter, extended, stands_alone
from clawgit.domain.compaction.compaction import Note, Parted, parted
from clawgit.domain.compaction.log import Removal
from clawgit.domain.markdown.entry import problems


class Style(NamedTuple):
    """Which book tells a note, and whether what others marked in it is told too."""

    book: Callable[[Note], str]
    title: Callable[[Note], str]
    marks: bool


CHRONICLE = Style(
    lambda note: f"Archive/Chronicles/{note.month}.md", lambda note: note.month, marks=False
)
QUARTERLY = Style(
    lambda note: f"memory/archive/{note.quarter}.md", lambda note: note.quarter, marks=True
)

Tell = Callable[[Chapter], Chapter]
"""Makes a story of what a chapter holds, or leaves it."""


class Told(NamedTuple):
    """A note that was told: in which book, and how many lines of corrections stay in its file."""

    note: Note
    book: str
    left: str


class Compacted(NamedTuple):
    """Every note that has anything to tell, and those that could not be told."""

    told: tuple[Told, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class _Page(NamedTuple):
    note: Note
    parted: Parted
    chapter: Chapter


def compact(
    draft: Draft, notes: Iterable[Note], style: Style, tell: Tell | None = None
) -> Compacted:
    """Tells these notes, oldest first, in the books of a style. Their files stay as they are: see
    `take_away`.
    """
    told: list[Told] = []
    skipped: list[Skipped] = []
    for book, some in groupby(notes, style.book):
        pages = [page for page in (_page(draft, note, style, skipped) for note in some) if page]
        old = draft.read(book)
        new = _written(old, pages, style, tell)
        while pages and _size(new) > LARGEST:
            longest = max(pages, key=lambda page: len(page.chapter.body))
            skipped.append(Skipped(longest.note.path, f"{book} would grow over {LARGEST:,} bytes"))
            pages.remove(longest)
            new = _written(old, pages, style, tell)
        if new != old:
            draft.put(book, new)
        told += [
            Told(page.note, book if page.chapter.body else "", page.parted.left) for page in pages
        ]
    return Compacted(tuple(told), tuple(skipped))


def take_away(draft: Draft, told: Iterable[Told], why: str) -> Iterator[Removal]:
    """Deletes the files of notes that were told, but for their corrections, which stay."""
    for one in told:
        if one.left:
            draft.put(one.note.path, one.left)
        else:
            draft.delete(one.note.path)
        silent = "" if one.book else ", and it told nothing"
        kept = "; its #correction lines stay" if one.left else ""
        yield Removal(one.note.path, "", f"{why}{silent}{kept}", one.book)


def _page(draft: Draft, note: Note, style: Style, skipped: list[Skipped]) -> _Page | None:
    """None for a note that holds nothing but its corrections, and for one that a book cannot
    hold.
    """
    text = draft.read(note.path)
    found = parted(text)
    if found.left and not found.tells:
        return None
    page = _Page(note, found, chapter(note, found.told, marks=style.marks))
    if why := _unfit(text, style.book(note), page.chapter.body):
        skipped.append(Skipped(note.path, why))
        return None
    return page


def _written(old: str, pages: list[_Page], style: Style, tell: Tell | None) -> str:
    """The book with all that these pages tell; as it was where they tell nothing."""
    chapters = [_told(page.chapter, old, tell) for page in pages if page.chapter.body]
    return extended(old, style.title(pages[0].note), chapters) if chapters else old


def _size(book: str) -> int:
    return len(book.encode("utf-8", "surrogateescape"))


def _unfit(text: str, book: str, body: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "it is not UTF-8"
    if not stands_alone(body):
        return "it ends within HTML that is left open"
    return next((f"{one.message}; {one.hint}" for one in problems(book, body)), "")


def _told(page: Chapter, book: str, tell: Tell | None) -> Chapter:
    """A chapter that is there already only gets what it lacks, which needs no story."""
    return page if tell is None or f"\n## {page.title}\n" in book else tell(page)
