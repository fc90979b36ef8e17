"""Moves notes of past days into archive books, by month or by quarter, and deletes their files."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from clawgit.agents.contract import Draft, Skipped
from clawgit.domain.compaction.chronicle import (
    LARGEST,
    Chapter,
    chapter,
    extended,
    left_out,
)
from clawgit.domain.compaction.compaction import Note, Parted, parted
from clawgit.domain.compaction.log import Removal
from clawgit.domain.markdown.entry import problems
from clawgit.domain.markdown.scan import takes_more


class Style(NamedTuple):
    """Which book a note goes into, and whether lines that other programs marked go along."""

    book: Callable[[Note], str]
    title: Callable[[Note], str]
    marks: bool


CHRONICLE = Style(
    lambda note: f"Archive/Chronicles/{note.month}.md", lambda note: note.month, marks=False
)
QUARTERLY = Style(
    lambda note: f"memory/archive/{note.quarter}.md", lambda note: note.quarter, marks=True
)


class ToldNote(NamedTuple):
    """A note that was written to a book, and the correction lines that stay in its file.

    `without` says what the book leaves out of it.
    """

    note: Note
    book: str
    left: str
    without: str = ""


class ToldNotes(NamedTuple):
    """The notes that were written to books, and those that could not be."""

    told: tuple[ToldNote, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class _Page(NamedTuple):
    note: Note
    parted: Parted
    chapter: Chapter


def compact(draft: Draft, notes: Iterable[Note], style: Style) -> ToldNotes:
    """Writes these notes, oldest first, into the books of a style.

    Their files stay as they are: see `take_away`.
    """
    told_notes: list[ToldNote] = []
    skipped: list[Skipped] = []
    # The notes are sorted by date, so those of one book are together, as `groupby` needs.
    for book, group in groupby(notes, style.book):
        pages = [page for page in (_page(draft, note, style, skipped) for note in group) if page]
        told_notes += _into_book(draft, book, pages, style, skipped)
    return ToldNotes(tuple(told_notes), tuple(skipped))


def _into_book(
    draft: Draft,
    book: str,
    pages: list[_Page],
    style: Style,
    skipped: list[Skipped],
) -> Iterator[ToldNote]:
    """Adds the pages to one book; the longest are left out while the book would be too large."""
    old = draft.read(book)
    new = _written(old, pages, style)
    while pages and len(new.encode("utf-8", "surrogateescape")) > LARGEST:
        longest = max(pages, key=lambda page: len(page.chapter.body))
        skipped.append(Skipped(longest.note.path, f"{book} would grow over {LARGEST:,} bytes"))
        pages.remove(longest)
        new = _written(old, pages, style)
    if new != old:
        draft.put(book, new)
    for page in pages:
        without = left_out(page.parted.told, page.chapter)
        yield ToldNote(page.note, book if page.chapter.body else "", page.parted.left, without)


def take_away(draft: Draft, told_notes: Iterable[ToldNote], why: str) -> Iterator[Removal]:
    """Deletes the files of notes that are in a book now. Lines of corrections stay in place."""
    for told_note in told_notes:
        reason = why
        if not told_note.book:
            reason += ", and it said nothing"
        if told_note.without:
            reason += f"; left out: {told_note.without}"
        if told_note.left:
            draft.put(told_note.note.path, told_note.left)
            reason += "; its #correction lines stay"
        else:
            draft.delete(told_note.note.path)
        yield Removal(told_note.note.path, "", reason, told_note.book)


def _page(draft: Draft, note: Note, style: Style, skipped: list[Skipped]) -> _Page | None:
    """The page of a note; None if it has only corrections, or cannot be put into a book."""
    text = draft.read(note.path)
    split = parted(text)
    if split.left and not split.tells:
        return None
    page = _Page(note, split, chapter(note, split.told, marks=style.marks))
    if why := _unfit(text, style.book(note), page.chapter.body):
        skipped.append(Skipped(note.path, why))
        return None
    return page


def _written(old: str, pages: list[_Page], style: Style) -> str:
    """The book with these pages added; unchanged if they have no text."""
    chapters = [page.chapter for page in pages if page.chapter.body]
    return extended(old, style.title(pages[0].note), chapters) if chapters else old


def _unfit(text: str, book: str, body: str) -> str:
    """Why a note cannot be put into a book, "" if it can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "it is not UTF-8"
    if not takes_more(body):
        return "it ends inside unclosed HTML"
    for problem in problems(book, body):
        return f"{problem.message}; {problem.hint}"
    return ""
