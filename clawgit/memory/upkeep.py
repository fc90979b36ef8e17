"""`memory promote`: finds lines of daily notes that should last, explains and moves them; `memory
tidy`: keeps MEMORY.md within what OpenClaw reads; `memory compact`: gathers old notes by quarter.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date

from clawgit.agents.contract import Draft, Skipped
from clawgit.agents.memory_compactor import GatheredNote, compact, quarterly, take_away
from clawgit.core import NamedTuple
from clawgit.core.errors import BusyError, ClawgitError, PathRefusedError, UsageError, counted
from clawgit.core.markdown.decoding import exact_text
from clawgit.core.markdown.entry import (
    NOTEBOOK_CHARACTERS,
    NOTEBOOK_LINES,
    MovedBlock,
    fits,
    holds_entries,
    id_from,
)
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.core.tiers import CORE, note_of, tier
from clawgit.git.transaction import Change, Transaction
from clawgit.git.worktree import read_file, relative_path
from clawgit.memory.rules import tidy as rules
from clawgit.memory.rules.compaction import PATH, Removal, due, logged
from clawgit.memory.rules.promotion import (
    LEFT,
    MOVED,
    SURE,
    THRESHOLD,
    PromotionCandidate,
    PromotionPlan,
    Retrieved,
    Terms,
    Weighed,
    plan,
    units,
    weigh,
)
from clawgit.safety.correction_files import logs
from clawgit.safety.doubted import doubted
from clawgit.search.stores.access import frequent
from clawgit.talk.rules.corrections import all_corrections
from clawgit.workspace.reach import memory_paths
from clawgit.workspace.rules.routing import notebook_of
from clawgit.workspace.workspace import Workspace


class QuarterlyCompaction(NamedTuple):
    """`notes` are all old notes with text; `removed` are those that are now in the archive only.

    If it was not `applied`, `preview` is the diff of what would change.
    """

    change: Change
    notes: tuple[GatheredNote, ...]
    removed: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    applied: bool


def compact_quarterly(
    workspace: Workspace, *, days: int, remove: bool = False
) -> QuarterlyCompaction:
    """Gathers notes more than `days` old in `memory/archive/YYYY-Qn.md`, without corrections.

    With `remove` the notes are deleted in the same commit, and each is listed in
    COMPACTION_LOG.md. A second time changes nothing.
    """
    if remove and not workspace.dry_run:
        # First a snapshot, so that the log can name a commit that has each note.
        workspace.git.snapshot(workspace.now)
    reason = "The notes stay; the search shows a line once."
    if remove:
        reason = f"Each removal is listed in {PATH}."
    with workspace.change(
        "compact", f"gather notes older than {days} days by quarter", reason
    ) as tx:
        notes = due(memory_paths(workspace), workspace.today, days)
        needed = {PATH, *(note.path for note in notes), *map(quarterly, notes)}
        draft = Draft(
            {path: exact_text(data) for path in needed if (data := tx.read(path)) is not None}
        )
        gathered, skipped = compact(draft, notes, quarterly)
        gone = _removed(workspace, draft, gathered, days) if remove else []
        for edit in draft.edits:
            tx.put(edit.path, edit.after)
    return QuarterlyCompaction(
        tx.outcome,
        notes=tuple(gathered),
        removed=tuple(removal.path for removal in gone),
        skipped=tuple(skipped),
        applied=not workspace.dry_run,
    )


def _removed(
    workspace: Workspace, draft: Draft, gathered: list[GatheredNote], days: int
) -> list[Removal]:
    gone = list(take_away(draft, gathered, f"older than {days} days"))
    if gone:
        log = draft.read(PATH)
        head = workspace.git.tip or ""
        # The same at the same moment, so that a preview shows the final id.
        ident = id_from(workspace.now.isoformat())
        draft.put(PATH, logged(log, ident, workspace.now, gone, head))
    return gone


class Size(NamedTuple):
    lines: int
    characters: int


class Tidying(NamedTuple):
    """`path` is the notebook, `before` and `after` its size, `limit` the largest size that it may
    have. `enough` is false if what must stay in the notebook is over the limit by itself.
    """

    change: Change
    path: str
    before: Size
    after: Size
    limit: Size
    enough: bool
    moved: tuple[MovedBlock, ...]


def tidy_notebook(workspace: Workspace) -> Tidying:
    """Moves detail out of MEMORY.md by one commit if it is over its limits; previews by default.

    A second time changes nothing.
    """
    paths = memory_paths(workspace)
    notebook = notebook_of(paths)
    with workspace.change(
        "tidy",
        f"move detail of {notebook} into topic files",
        f"It is kept under {NOTEBOOK_LINES} lines and {NOTEBOOK_CHARACTERS:,} characters.",
    ) as tx:
        before = tx.read_text(notebook)
        topics = {} if fits(before) else dict(_topics(tx, paths))
        done = rules.tidy(before, topics)
        _put(tx, notebook, done)
    return Tidying(
        tx.outcome,
        path=notebook,
        before=_size(before),
        after=_size(done.text),
        limit=Size(NOTEBOOK_LINES, NOTEBOOK_CHARACTERS),
        enough=fits(done.text),
        moved=done.moved,
    )


def make_room(workspace: Workspace, tx: Transaction, notebook: str) -> tuple[MovedBlock, ...]:
    """Moves what no longer fits out of a notebook that this transaction changes; returns it."""
    before, after = exact_text(tx.edits[notebook].before), tx.read_text(notebook)
    topics = dict(_topics(tx, memory_paths(workspace)))
    done = rules.tidy(after, topics, before)
    _put(tx, notebook, done)
    return done.moved


def _put(tx: Transaction, notebook: str, done: rules.Tidied) -> None:
    if done.moved:
        for path, text in {**done.files, notebook: done.text}.items():
            tx.put(path, text)


def _topics(tx: Transaction, paths: list[str]) -> Iterator[tuple[str, str]]:
    """The topic files that have any text, but for those that cannot be read, and so not written."""
    for path in paths:
        with suppress(PathRefusedError):
            if tier(path) == CORE and "/" in path and (text := tx.read_text(path)):
                yield path, text


def _size(text: str) -> Size:
    return Size(len(text.splitlines()), len(text))


DAYS = 7
_LINE = 120


class PromotionWish(NamedTuple):
    """Which notes are read, and which lines count.

    A line must reach `min_confidence` to be listed, and to be moved; by default moving takes more
    than listing. `frequency`: only lines that are retrieved often, in notes of any age unless
    `days` is set. `target` is the file for all lines, "" for the usual ones.
    """

    days: int | None = None
    min_confidence: float | None = None
    frequency: bool = False
    target: str = ""


class DigestSection(NamedTuple):
    """What another part of clawgit adds to a digest, one line for each thing."""

    title: str
    lines: tuple[str, ...]


class Promotion(NamedTuple):
    """`applied` is empty in a preview, whose `preview` is the diff of what would change."""

    change: Change
    candidates: tuple[PromotionCandidate, ...]
    applied: tuple[PromotionCandidate, ...]
    left: tuple[PromotionCandidate, ...]


_EVERYTHING = PromotionWish()


def promote(workspace: Workspace, wish: PromotionWish = _EVERYTHING) -> Promotion:
    """Moves the candidates to MEMORY.md or the file of their category by one commit.

    It previews by default. A second time finds nothing left to move.
    """
    files, made = _planned(workspace, wish)
    gone = [each for each in made.decided if each.action == MOVED]
    with workspace.change(
        "promote",
        f"promote {counted(len(gone), 'line')} of daily notes",
        "\n".join(
            f"{each.evidence} to {each.target}: {each.category} {each.confidence:.2f}"
            for each in gone
        ),
        tuple(each.evidence for each in gone),
    ) as tx:
        for path, text in made.files.items():
            # The file may have changed since its lines were weighed.
            if exact_text(tx.read(path)) != files.get(path, ""):
                raise BusyError(
                    f"{path} changed meanwhile.", hint="Run this again. Nothing was changed."
                )
            tx.put(path, text)
    return Promotion(
        tx.outcome,
        candidates=tuple(each for each in made.decided if each.action != LEFT),
        applied=tuple(gone) if tx.outcome.commit else (),
        left=tuple(each for each in made.decided if each.action == LEFT),
    )


def review_section(workspace: Workspace) -> Iterator[DigestSection]:
    """What could be promoted from the last seven days, as a section of the digest: a line for each
    candidate, the most certain first. None without candidates. Reads only.
    """
    decided = _planned(workspace, _EVERYTHING)[1].decided
    lines = tuple(
        f"[{each.category} {each.confidence:.2f}] {in_a_line(each.text, _LINE)} "
        f"({each.path}:{each.startLine})"
        for each in decided
        if each.action != LEFT
    )
    if lines:
        yield DigestSection("Could be promoted", lines)


def _planned(workspace: Workspace, wish: PromotionWish) -> tuple[dict[str, str], PromotionPlan]:
    """The files that were read, and what becomes of each line that something speaks for."""
    target = _lasting_target(workspace, wish.target)
    paths = memory_paths(workspace)
    lasting = [path for path in paths if tier(path) == CORE]
    notes = [*_due(paths, wish, workspace.today)]
    files = _texts(workspace, [*notes, *lasting])
    listed, sure = (THRESHOLD, SURE) if wish.min_confidence is None else (wish.min_confidence,) * 2
    corrections = all_corrections(logs(workspace), doubted(workspace))
    terms = Terms(workspace.local_now, target, notebook_of(lasting), corrections, sure)
    weighed = _weighed(files, notes, wish, _retrieved(workspace))
    chosen = (each for each in weighed if each.against or each.confidence >= listed)
    return files, plan(files, lasting, chosen, terms)


def _weighed(
    files: Mapping[str, str],
    notes: Iterable[str],
    wish: PromotionWish,
    retrieved: Mapping[str, Retrieved],
) -> Iterator[Weighed]:
    for path in notes:
        for unit in units(path, files.get(path, "")):
            shown = retrieved.get(unit.key, Retrieved())
            weighed = weigh(unit, shown) if shown.often or not wish.frequency else None
            if weighed:
                yield weighed


def _lasting_target(workspace: Workspace, target: str) -> str:
    """The path of the file that everything goes to; it must be a lasting one."""
    if not target:
        return ""
    path = relative_path(workspace.root, target)
    if not holds_entries(path) or tier(path) != CORE:
        raise UsageError(
            f"{path} is not a file for lasting facts.",
            hint="--target MEMORY.md, or --target memory/topic.md",
        )
    return path


def _due(paths: Iterable[str], wish: PromotionWish, today: date) -> Iterator[str]:
    days = DAYS if wish.days is None else wish.days
    is_any_age = wish.frequency and wish.days is None
    for note in filter(None, map(note_of, paths)):
        # A note with a subject is a report, or the dump of a session.
        if not note.slug and (is_any_age or (today - note.day).days <= days):
            yield note.path


def _retrieved(workspace: Workspace) -> dict[str, Retrieved]:
    """How often each entry was shown to a caller; empty if the state cannot be read."""
    with suppress(ClawgitError), workspace.state() as state:
        return {entry: Retrieved(*shown) for entry, shown in frequent(state).items()}
    return {}


def _texts(workspace: Workspace, paths: Iterable[str]) -> dict[str, str]:
    """The files as they are on disk; one that cannot be read is left out."""
    texts: dict[str, str] = {}
    for path in paths:
        with suppress(PathRefusedError):
            texts[path] = exact_text(read_file(workspace.root, path).data)
    return texts
