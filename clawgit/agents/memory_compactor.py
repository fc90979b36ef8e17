"""The Memory Compactor moves past days into chronicles, clears faint entries and files old logs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import ceil
from typing import NamedTuple

from clawgit.agents.compact_notes import CHRONICLE, QUARTERLY, compact, take_away
from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.domain.claims.conflicts import ENDED_DAYS, conflicts
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import archived as ended
from clawgit.domain.compaction.compaction import QUARTERLY_DAYS, due
from clawgit.domain.compaction.entries import fade, merge_alike
from clawgit.domain.compaction.log import PATH, Removal, excerpt, logged
from clawgit.domain.compaction.log import archived as past_years
from clawgit.domain.compaction.tidy import tidy
from clawgit.domain.corrections.correcting import archived
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction
from clawgit.domain.markdown.entry import Entry, content_key, entries, holds_entries
from clawgit.domain.markdown.sections import Filed
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.errors import counted

_FULL = 0.95
"""A notebook that uses this share of its limits is tidied, to leave room until the next run."""

_HOURS_A_DAY = 24
_MOVED = "moved, not removed: so MEMORY.md stays within what OpenClaw reads of it"


class Done(NamedTuple):
    """What a task removed, moved and filed, and what it left."""

    gone: tuple[Removal, ...] = ()
    moved: tuple[Removal, ...] = ()
    filed: tuple[Removal, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step, with a line in the log for each removal. No correction is ever removed."""
    draft = Draft(snapshot.files)
    # The order matters: the notebook is tidied after the notes, and the logs are filed by what
    # memory says after both.
    done = _together(
        _days(snapshot, draft),
        _memory(snapshot, draft),
        _corrections(snapshot, draft),
        _logs(snapshot, draft),
    )
    removals = [*done.gone, *done.moved, *done.filed]
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
    if settings.compaction_style == "off":
        return Done()
    style, age = CHRONICLE, settings.compaction_age_days
    if settings.compaction_style == "quarterly":
        style, age = QUARTERLY, QUARTERLY_DAYS
    days = max(age, ceil(settings.memory_retention_hours / _HOURS_A_DAY))
    notes = due(snapshot.files, snapshot.today, days)
    compacted = compact(draft, notes, style)
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


def _logs(snapshot: Snapshot, draft: Draft) -> Done:
    """Moves logged items that ended long ago to the archive; memory itself does not change."""
    over = ended(draft, snapshot.today, _standing(draft))
    runs = past_years(draft, snapshot.today.year)
    age = f"closed, and found over {ENDED_DAYS} days ago"
    return Done(
        filed=(
            *_filed(draft, CONFLICTS, over, "conflict", age),
            *_filed(draft, PATH, runs, "logged run", "a year that is over"),
        )
    )


def _filed(draft: Draft, path: str, log: Filed, noun: str, why: str) -> Iterator[Removal]:
    for book, text in log.books.items():
        draft.put(book, text)
    if log.counts:
        draft.put(path, log.log)
    for book, count in log.counts.items():
        yield Removal(path, counted(count, noun), why, book)


def _standing(files: Mapping[str, str]) -> set[str]:
    """The words of what memory says today, and the other files that conflicts are about."""
    logged = conflicts(files.get(CONFLICTS) or "")
    disputed = (side.path for conflict in logged for side in (conflict.a, conflict.b))
    paths = {*filter(holds_entries, files), *disputed}
    there = (entry for path in paths for entry in entries(files.get(path) or ""))
    return {content_key(entry.text) for entry in filter(_is_active, there)}


def _is_active(entry: Entry) -> bool:
    return entry.meta is None or entry.meta.status == ACTIVE


def _step(draft: Draft, ident: str, done: Done) -> Step:
    parts = [_summary(done.gone, len(done.moved)), *(f"file {log.what}" for log in done.filed)]
    removed = [_proposed(removal, "removed") for removal in done.gone]
    moved = [_proposed(removal, "moved") for removal in (*done.moved, *done.filed)]
    return Step(
        verb="compact",
        summary=", ".join(part for part in parts if part),
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
