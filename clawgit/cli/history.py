"""`log`, `show`, `diff` and `why`: read the history of the workspace."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import ChangeRow, change_head, change_rows
from clawgit.cli.command import Answer, command, limit_option, option
from clawgit.cli.command_table import load
from clawgit.cli.opening import in_workspace, place_in_workspace
from clawgit.cli.output import dim, named
from clawgit.domain.change.undoing import Selection
from clawgit.domain.markdown.comment import split
from clawgit.ops.change import history as op
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.ops.change.why import Life, Turn
    from clawgit.stores.git.history.patches import FileDiff

_stat_option = option("--stat", "Only count the changed lines of each file.")


@command("log")
@click.argument("path", required=False)
@limit_option(100)
@option("--grep TEXT", "Only changes whose message contains this.")
@option("--by ACTOR", "Only changes of an actor or an author.")
@option("--kind VERB", "Only changes of a kind: remember, correct, undo, snapshot …")
@option("--since T", "Only changes from this day or time on.")
@option("--until T", "Only changes up to this day or time.")
@option("--before ID", "Only what came before this change.")
@option("-p --patch", "Show what each change did to the files.")
@option("--days by_day", "Only count the changes of each day since T, or of the last year.")
def log(
    ws: Workspace, path: str | None, limit: int, since: str, until: str, before: str, *,
    patch: bool, by_day: bool, **by: Any,
) -> Answer:  # fmt: skip
    """List changes, of all files or of one.

    PATH is a file, even a deleted one, or a folder. A change that was taken back is struck
    through. A day means the whole day: --since monday --until tuesday.

    Example: clawgit log MEMORY.md --by memory-miner --since yesterday
    """
    begin, end = op.moment(ws, since), op.moment(ws, until, end=True)
    if by_day:
        return op.days(ws, begin), _days_text
    wanted = Selection(**by, since=begin, until=end)
    below = path and in_workspace(ws, path)
    return op.log(ws, below, limit, wanted, patch=patch, before=before), _log_text


def _days_text(counted: op.Days) -> str:
    return "\n".join(f"{row.day}  {row.changes:>5,}" for row in counted.days) or dim("no change")


@command("show", exact=True)
@click.argument("rev", metavar="[ID]", default="HEAD")
@_stat_option
def show(ws: Workspace, rev: str, stat: bool) -> Answer:
    """Show one change.

    ID is a change id, a git revision, or a date, which means the last change before that day.
    Without ID, the newest change.

    Example: clawgit show yesterday
    """
    return op.show(ws, rev, patch=not stat), partial(_change_text, stat=stat)


@command("diff", exact=True)
@click.argument("words", metavar="[A [B]] [PATH]", nargs=-1)
@_stat_option
def diff(ws: Workspace, words: tuple[str, ...], stat: bool) -> Answer:
    """Compare two states of the workspace.

    Without A and B: the last commit with the files on disk. With A: A with the disk. With both: A
    with B. Each is a change id, a git revision, or a date, which means the state at the start of
    that day; a date before the history means its first state. New Markdown files on disk are shown
    too; files outside the scope only if PATH names one.

    Example: clawgit diff yesterday MEMORY.md
    """
    path_of = partial(in_workspace, ws)
    return (
        op.diff(ws, words, patch=not stat, path_of=path_of),
        lambda compared: _files_text(compared.files, stat=stat) or dim("no difference"),
    )


@command("why")
@click.argument("place")
@option("--when", "PLACE is words that an entry has or had.")
def why(ws: Workspace, place: str, *, when: bool) -> Answer:
    """Show where a line or an entry came from, and each change to it.

    PLACE is PATH:LINE, as the file is on disk, or the id of an entry, even of one that is gone.
    With --when it is words that an entry has or had.

    Example: clawgit why MEMORY.md:3

    Example: clawgit why --when "Ana prefers tea"
    """
    if when:
        return load("clawgit.ops.change.why:when")(ws, place), _life_text
    return life(ws, place)


def life(ws: Workspace, place: str) -> Answer:
    """The life of a line or an entry."""
    return load("clawgit.ops.change.why:why")(ws, place_in_workspace(ws, place)), _life_text


def _log_text(history: op.Log) -> str:
    rows = change_rows(map(_row_of, history.commits))
    texts = [
        f"{row}\n{_files_text(change.files, stat=False)}\n" if change.files else row
        for row, change in zip(rows, history.commits, strict=True)
    ]
    return "\n".join(texts) or dim("no such change; leave a condition out")


def _row_of(change: op.LoggedChange) -> ChangeRow:
    name, undone_by = change.id or change.sha[:8], change.undone_by or ""
    return ChangeRow(name, change.time, change.actor, change.summary, undone_by)


def _change_text(change: op.PastChange, *, stat: bool) -> str:
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
    reason = "".join(f"\n    {line}" for line in change.reason.splitlines())
    return "\n".join([
        f"{named(change.id, change.sha)}  {output.heading(change.summary)}",
        output.facts(facts),
        *([reason] if reason else []),
        "",
        _files_text(change.files, stat=stat),
    ])  # fmt: skip


def _files_text(files: Iterable["FileDiff"], *, stat: bool) -> str:
    shown = _stat_line if stat else lambda file: output.colored_diff(file.patch)
    return "\n".join(map(shown, files))


def _stat_line(file: "FileDiff") -> str:
    if file.added is None or file.removed is None:
        return f"{'binary':>12}  {file.path}"
    added, removed = f"+{file.added}", f"-{file.removed}"
    status = f"  {dim(file.status)}" if file.status != "modified" else ""
    counts = f"{output.added(f'{added:>6}')}{output.removed(f'{removed:>6}')}"
    return f"{counts}  {file.path}{status}"


def _life_text(life: "Life") -> str:
    states = {"uncommitted": "as it is now, not committed yet", "removed": "gone"}
    note = f"  {output.warning(states[life.state])}" if life.state in states else ""
    place = output.heading(f"{life.path}:{life.line}")
    newest = [_turn_text(turn, life.text) for turn in life.changes[:1]]
    if life.changes and life.changes[0].kind == "removed":
        turn = life.changes[0]
        newest.append(f"To bring it back: clawgit undo {turn.id or turn.sha[:12]}")
    heading = f"{place}{note}\n    {_words_of(life.text)}"
    return "\n\n".join([heading, *newest, *map(_turn_text, life.changes[1:])])


def _words_of(text: str) -> str:
    """An entry without its comment, which is only for clawgit."""
    before, _, after = split(text)
    return f"{before}{after}"


def _turn_text(turn: "Turn", above: str = "") -> str:
    """One change, with the line after it, unless that is the text shown `above`."""
    kind = "added" if turn.kind == "born" else turn.kind.replace("_", " ")
    evidence = [f"evidence: {', '.join(turn.evidence)}"] if turn.evidence else []
    told = [turn.summary, *turn.reason.splitlines(), *evidence]
    rows = [f"{change_head(turn)}  {kind}  {dim(f'{turn.path}:{turn.line}')}"]
    rows += [f"    {line}" for line in told]
    if turn.text not in ("", above):
        rows.append(f"    {output.good(_words_of(turn.text))}")
    return "\n".join(rows)
