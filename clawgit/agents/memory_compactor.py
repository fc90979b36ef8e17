"""The Memory Compactor moves past days into chronicles, clears faint entries, and archives
corrections that were taken in.

No correction is ever removed. What was superseded stays too, so that an old fact is recognised when
it comes again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from math import ceil

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot
from clawgit.core import NamedTuple
from clawgit.core.config.settings import Settings
from clawgit.core.errors import counted
from clawgit.core.markdown.comment import ACTIVE
from clawgit.core.markdown.entry import Entry, entries, problems, removed, with_meta
from clawgit.core.markdown.scan import takes_more
from clawgit.core.markdown.tag_table import CORRECTION_TAG, tags_in
from clawgit.core.tiers import NOTEBOOKS, Note
from clawgit.memory.rules.compaction import (
    PATH,
    Parted,
    Removal,
    chapter,
    due,
    excerpt,
    extended,
    logged,
    month_of,
    parted,
)
from clawgit.memory.rules.confidence import confidence, is_correction, written
from clawgit.memory.rules.overlaps import ALIKE_FACTS, Overlaps, may_merge
from clawgit.talk.rules.corrections import CORRECTIONS, archived

FAINT = 0.3
"""The confidence below which an entry may go."""

SILENT_DAYS = 60
"""Days without a mention after which it may go."""

_ANY = frozenset({"Memory", "Decisions", "Knowledge", "Skills", "Events"})
"""Headings that only say what kind of entry it is, as its tag does."""

_HOURS_A_DAY = 24


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step, with a line in the log for each removal."""
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
    steps = draft.step(
        "compact",
        ", ".join(words for count, words in parts if count),
        f"Each is listed in {PATH} under {ident}, with the commit that still has its text.",
        map(_proposed, gone),
        (f"{PATH}#{ident}",),
    )
    return ChangeSet(steps, tuple(skipped))


def _days(snapshot: Snapshot, draft: Draft) -> tuple[list[Removal], list[Skipped]]:
    """Moves notes of past days into chronicles, but for those that the context still shows."""
    settings = snapshot.settings
    if not settings.compaction_age_days:
        return [], []
    days = max(settings.compaction_age_days, ceil(settings.memory_retention_hours / _HOURS_A_DAY))
    told, skipped = compact(draft, due(snapshot.files, snapshot.today, days), chronicle)
    return [*take_away(draft, told, f"older than {days} days")], skipped


def _memory(snapshot: Snapshot, draft: Draft) -> list[Removal]:
    """What went from the notebooks."""
    gone: list[Removal] = []
    for path in filter(draft.__contains__, NOTEBOOKS):
        text, faded = fade(path, draft.read(path), snapshot.settings, snapshot.today)
        text, joined = merge_alike(path, text, snapshot.settings)
        draft.put(path, text)
        gone += [*faded, *joined]
    return gone


def _corrections(snapshot: Snapshot, draft: Draft) -> Iterator[Removal]:
    days = snapshot.settings.correction_archive_days
    shelved = archived(snapshot.files, snapshot.today, days)
    draft.update(shelved.files)
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


class GatheredNote(NamedTuple):
    """A note that is old enough, and the archive it goes to, "" if it says nothing.

    `new`: the archive lacked some of it; `kept`: its corrections stay in its file.
    """

    path: str
    day: date
    archive: str
    new: bool
    kept: bool


def chronicle(note: Note) -> str:
    return f"Archive/Chronicles/{month_of(note.day)}.md"


def quarterly(note: Note) -> str:
    return f"memory/archive/{note.day.year:04}-Q{(note.day.month + 2) // 3}.md"


def compact(
    draft: Draft, notes: Iterable[Note], book_of: Callable[[Note], str]
) -> tuple[list[GatheredNote], list[Skipped]]:
    """Writes these notes, oldest first, into their books. Returns those that could not be, too.

    Their files stay as they are: see `take_away`.
    """
    gathered: list[GatheredNote] = []
    skipped: list[Skipped] = []
    # The notes are sorted by date, so those of one book are together, as `groupby` needs.
    for book, group in groupby(notes, book_of):
        before, told = draft.read(book), list[tuple[Note, Parted, str]]()
        for note in group:
            text = draft.read(note.path)
            split = parted(text)
            body = chapter(note, split.told)
            if split.left and not split.tells:
                continue
            if why := _unfit(text, split, book, body):
                skipped.append(Skipped(note.path, why))
            else:
                told.append((note, split, body))
        title = book.rpartition("/")[2].removesuffix(".md")
        chapters = [(note.heading, body) for note, _, body in told if body]
        after = extended(before, title, chapters) if chapters else before
        if after != before:
            draft.put(book, after)
        for note, split, body in told:
            archive, is_new = (book, after != before) if body else ("", False)
            gathered.append(GatheredNote(note.path, note.day, archive, is_new, bool(split.left)))
    return gathered, skipped


def take_away(draft: Draft, gathered: Iterable[GatheredNote], why: str) -> Iterator[Removal]:
    """Deletes the files of notes that are in a book now. Lines of corrections stay in place."""
    for note in gathered:
        reason = why if note.archive else f"{why}, and it said nothing"
        if note.kept:
            draft.put(note.path, parted(draft.read(note.path)).left or "")
            reason += "; its #correction lines stay"
        else:
            draft.put(note.path, None)
        yield Removal(note.path, "", reason, note.archive)


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
        return f"{problem.why}; {problem.remedy}"
    return ""


def fade(path: str, text: str, dynamics: Settings, today: date) -> tuple[str, list[Removal]]:
    """The file without entries that are faint and were not mentioned for long.

    Two kinds stay: an entry without a comment, because it was written by hand, and one that another
    entry names as its successor.
    """
    gone: list[Removal] = []
    for entry in reversed(_touchable(text)):  # from the end, so that the lines of the others stay
        last, sure = entry.facts.last, confidence(entry.meta, dynamics, today)
        if sure < FAINT and last and (today - last).days >= SILENT_DAYS:
            text = removed(text, entry)
            why = f"confidence {written(sure)}, last mentioned {last}"
            gone.append(Removal(path, f"{excerpt(entry.text)} ({entry.key})", why))
    return text, gone[::-1]


def merge_alike(path: str, text: str, dynamics: Settings) -> tuple[str, list[Removal]]:
    """The file with each two entries that say the same made one: the upper one stays, and counts
    the mentions of both.

    Two that differ in anything with a meaning stay two, however alike they are, and so does a line
    with any comment but clawgit's own.
    """
    gone: list[Removal] = []
    while pair := _alike(_touchable(text)):
        stays, goes = pair
        meta, old = stays.facts, goes.facts
        if days := [*filter(None, (meta.first, meta.last, old.first, old.last))]:
            # Both on one day: confidence fades, so two of different days could not be compared.
            sure = max(confidence(each, dynamics, max(days)) for each in (meta, old))
            meta = meta.having("conf", written(sure))
            meta = meta.having("first", str(min(days))).having("last", str(max(days)))
        meta = meta.having("n", str(meta.n + old.n)).citing(*old.evidence)
        text = removed(with_meta(text, stays, meta), goes)
        why = f"says the same as {excerpt(stays.text)} ({meta.id}), which counts its mentions now"
        gone.append(Removal(path, f"{excerpt(goes.text)} ({goes.key})", why, path))
    return text, gone


def _touchable(text: str) -> list[Entry]:
    """The entries that hygiene may touch: clawgit's own, and no correction, nothing that was
    replaced or that replaces another, and nothing with lines nested in it.
    """
    needed = {entry.facts.by for entry in entries(text)}
    return [entry for entry in entries(text) if entry.key not in needed and _is_plain(entry)]


def _is_plain(entry: Entry) -> bool:
    if entry.meta is None or entry.status != ACTIVE or "\n" in entry.text:
        return False
    return CORRECTION_TAG not in tags_in(entry.raw) and not is_correction(entry)


def _alike(candidates: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """The first two that may become one: another heading, category or time means another thing."""
    index = Overlaps()
    for entry in candidates:
        is_ours = entry.facts.id and entry.raw.count("<!--") == 1
        for at in sorted(index.over(entry.text, ALIKE_FACTS)) if is_ours else ():
            other = candidates[at]
            if _setting(other) == _setting(entry) and may_merge(other.text, entry.text):
                return other, entry
        # Only now, so that each entry is compared with those before it.
        index.add(entry.text if is_ours else "")
    return None


def _setting(entry: Entry) -> tuple[object, ...]:
    titles = tuple(title for title in entry.under if title not in _ANY)
    return titles, entry.primary, entry.facts.class_, entry.facts.expires
