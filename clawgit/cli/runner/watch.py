"""`watch`: takes a snapshot whenever edits settle."""

import time

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import caller, workspace
from clawgit.cli.output import counted
from clawgit.ops.change.watch import Watched, WatchedSnapshot, batches, settled, snapshots


@command("watch")
@click.option(
    "--settle",
    type=click.FloatRange(min=0.01),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="How long files must be left unchanged before a snapshot.",
)
@click.option("--once", is_flag=True, help="End after the first snapshot.")
def watch(settle: float, once: bool) -> None:
    """Only snapshot edits when they settle, until Ctrl-C.

    Edits made before the start are committed first. Needs the extra `watch`.

    Example: clawgit run watch --settle 5
    """
    with workspace() as opened:
        moments = settled(batches(opened.root, settle), settle, time.monotonic)
        taken: list[WatchedSnapshot] = []
        output.tell(f"watching {opened.root}; Ctrl-C ends it")
        try:
            for snapshot in snapshots(opened, moments, lambda: caller().now, output.tell):
                taken.append(snapshot)
                output.tell(
                    f"{snapshot.time:%H:%M:%S} {snapshot.id}: {', '.join(snapshot.changed)}"
                )
                if once:
                    break
        except KeyboardInterrupt:
            output.note("")
        output.emit(Watched(opened.root, tuple(taken)), _watched_text)


def _watched_text(watched: Watched) -> str:
    return f"{counted(len(watched.snapshots), 'snapshot')} taken"
