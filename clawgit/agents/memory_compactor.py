"""The Memory Compactor moves past days into chronicles and clears faint entries."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
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
from clawgit.domain.corrections.correcting import archived
from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.domain.markdown.decoding import exact_bytes
from clawgit.domain.markdown.entry import problems
from clawgit.domain.markdown.scan import takes_more
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.errors import counted

_HOURS_A_DAY = 24


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step, with a line in the log for each removal. No correction is ever removed."""
    draft = Draft(snapshot.files)
    days, skipped = _days(snapshot, draft)
    faded = _memory(snapshot, draft)
    shelved = [*_corrections(snapshot, draft)]
    gone = [*days, *faded, *shelved]
    if not gone:
        return ChangeSet((), tuple(skipped))
    log = draft.read(PATH)
    ident = snapshot.fresh_id("compaction", log)
    draft.put(PATH, logged(log, ident, snapshot.now, gone, snapshot.head))
    parts = (
        (len(days), f"sum up {counted(len(days), 'note')}"),
        (len(faded), f"clear {counted(len(faded), 'entry', 'entries')} away"),
        (len(shelved), f"archive {counted(len(shelved), 'correction')}"),
    )
    step = Step(
        verb="compact",
        summary=", ".join(words for count, words in parts if count),
        reason=f"Each is listed in {PATH} under {ident}, with the commit that still has its text.",
        evidence=(f"{PATH}#{ident}",),
        edits=draft.edits,
        proposed=tuple(map(_proposed, gone)),
    )
    return ChangeSet((step,), tuple(skipped))


def _days(snapshot: Snapshot, draft: Draft) -> tuple[list[Removal], list[Skipped]]:
    """Moves notes of past days into books.

    Notes that the context's slot of recent memory still reads stay, whatever the settings.
    """
    settings = snapshot.settings
    age = settings.compaction_age_days
    if not age:
        return [], []
    days = max(age, ceil(settings.memory_retention_hours / _HOURS_A_DAY))
    told, skipped = compact(draft, due(snapshot.files, snapshot.today, days), chronicle)
    return [*take_away(draft, told, f"older than {days} days")], skipped


def _memory(snapshot: Snapshot, draft: Draft) -> list[Removal]:
    """What went from the notebooks."""
    gone: list[Removal] = []
    for path in NOTEBOOKS:
        if path in draft:
            faded = fade(path, draft.read(path), snapshot.settings, snapshot.today)
            joined = merge_alike(path, faded.text, snapshot.settings)
            gone += [*faded.gone, *joined.gone]
            draft.put(path, joined.text)
    return gone


def _corrections(snapshot: Snapshot, draft: Draft) -> Iterator[Removal]:
    days = snapshot.settings.correction_archive_days
    shelved = archived(snapshot.files, snapshot.today, days)
    for path, text in shelved.files.items():
        draft.put(path, text)
    books = [path for path in shelved.files if path != CORRECTIONS]
    for correction in shelved.moved:
        head = f"## {correction.id} ·"
        yield Removal(
            CORRECTIONS,
            f"correction {correction.id} {excerpt(correction.correct)}",
            f"finished, and older than {days} days; it still applies",
            next((path for path in books if head in shelved.files[path]), ""),
        )


def _proposed(removal: Removal) -> Proposed:
    now_in = f"; now in {removal.now_at}" if removal.now_at else ""
    what = f"{removal.what}: " if removal.what else ""
    return Proposed(removal.path, "removed", f"{what}{removal.why}{now_in}", (removal.path,))


class ToldNote(NamedTuple):
    """A note whose chapter is in a book, "" if it says nothing; and the lines that stay in its
    file.
    """

    note: Note
    book: str
    left: str


def chronicle(note: Note) -> str:
    return f"Archive/Chronicles/{note.month}.md"


def quarterly(note: Note) -> str:
    return f"memory/archive/{note.quarter}.md"


def compact(
    draft: Draft, notes: Iterable[Note], book_of: Callable[[Note], str]
) -> tuple[list[ToldNote], list[Skipped]]:
    """Writes these notes, oldest first, into their books. Returns those that could not be, too.

    Their files stay as they are: see `take_away`.
    """
    told: list[ToldNote] = []
    skipped: list[Skipped] = []
    # The notes are sorted by date, so those of one book are together, as `groupby` needs.
    for book, group in groupby(notes, book_of):
        old, chapters = draft.read(book), list[Chapter]()
        size = len(exact_bytes(old))
        for note in group:
            text = draft.read(note.path)
            split = parted(text)
            if split.left and not split.tells:
                continue
            new = chapter(note, split.told)
            grows = 0 if f"## {new.title}\n" in old else len(exact_bytes(new.body))
            if why := _unfit(text, split, book, new.body):
                skipped.append(Skipped(note.path, why))
            elif size + grows > LARGEST:
                skipped.append(Skipped(note.path, f"{book} would grow over {LARGEST:,} bytes"))
            else:
                size += grows
                chapters += [new] if new.body else []
                told.append(ToldNote(note, book if new.body else "", split.left or ""))
        if chapters:
            title = book.rpartition("/")[2].removesuffix(".md")
            draft.put(book, extended(old, title, chapters))
    return told, skipped


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


def _unfit(text: str, split: Parted, book: str, body: str) -> str:
    """Why a note cannot be put into a book, "" if it can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "it is not UTF-8"
    if split.left is None:
        return "its corrections cannot be told from what stands around them"
    if not takes_more(body):
        return "it ends inside open HTML or an open fence"
    for problem in problems(book, body):
        return f"{problem.message}; {problem.hint}"
    return ""
