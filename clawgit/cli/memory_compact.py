"""`memory compact`: notes of past days gathered by quarter, shown first and done with --apply."""

import click

from clawgit.cli import output
from clawgit.cli.command import command, workspace
from clawgit.cli.options import dry_run_option, options
from clawgit.cli.output import dim, shown
from clawgit.ops.compaction.compact import QuarterlyCompaction, compact_quarterly

_SHOWN = 20


@command("compact")
@click.option(
    "--days", type=click.IntRange(min=0), default=90, metavar="N", show_default=True,
    help="Take notes of more than N days ago.",
)  # fmt: skip
@click.option("--apply", "apply_it", is_flag=True, help="Do it; without, show what would be done.")
@click.option(
    "--remove", is_flag=True, help="Take the notes out of their files; #correction lines stay."
)
@dry_run_option
def compact(days: int, *, apply_it: bool, remove: bool, dry_run: bool) -> None:
    """Gather old daily notes in one archive for each quarter.

    The archives in memory/archive/ are searched like the notes, and a line that stands in both is
    shown once. A removed note is logged in COMPACTION_LOG.md; restore and undo bring it back.

    Example: clawgit memory compact --days 60 --apply --remove
    """
    with workspace() as ws:
        done = compact_quarterly(ws, days=days, remove=remove, dry_run=dry_run or not apply_it)
        output.emit(done, _compact_text, as_json=options().as_json)


def _compact_text(done: QuarterlyCompaction) -> str:
    rows = [f"left alone  {shown(one.what)}: {shown(one.why)}" for one in done.skipped]
    if not done.notes and not rows:
        return "No note is old enough."
    new = [one for one in done.notes if one.new]
    for one in new[:_SHOWN]:
        stays = "" if not one.kept else dim("  its corrections stay")
        rows.append(f"{shown(one.path)} → {shown(one.archive)}{stays}")
    if len(new) > _SHOWN:
        rows.append(dim(f"… and {len(new) - _SHOWN:,} more"))
    return "\n".join([*rows, *(shown(why) for why in done.held), _closing(done)])


def _closing(done: QuarterlyCompaction) -> str:
    counted = f"{len(done.notes):,} {'note' if len(done.notes) == 1 else 'notes'}"
    if done.applied and done.commit:
        went = f", {len(done.removed):,} removed" if done.removed else ""
        return f"{click.style(done.id or '', fg='yellow')}  gathered {counted}{went}"
    if done.applied or not done.changed:
        return f"{counted}, all gathered already"
    return f"{counted} would be gathered{' and removed' if done.removed else ''}: add --apply"
