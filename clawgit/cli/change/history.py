"""`log`, `show` and `diff`: read the history of the workspace."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.change_text import ChangeRow, change_rows
from clawgit.cli.command import command
from clawgit.cli.opening import in_workspace, workspace
from clawgit.cli.options import limit_option
from clawgit.cli.output import dim, named, shown
from clawgit.ops.change import history as op

if TYPE_CHECKING:
    from clawgit.stores.git.history.patches import FileDiff

_LIMIT = 100
_stat_option = click.option(
    "--stat", is_flag=True, help="Only count the changed lines of each file."
)


@command("log")
@click.argument("path", required=False)
@limit_option(_LIMIT)
@click.option(
    "--grep", default="", metavar="TEXT", help="Only changes whose message contains this."
)
@click.option("--by", default="", metavar="ACTOR", help="Only changes of an actor or an author.")
@click.option("--since", default="", metavar="T", help="Only changes from this day or time on.")
@click.option("--until", default="", metavar="T", help="Only changes up to this day or time.")
@click.option("-p", "--patch", is_flag=True, help="Show what each change did to the files.")
@click.option("--all", "everything", is_flag=True, help="List undos and redos too.")
def log(
    path: str | None, limit: int, grep: str, by: str, since: str, until: str, *, patch: bool,
    everything: bool,
) -> None:  # fmt: skip
    """List changes, of all files or of one.

    PATH is a file, even a deleted one, or a folder. A change that was taken back is struck through,
    and its undo is not listed. A day means the whole day: --since monday --until tuesday.

    Example: clawgit log MEMORY.md --by memory-miner --since yesterday
    """
    wanted = op.Wanted(grep, by, since, until, everything)
    with workspace() as opened:
        history = op.log(opened, path and in_workspace(opened, path), limit, wanted, patch=patch)
        output.emit(history, _log_text, paged=True)
        if history.more:
            output.note(f"older changes follow: -n {limit * 10}")


@command("show", exact=True)
@click.argument("rev", metavar="[ID]", default="HEAD")
@_stat_option
def show(rev: str, stat: bool) -> None:
    """Show one change.

    ID is a change id, a git revision, or a date, which means the last change before that day.
    Without ID, the newest change.

    Example: clawgit show yesterday
    """
    with workspace() as opened:
        shown_change = op.show(opened, rev, patch=not stat)
        output.beside(shown_change.note)
        output.emit(shown_change, lambda change: _change_text(change, stat=stat), paged=True)


@command("diff", exact=True)
@click.argument("words", metavar="[A [B]] [PATH]", nargs=-1)
@_stat_option
def diff(words: tuple[str, ...], stat: bool) -> None:
    """Compare two states of the workspace.

    Without A and B: the last commit with the files on disk. With A: A with the disk. With both: A
    with B. Each is a change id, a git revision, or a date, which means the state at the start of
    that day; a date before the history means its first state. New Markdown files on disk are shown
    too; files outside the scope only if PATH names one.

    Example: clawgit diff yesterday MEMORY.md
    """
    with workspace() as opened:
        path_of = partial(in_workspace, opened)
        comparison = op.diff(opened, words, patch=not stat, path_of=path_of)
        output.beside(comparison.note)
        output.emit(comparison, lambda compared: _diff_text(compared, stat=stat), paged=True)


def _log_text(history: op.Log) -> str:
    rows = change_rows(map(_row_of, history.commits))
    texts = map(_with_patch, rows, history.commits)
    return "\n".join(texts) or dim(shown(history.note) or "no changes")


def _row_of(change: op.LoggedChange) -> ChangeRow:
    name, undone_by = change.id or change.sha[:8], change.undone_by or ""
    return ChangeRow(name, change.time, change.actor, change.summary, undone_by)


def _with_patch(row: str, change: op.LoggedChange) -> str:
    return f"{row}\n{_files_text(change.files, stat=False)}\n" if change.files else row


def _change_text(change: op.PastChange, *, stat: bool) -> str:
    heading = f"{named(change.id, change.sha)}  {output.heading(shown(change.summary))}"
    facts = {
        "commit": change.sha,
        "time": f"{change.time:%Y-%m-%d %H:%M %z}",
        "by": change.actor + (f" ({change.op})" if change.op else ""),
        "evidence": ", ".join(change.evidence),
        "session": change.session,
        "confidence": "" if change.confidence is None else f"{change.confidence:.2f}",
        "run": change.run,
        "job": change.job,
        "alert": "; ".join(change.alerts),
        "also": ", ".join(sha[:10] for sha in change.also),
        "undone by": change.undone_by or "",
    }
    rows = [f"{dim(f'{name:<10}')}  {shown(value)}" for name, value in facts.items() if value]
    reason = (
        ["", *(f"    {shown(line)}" for line in change.reason.splitlines())]
        if change.reason
        else []
    )
    return "\n".join([heading, *rows, *reason, "", _files_text(change.files, stat=stat)])


def _diff_text(comparison: op.HistoryComparison, *, stat: bool) -> str:
    return _files_text(comparison.files, stat=stat) or dim("no difference")


def _files_text(files: Iterable["FileDiff"], *, stat: bool) -> str:
    return "\n".join(_stat_line(file) if stat else _patch_text(file.patch) for file in files)


def _stat_line(file: "FileDiff") -> str:
    if file.added is None or file.removed is None:
        return f"{'binary':>12}  {shown(file.path)}"
    added, removed = f"+{file.added}", f"-{file.removed}"
    counts = f"{output.added(f'{added:>6}')}{output.removed(f'{removed:>6}')}"
    return f"{counts}  {shown(file.path)}" + (
        f"  {dim(file.status)}" if file.status != "modified" else ""
    )


def _patch_text(patch: str) -> str:
    """A patch in colour: bold up to the first `@@`, then by the first character of each line."""
    heading, _, body = shown(patch.removesuffix("\n")).partition("\n@@")
    lines = [output.heading(line) for line in heading.split("\n")]
    if body:
        lines += [output.diff_line(line) for line in f"@@{body}".split("\n")]
    return "\n".join(lines)
