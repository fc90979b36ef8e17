"""`memory compact`: notes of past days gathered by quarter; and the follow-up of the compactor."""

from dataclasses import dataclass
from datetime import date
from itertools import count

from clawgit.agents.contract import Draft, Skipped
from clawgit.agents.memory_compactor import ToldNote, compact, quarterly, take_away
from clawgit.domain.change.history import Intent
from clawgit.domain.markdown.decoding import exact_text
from clawgit.domain.markdown.entry import id_from
from clawgit.domain.upkeep.compaction import due
from clawgit.domain.upkeep.log import PATH, Removal, logged
from clawgit.ops.change.described import Change, described
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.discover import discover

QUARTERLY_DAYS = 90
"""The age at which the quarterly compaction takes a note, unless another is asked for."""


@dataclass(frozen=True, slots=True)
class GatheredNote:
    """A note that is old enough, and the archive it goes to.

    `new`: the archive lacks some of it; `kept`: its corrections stay in its file.
    """

    path: str
    day: date
    archive: str
    new: bool
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarterlyCompaction(Change):
    """`notes` are all old notes with text; `removed` are those that are now in the archive only.

    If it was not `applied`, `preview` is the diff of what would change.
    """

    notes: tuple[GatheredNote, ...]
    removed: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    applied: bool


def compact_quarterly(
    workspace: Workspace, *, days: int = QUARTERLY_DAYS, remove: bool = False, dry_run: bool = True
) -> QuarterlyCompaction:
    """Gathers notes more than `days` old in `memory/archive/YYYY-Qn.md`, without corrections.

    With `remove` the notes are deleted in the same commit, and each is listed in
    COMPACTION_LOG.md. A second time changes nothing.
    """
    if remove and not dry_run:
        # First a snapshot, so that the log can name a commit that has each note.
        workspace.git.snapshot(workspace.now)
    reason = "The notes stay; the search shows a line once."
    if remove:
        reason = f"Each removal is listed in {PATH}."
    intent = Intent(
        actor=workspace.caller.actor,
        verb="compact",
        summary=f"gather notes older than {days} days by quarter",
        reason=reason,
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        notes = due(discover(memory_of(workspace)), workspace.today, days)
        needed = {PATH, *(note.path for note in notes), *map(quarterly, notes)}
        draft = Draft(
            {path: exact_text(data) for path in needed if (data := tx.read(path)) is not None}
        )
        told, skipped = compact(draft, notes, quarterly)
        # This comes before the removals, which edit other files.
        books = {edit.path for edit in draft.edits}
        gone = _removed(workspace, draft, told, days) if remove else []
        for edit in draft.edits:
            tx.put(edit.path, edit.after)
    return described(
        tx,
        QuarterlyCompaction,
        dry_run=dry_run,
        notes=tuple(
            GatheredNote(
                done.note.path, done.note.day, done.book, done.book in books, bool(done.left)
            )
            for done in told
        ),
        removed=tuple(removal.path for removal in gone),
        skipped=tuple(skipped),
        applied=not dry_run,
    )


def _removed(workspace: Workspace, draft: Draft, told: list[ToldNote], days: int) -> list[Removal]:
    gone = list(take_away(draft, told, f"older than {days} days"))
    if gone:
        log = draft.read(PATH)
        head = workspace.git.head().oid or ""
        # The same at the same moment, so that a preview shows the final id.
        seeds = (f"{workspace.now.isoformat()}\0{number}" for number in count())
        ident = next(ident for ident in map(id_from, seeds) if ident not in log)
        draft.put(PATH, logged(log, ident, workspace.now, gone, head))
    return gone
