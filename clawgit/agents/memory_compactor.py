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
from clawgit.domain.markdown.decoding import exact_bytes
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
    told, skipped = compact(draft, due(snapshot.files, snapshot.today, days), chronicle)
    gone = tuple(take_away(draft, told, f"older than {days} days"))
    return Done(gone, skipped=tuple(skipped))


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
        return "it ends inside unclosed HTML"
    for problem in problems(book, body):
        return f"{problem.message}; {problem.hint}"
    return ""
