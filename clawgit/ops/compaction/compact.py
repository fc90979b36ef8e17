"""`memory compact`: notes of past days gathered by quarter, and what follows a run of the Memory
Compactor.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from clawgit.agents.compact_notes import QUARTERLY, Compacted, compact, take_away
from clawgit.agents.contract import Draft, Skipped
from clawgit.domain.change.history import Intent
from clawgit.domain.compaction.compaction import QUARTERLY_DAYS, due
from clawgit.domain.compaction.log import PATH, Removal, logged
from clawgit.domain.markdown.comment import ENTRY_IDS, entry_id
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.change.changes import described
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.index.discover import discover


@dataclass(frozen=True, slots=True)
class Gathered:
    """A note that is old enough: in which archive it stands, or would. `new`: the archive lacks
    something of it; `kept`: its corrections stay in its file.
    """

    path: str
    day: date
    archive: str
    new: bool
    kept: bool


@dataclass(frozen=True, slots=True)
class QuarterlyCompaction:
    """`notes` are all that are old enough and have anything to tell, `removed` those whose text is
    in the archive alone now. Not `applied`, it is a preview: the `preview` is the diff of what
    would change.
    """

    notes: tuple[Gathered, ...]
    removed: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    applied: bool
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False
    preview: str = ""


def compact_quarterly(
    workspace: Workspace, *, days: int = QUARTERLY_DAYS, remove: bool = False, dry_run: bool = True
) -> QuarterlyCompaction:
    """Gathers the notes that are more than so many days old in `memory/archive/YYYY-Qn.md`,
    corrections left out. With `remove` the notes go, by the same commit; each stands in
    COMPACTION_LOG.md. A second time changes nothing.
    """
    if remove and not dry_run:
        workspace.git.snapshot(
            workspace.now
        )  # so that the log can name a commit that has each note
    intent = Intent(
        actor=workspace.caller.actor,
        verb="compact",
        summary=f"gather notes of more than {days} days ago by quarter",
        reason=f"Each removal stands in {PATH}."
        if remove
        else "The notes stay; the search shows a line once.",
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        paths = sorted(discover(memory_of(workspace)))
        draft = Draft(_Lying(tx, paths))
        found = compact(draft, due(paths, workspace.today, days), QUARTERLY)
        books = {edit.path for edit in draft.edits}
        gone = _removed(workspace, draft, found, days) if remove else []
        for edit in draft.edits:
            if edit.after is None:
                tx.delete(edit.path)
            else:
                tx.put(edit.path, edit.after)
    return _answer(tx, found, books, gone, dry_run=dry_run)


def follow_up(workspace: Workspace, ended: Ended) -> Followed:
    """The soul's history, compacted: a version a day for a while, then one a month. Only refs go,
    and never history.
    """
    from clawgit.ops.soul.snapshots import prune  # noqa: PLC0415 - only a run of the compactor needs it

    gone = prune(Workspace(workspace.place, replace(workspace.caller, now=ended.clock()))).pruned
    kept = "version of the soul has" if len(gone) == 1 else "versions of the soul have"
    return Followed((f"{len(gone)} old {kept} no ref of their own any more.",) if gone else ())


class _Lying(Mapping[str, str]):
    """The files as they lie there, each read when asked for, through the transaction that will
    change them.
    """

    def __init__(self, tx: Transaction, paths: list[str]) -> None:
        self._tx, self._paths = tx, paths

    def __getitem__(self, path: str) -> str:
        text = self._tx.read(path)
        if text is None:
            raise KeyError(path)
        return text.decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _removed(workspace: Workspace, draft: Draft, found: Compacted, days: int) -> list[Removal]:
    gone = list(take_away(draft, found.told, f"older than {days} days"))
    if gone:
        log = draft.read(PATH)
        head = workspace.git.head().oid or ""
        ident = next(one for one in map(entry_id, _draws(workspace)) if one not in log)
        draft.put(PATH, logged(log, ident, workspace.now, gone, head))
    return gone


def _draws(workspace: Workspace) -> Iterator[int]:
    """Numbers for an id, the same at the same moment: so a preview shows what will be written."""
    first = int(workspace.now.timestamp() * 1000)
    return ((first + number) * _SPREAD % ENTRY_IDS for number in range(1000))


def _answer(
    tx: Transaction, found: Compacted, books: set[str], gone: list[Removal], *, dry_run: bool
) -> QuarterlyCompaction:
    done = described(tx, dry_run=dry_run)
    return QuarterlyCompaction(
        notes=tuple(
            Gathered(one.note.path, one.note.day, one.book, one.book in books, bool(one.left))
            for one in found.told
        ),
        removed=tuple(one.path for one in gone),
        skipped=found.skipped,
        applied=not dry_run,
        commit=done.commit,
        id=done.id,
        changed=done.changed,
        snapshots=done.snapshots,
        alerts=done.alerts,
        held=done.held,
        warnings=done.warnings,
        dry_run=dry_run,
        preview=done.preview,
    )


_SPREAD = 48271
