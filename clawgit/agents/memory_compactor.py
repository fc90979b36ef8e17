"""The Memory Compactor moves past days into chronicles and clears faint entries."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from math import ceil
from typing import NamedTuple

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.domain.compaction.compaction import (
    LARGEST,
    Chapter,
    Note,
    Parted,
    chapter,
    due,
    extended,
    parted,
)
from clawgit.domain.compaction.entries import fade, merge_alike
from clawgit.domain.compaction.log import PATH, Removal, excerpt, logged
from clawgit.domain.compaction.tidy import tidy
from clawgit.domain.corrections.correcting import archived
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction
from clawgit.domain.markdown.entry import problems
from clawgit.domain.markdown.scan import takes_more
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.errors import counted

_FULL = 0.95
"""A notebook that uses this share of its limits is tidied, to leave room until the next run."""

_HOURS_A_DAY = 24
_MOVED = "moved, not removed: so MEMORY.md stays within what OpenClaw reads of it"


class Done(NamedTuple):
    """What a task removed and moved, and what it left."""

    gone: tuple[Removal, ...] = ()
    moved: tuple[Removal, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step, with a line in the log for each removal. No correction is ever removed."""
    draft = Draft(snapshot.files)
    done = _together(
        _days(snapshot, draft), _memory(snapshot, draft), _corrections(snapshot, draft)
    )
    removals = [*done.gone, *done.moved]
    if not removals:
        return ChangeSet((), done.skipped)
    log = draft.read(PATH)
    ident = snapshot.fresh_id("compaction", log)
    draft.put(PATH, logged(log, ident, snapshot.now, removals, snapshot.head))
    return ChangeSet((_step(draft, ident, done),), done.skipped)


def _together(*tasks: Done) -> Done:
    return Done(*(tuple(chain.from_iterable(column)) for column in zip(*tasks, strict=True)))


def _days(snapshot: Snapshot, draft: Draft) -> Done:
    """Moves notes of past days into books.

    Notes that the context's slot of recent memory still reads stay, whatever the settings.
    """
    settings = snapshot.settings
    age = settings.compaction_age_days
    if not age:
        return Done()
    days = max(age, ceil(settings.memory_retention_hours / _HOURS_A_DAY))
    notes = due(snapshot.files, snapshot.today, days)
    compacted = compact(draft, notes, CHRONICLE)
    gone = tuple(take_away(draft, compacted.told, f"older than {days} days"))
    return Done(gone, skipped=compacted.skipped)


def _memory(snapshot: Snapshot, draft: Draft) -> Done:
    gone, moved = [], list[Removal]()
    for path in NOTEBOOKS:
        if path not in draft:
            continue
        faded = fade(path, draft.read(path), snapshot.settings, snapshot.today)
        joined = merge_alike(path, faded.text, snapshot.settings)
        gone += [*faded.gone, *joined.gone]
        tidied = tidy(joined.text, draft, snapshot.settings, snapshot.today, _FULL)
        moved += [
            Removal(path, excerpt(entry.text.removeprefix("- ")), _MOVED, entry.target)
            for entry in tidied.moved
        ]
        for target, text in {**tidied.files, path: tidied.text}.items():
            draft.put(target, text)
    return Done(tuple(gone), tuple(moved))


def _corrections(snapshot: Snapshot, draft: Draft) -> Done:
    days = snapshot.settings.correction_archive_days
    shelved = archived(snapshot.files, snapshot.today, days)
    for path, text in shelved.files.items():
        draft.put(path, text)
    why = f"finished, and older than {days} days; it still applies"
    return Done(tuple(_moved(correction, shelved.files, why) for correction in shelved.moved))


def _moved(correction: Correction, files: Mapping[str, str], why: str) -> Removal:
    what = f"correction {correction.id} {excerpt(correction.correct)}"
    return Removal(CORRECTIONS, what, why, _book_of(correction, files))


def _book_of(correction: Correction, files: Mapping[str, str]) -> str:
    for path, text in files.items():
        if path != CORRECTIONS and f"## {correction.id} ·" in text:
            return path
    return ""


def _step(draft: Draft, ident: str, done: Done) -> Step:
    removed = [_proposed(removal, "removed") for removal in done.gone]
    moved = [_proposed(removal, "moved") for removal in done.moved]
    return Step(
        verb="compact",
        summary=_summary(done.gone, len(done.moved)),
        reason=f"Each is listed in {PATH} under {ident}, with the commit that still has its text.",
        evidence=(f"{PATH}#{ident}",),
        edits=draft.edits,
        proposed=(*removed, *moved),
    )


def _summary(gone: Sequence[Removal], moved: int) -> str:
    notes = sum(not removal.what for removal in gone)
    corrections = sum(removal.path == CORRECTIONS for removal in gone)
    entries = len(gone) - notes - corrections
    parts = (
        (notes, f"sum up {counted(notes, 'note')}"),
        (entries, f"clear {counted(entries, 'entry', 'entries')} away"),
        (moved, f"move {counted(moved, 'entry', 'entries')} to topic files"),
        (corrections, f"archive {counted(corrections, 'correction')}"),
    )
    return ", ".join(words for count, words in parts if count)


def _proposed(removal: Removal, kind: str) -> Proposed:
    now_in = f"; now in {removal.now_at}" if removal.now_at else ""
    what = f"{removal.what}: " if removal.what else ""
    why = f"{removal.why}{now_in}"
    return Proposed(removal.path, kind, f"{what}{why}", (removal.path,), why=why)


class Style(NamedTuple):
    """Which book a note goes into."""

    book: Callable[[Note], str]
    title: Callable[[Note], str]


CHRONICLE = Style(lambda note: f"Archive/Chronicles/{note.month}.md", lambda note: note.month)
QUARTERLY = Style(lambda note: f"memory/archive/{note.quarter}.md", lambda note: note.quarter)


class ToldNote(NamedTuple):
    """A note that was written to a book, and the correction lines that stay in its file."""

    note: Note
    book: str
    left: str


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
        yield ToldNote(page.note, book if page.chapter.body else "", page.parted.left)


def take_away(draft: Draft, told_notes: Iterable[ToldNote], why: str) -> Iterator[Removal]:
    """Deletes the files of notes that are in a book now. Lines of corrections stay in place."""
    for told_note in told_notes:
        reason = why
        if not told_note.book:
            reason += ", and it said nothing"
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
    page = _Page(note, split, chapter(note, split.told))
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
