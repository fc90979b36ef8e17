"""`memory compact`: gathers notes of past days by quarter; previews unless --apply is given."""

from collections.abc import Sequence

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import workspace
from clawgit.cli.options import apply_option, dry_run_option
from clawgit.cli.output import counted, dim, shown
from clawgit.ops.compaction.compact import GatheredNote, QuarterlyCompaction, compact_quarterly

_SHOWN = 20
"""How many notes are listed one by one."""


@command("compact")
@click.option(
    "--days", type=click.IntRange(min=0), default=90, metavar="N", show_default=True,
    help="Gather notes that are more than N days old.",
)  # fmt: skip
@apply_option
@click.option("--remove", is_flag=True, help="Remove the gathered notes; #correction lines stay.")
@dry_run_option
def compact(days: int, *, apply_it: bool, remove: bool, dry_run: bool) -> None:
    """Gather old daily notes into an archive for each quarter.

    The archives in memory/archive/ are searched like the notes; a line that is in both is shown
    once. A removed note is listed in COMPACTION_LOG.md, and restore or undo brings it back.

    Example: clawgit memory compact --days 60 --apply --remove
    """
    with workspace() as ws:
        done = compact_quarterly(ws, days=days, remove=remove, dry_run=dry_run or not apply_it)
        output.emit(done, _compact_text)


def _compact_text(done: QuarterlyCompaction) -> str:
    if not done.notes and not done.skipped:
        return "No note is old enough."
    rows = [f"left alone  {shown(left.what)}: {shown(left.why)}" for left in done.skipped]
    rows += _new_rows([note for note in done.notes if note.new])
    rows += [shown(why) for why in done.held]
    return "\n".join([*rows, _closing(done)])


def _new_rows(new: Sequence[GatheredNote]) -> list[str]:
    """A row for each newly gathered note; only a count after the first `_SHOWN`."""
    rows = [_note_row(note) for note in new[:_SHOWN]]
    if len(new) > _SHOWN:
        rows.append(dim(f"… and {len(new) - _SHOWN:,} more"))
    return rows


def _note_row(note: GatheredNote) -> str:
    kept = dim("  its corrections stay") if note.kept else ""
    return f"{shown(note.path)} → {shown(note.archive)}{kept}"


def _closing(done: QuarterlyCompaction) -> str:
    notes = counted(len(done.notes), "note")
    if done.applied and done.commit:
        ident = output.ident(done.id or "")
        removed = f", {len(done.removed):,} removed" if done.removed else ""
        return f"written: {ident}  gathered {notes}{removed}"
    if done.applied or not done.changed:
        return f"{notes}, all already gathered"
    removed = " and removed" if done.removed else ""
    return f"{notes} would be gathered{removed}"
