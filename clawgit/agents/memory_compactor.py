"""The Memory Compactor: past days become chronicles, faint entries go, what ended long ago is
archived.
"""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from clawgit.agents.compact_notes import CHRONICLE, QUARTERLY, compact, take_away
from clawgit.agents.compact_telling import Teller
from clawgit.agents.contract import ChangeSet, Draft, Proposed, Skipped, Snapshot, Step
from clawgit.domain.claims.conflicts import ENDED_DAYS
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import archived as ended
from clawgit.domain.compaction.compaction import QUARTERLY_DAYS, due
from clawgit.domain.compaction.entries import fade, merge_alike
from clawgit.domain.compaction.log import PATH, Removal, excerpt, logged
from clawgit.domain.compaction.log import archived as past_years
from clawgit.domain.compaction.tidy import tidy
from clawgit.domain.corrections.correcting import archived
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.workspace.tiers import NOTEBOOKS

_FULL = 0.95
"""The share of its limits from which on a notebook is tidied: what comes until the next run needs
room."""
_HOURS_A_DAY = 24
_MOVED = "moved, not removed: the notebook is kept within what OpenClaw reads of it"


class Done(NamedTuple):
    """What one of the tasks took away, what it only moved, what of the logs it filed, and what it
    has to say.
    """

    gone: tuple[Removal, ...] = ()
    moved: tuple[Removal, ...] = ()
    filed: tuple[Removal, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


def propose(snapshot: Snapshot) -> ChangeSet:
    """One step, in whose log each removal has a line. Nothing that is or may be a correction is
    taken away.
    """
    draft = Draft(snapshot.files)
    done = [
        _days(snapshot, draft),
        _memory(snapshot, draft),
        _corrections(snapshot, draft),
        _logs(snapshot, draft),
    ]
    gone = [removal for one in done for removal in one.gone]
    moved = [removal for one in done for removal in one.moved]
    filed = [removal for one in done for removal in one.filed]
    ident = snapshot.fresh_id("compaction", draft.read(PATH))
    if gone or moved or filed:
        draft.put(
            PATH,
            logged(draft.read(PATH), ident, snapshot.now, [*gone, *moved, *filed], snapshot.head),
        )
    skipped = tuple(one for task in done for one in task.skipped)
    notes = tuple(note for task in done for note in task.notes)
    steps = (_step(draft, ident, gone, moved, filed),) if gone or moved or filed else ()
    return ChangeSet(steps, skipped, notes)


def _days(snapshot: Snapshot, draft: Draft) -> Done:
    """Notes are told, then taken away. What the slot of recent memory still looks at stays,
    whatever the settings.
    """
    settings = snapshot.settings
    if settings.compaction_style == "off":
        return Done()
    quarterly = settings.compaction_style == "quarterly"
    wanted = QUARTERLY_DAYS if quarterly else settings.compaction_age_days
    days = max(wanted, ceil(settings.memory_retention_hours / _HOURS_A_DAY))
    teller = Teller(snapshot.mind) if snapshot.mind and not quarterly else None
    found = compact(
        draft, due(snapshot.files, snapshot.today, days), QUARTERLY if quarterly else CHRONICLE,
        teller.tell if teller else None,
    )  # fmt: skip
    gone = tuple(take_away(draft, found.told, f"older than {days} days"))
    return Done(gone, skipped=found.skipped, notes=tuple(teller.notes) if teller else ())


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
            Removal(path, excerpt(one.text.removeprefix("- ")), _MOVED, one.target)
            for one in tidied.moved
        ]
        for target, text in {**tidied.files, path: tidied.text}.items():
            draft.put(target, text)
    return Done(tuple(gone), tuple(moved))


def _corrections(snapshot: Snapshot, draft: Draft) -> Done:
    days = snapshot.settings.correction_archive_days
    found = archived(snapshot.files, snapshot.today, days)
    for path, text in found.files.items():
        draft.put(path, text)
    why = f"taken in, and older than {days} days; it still wins"
    return Done(tuple(_moved(one, found.files, why) for one in found.moved))


def _moved(one: Correction, files: Mapping[str, str], why: str) -> Removal:
    book = next(
        (path for path, text in files.items() if path != CORRECTIONS and f"## {one.id} ·" in text),
        "",
    )
    return Removal(CORRECTIONS, f"correction {one.id} {excerpt(one.correct)}", why, book)


def _logs(snapshot: Snapshot, draft: Draft) -> Done:
    """What ended long ago leaves the logs, and no memory changes by it."""
    done = []
    conflicts, runs = (
        ended(draft, snapshot.today, _standing(draft)),
        past_years(draft, snapshot.today.year),
    )
    for path, found, what, why in (
        (CONFLICTS, conflicts, "conflict", f"ended, and found over {ENDED_DAYS} days ago"),
        (PATH, runs, "logged run", "a year that is over"),
    ):
        for book, text in found.books.items():
            draft.put(book, text)
        if found.counts:
            draft.put(path, found.log)
        done += [
            Removal(path, _counted(count, what), why, book) for book, count in found.counts.items()
        ]
    return Done(filed=tuple(done))


def _standing(files: Mapping[str, str]) -> set[str]:
    """What memory says today, by the words."""
    there = (entry for path in files if holds_entries(path) for entry in entries(files[path]))
    return {
        content_key(entry.text) for entry in there if not entry.meta or entry.meta.status == ACTIVE
    }


def _step(
    draft: Draft, ident: str, gone: list[Removal], moved: list[Removal], filed: list[Removal]
) -> Step:
    return Step(
        verb="compact",
        summary=", ".join(
            filter(None, (_summary(gone, len(moved)), *(f"file {one.what}" for one in filed)))
        ),
        reason=f"Each stands in {PATH} under {ident}, with the commit that still has its text.",
        evidence=(f"{PATH}#{ident}",),
        edits=draft.edits,
        proposed=(
            *(_proposed(one, "removed") for one in gone),
            *(_proposed(one, "moved") for one in (*moved, *filed)),
        ),
    )


def _summary(gone: list[Removal], moved: int) -> str:
    notes = sum(not one.what for one in gone)
    corrections = sum(one.path == CORRECTIONS for one in gone)
    entries = len(gone) - notes - corrections
    said = (
        (notes, f"tell {notes:,} {'note' if notes == 1 else 'notes'} again"),
        (entries, f"clear {entries:,} {'entry' if entries == 1 else 'entries'} away"),
        (moved, f"move {moved:,} {'entry' if moved == 1 else 'entries'} to topic files"),
        (
            corrections,
            f"archive {corrections:,} {'correction' if corrections == 1 else 'corrections'}",
        ),
    )
    return ", ".join(words for count, words in said if count)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what if count == 1 else f'{what}s'}"


def _proposed(removal: Removal, kind: str) -> Proposed:
    told = f"; now in {removal.told}" if removal.told else ""
    return Proposed(
        removal.path, kind, f"{removal.what or removal.path}: {removal.why}{told}", (removal.path,)
    )
