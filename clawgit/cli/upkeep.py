"""`memory promote`, `compact` and `tidy`: the upkeep of memory; each previews unless --apply is
given.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import Answer, Share, apply_option, command, dry_run_option, option
from clawgit.cli.loading import load
from clawgit.cli.opening import in_workspace
from clawgit.cli.output import counted, dim
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.ops.compaction.compact import GatheredNote, QuarterlyCompaction
    from clawgit.ops.compaction.tidy import Tidying
    from clawgit.ops.promotion.promote import Promotion, PromotionCandidate

_LINE = 100
_SHOWN = 20
"""How many notes are listed one by one."""

_FLAGGED = "flagged"


@command("promote")
@option("--days N", "Look at the last N days.  [default: 7]", type=click.IntRange(min=0))
@option(
    "--min-confidence C",
    "List and move lines of at least this confidence.  [default: 0.4 to list, 0.6 to move]",
    type=Share(),
)
@option("--frequency", "Only lines that were retrieved 3 times or more, in different sessions.")
@apply_option
@option("--target PATH", "Move all of them to this file.")
@dry_run_option
def promote(ws: Workspace, target: str, *, apply_it: bool, dry_run: bool, **typed: Any) -> Answer:
    """Move lines that should last out of the daily notes.

    They go to MEMORY.md, or to the file of their category, such as memory/legal.md, if it exists. A
    line that is there already stays in its note. Each candidate shows how its confidence was
    computed. A line that only has a word such as “launch” is flagged, and stays.

    Example: clawgit memory promote --days 30 --apply
    """
    to = target and in_workspace(ws, target)
    wish = load("clawgit.ops.promotion.promote:PromotionWish")(**typed, target=to)
    promote_now = load("clawgit.ops.promotion.promote:promote")
    return promote_now(ws, wish, dry_run=dry_run or not apply_it), _promotion_text


@command("compact")
@option(
    "--days N",
    "Gather notes that are more than N days old.",
    type=click.IntRange(min=0),
    default=90,
    show_default=True,
)
@apply_option
@option("--remove", "Remove the gathered notes; #correction lines stay.")
@dry_run_option
def compact(ws: Workspace, days: int, *, apply_it: bool, remove: bool, dry_run: bool) -> Answer:
    """Gather old daily notes into an archive for each quarter.

    The archives in memory/archive/ are searched like the notes; a line that is in both is shown
    once. A removed note is listed in COMPACTION_LOG.md, and restore or undo brings it back.

    Example: clawgit memory compact --days 60 --apply --remove
    """
    gather = load("clawgit.ops.compaction.compact:compact_quarterly")
    done = gather(ws, days=days, remove=remove, dry_run=dry_run or not apply_it)
    return done, _compact_text


@command("tidy")
@apply_option
@dry_run_option
def tidy(ws: Workspace, *, apply_it: bool, dry_run: bool) -> Answer:
    """Keep MEMORY.md short by moving detail into topic files.

    Nothing moves while it has at most 200 lines and 20,000 characters, which is what OpenClaw reads
    of it. Recent decisions and the most certain entries move late, corrections last. A line such as
    `Billing: 12 facts` says where the rest is, and the search finds it there.

    Example: clawgit memory tidy --apply
    """
    done = load("clawgit.ops.compaction.tidy:tidy_notebook")(ws, dry_run=dry_run or not apply_it)
    return done, _tidying_text


def _promotion_text(done: "Promotion") -> str:
    rows = [row for candidate in done.candidates for row in _rows(candidate)]
    stays = [f"stays  {stay.path}:{stay.startLine}: {stay.why[0]}" for stay in done.left]
    closing = _promoted(done)
    return "\n".join([*rows, *map(dim, stays), *done.held, closing])


def _rows(candidate: "PromotionCandidate") -> list[str]:
    text = in_a_line(candidate.text, _LINE)
    how = "flagged for" if candidate.action == _FLAGGED else "→"
    move = f"{candidate.path}:{candidate.startLine} {how} {candidate.target}"
    return [
        f"{candidate.confidence:.2f}  {candidate.category:<12}  {text}",
        dim(f"      {move}; {', '.join(candidate.why)}"),
    ]


def _promoted(done: "Promotion") -> str:
    flagged = sum(candidate.action == _FLAGGED for candidate in done.candidates)
    count = len(done.candidates) - flagged
    more = f"; {counted(flagged, 'more line')} flagged: --min-confidence 0.4" if flagged else ""
    if done.commit:
        return f"written: {output.ident(done.id or '')}  promoted {counted(count, 'line')}{more}"
    if done.held:
        return "it waits for the operator"
    if not count:
        return f"Nothing is certain enough to be promoted{more}" if more else "Nothing to promote."
    return f"{counted(count, 'line')} would be promoted{more}"


def _compact_text(done: "QuarterlyCompaction") -> str:
    if not done.notes and not done.skipped:
        return "No note is old enough."
    rows = [f"left alone  {left.what}: {left.why}" for left in done.skipped]
    rows += _new_rows([note for note in done.notes if note.new])
    rows += done.held
    return "\n".join([*rows, _gathered(done)])


def _new_rows(new: "list[GatheredNote]") -> list[str]:
    """A row for each newly gathered note; only a count after the first `_SHOWN`."""
    rows = [_note_row(note) for note in new[:_SHOWN]]
    if len(new) > _SHOWN:
        rows.append(dim(f"… and {len(new) - _SHOWN:,} more"))
    return rows


def _note_row(note: "GatheredNote") -> str:
    kept = dim("  its corrections stay") if note.kept else ""
    return f"{note.path} → {note.archive}{kept}"


def _gathered(done: "QuarterlyCompaction") -> str:
    notes = counted(len(done.notes), "note")
    if done.applied and done.commit:
        ident = output.ident(done.id or "")
        removed = f", {len(done.removed):,} removed" if done.removed else ""
        return f"written: {ident}  gathered {notes}{removed}"
    if done.applied or not done.changed:
        return f"{notes}, all already gathered"
    removed = " and removed" if done.removed else ""
    return f"{notes} would be gathered{removed}"


def _tidying_text(done: "Tidying") -> str:
    before = f"{done.path}: {done.before.lines:,} lines, {done.before.characters:,} characters"
    if not done.moved:
        return f"{before}: " + (
            "nothing to tidy" if done.enough else "too long, but nothing in it may move"
        )
    counted = Counter(piece.target for piece in done.moved)
    rows = [f"  {count:>4} → {path}" for path, count in sorted(counted.items())]
    after = f"{done.after.lines:,} lines, {done.after.characters:,} characters"
    left = [] if done.enough else ["What is left must stay, and is still too long."]
    return "\n".join([f"{before} → {after}", *rows, *left, *done.held, _tidied(done)])


def _tidied(done: "Tidying") -> str:
    counted = output.counted(len(done.moved), "piece")
    if done.commit:
        return f"written: {output.ident(done.id or '')}  moved {counted}"
    return "it waits for the operator" if done.held else f"{counted} would be moved"
