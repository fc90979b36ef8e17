"""`log`, `show`, `diff` and `why`: read the history of the workspace."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.change_text import ChangeRow, change_rows
from clawgit.cli.command import command, limit_option
from clawgit.cli.loading import load
from clawgit.cli.opening import in_workspace, place_in_workspace, workspace
from clawgit.cli.output import dim, named, shown
from clawgit.domain.markdown.comment import split
from clawgit.ops.change import history as op

if TYPE_CHECKING:
    from clawgit.domain.change.told import ToldChange
    from clawgit.ops.change.why import Life, Turn
    from clawgit.stores.git.history.patches import FileDiff

_stat_option = click.option(
    "--stat", is_flag=True, help="Only count the changed lines of each file."
)


@command("log")
@click.argument("path", required=False)
@limit_option(100)
@click.option(
    "--grep", default="", metavar="TEXT", help="Only changes whose message contains this."
)
@click.option("--by", default="", metavar="ACTOR", help="Only changes of an actor or an author.")
@click.option("--since", default="", metavar="T", help="Only changes from this day or time on.")
@click.option("--until", default="", metavar="T", help="Only changes up to this day or time.")
@click.option("-p", "--patch", is_flag=True, help="Show what each change did to the files.")
def log(
    path: str | None, limit: int, grep: str, by: str, since: str, until: str, *, patch: bool
) -> None:  # fmt: skip
    """List changes, of all files or of one.

    PATH is a file, even a deleted one, or a folder. A change that was taken back is struck
    through. A day means the whole day: --since monday --until tuesday.

    Example: clawgit log MEMORY.md --by memory-miner --since yesterday
    """
    wanted = op.Wanted(grep, by, since, until)
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
        output.emit(
            comparison,
            lambda compared: _files_text(compared.files, stat=stat) or dim("no difference"),
            paged=True,
        )


@command("why")
@click.argument("place")
@click.option("--when", is_flag=True, help="PLACE is words that an entry has or had.")
def why(place: str, *, when: bool) -> None:
    """Show where a line or an entry came from, and each change to it.

    PLACE is PATH:LINE, as the file is on disk, or the id of an entry, even of one that is gone.
    With --when it is words that an entry has or had.

    Example: clawgit why MEMORY.md:3

    Example: clawgit why --when "Ana prefers tea"
    """
    with workspace() as opened:
        if when:
            life = load("clawgit.ops.change.why:when")(opened, place)
        else:
            life = load("clawgit.ops.change.why:why")(opened, place_in_workspace(opened, place))
        output.emit(life, _life_text)


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
    reason = [f"    {shown(line)}" for line in change.reason.splitlines()]
    return "\n".join([
        f"{named(change.id, change.sha)}  {output.heading(shown(change.summary))}",
        *(f"{dim(f'{name:<10}')}  {shown(value)}" for name, value in facts.items() if value),
        *(["", *reason] if reason else []),
        "",
        _files_text(change.files, stat=stat),
    ])  # fmt: skip


def _files_text(files: Iterable["FileDiff"], *, stat: bool) -> str:
    return "\n".join(_stat_line(file) if stat else _patch_text(file.patch) for file in files)


def _stat_line(file: "FileDiff") -> str:
    if file.added is None or file.removed is None:
        return f"{'binary':>12}  {shown(file.path)}"
    added, removed = f"+{file.added}", f"-{file.removed}"
    status = f"  {dim(file.status)}" if file.status != "modified" else ""
    counts = f"{output.added(f'{added:>6}')}{output.removed(f'{removed:>6}')}"
    return f"{counts}  {shown(file.path)}{status}"


def _patch_text(patch: str) -> str:
    """A patch in colour: bold up to the first `@@`, then by the first character of each line."""
    heading, _, body = shown(patch.removesuffix("\n")).partition("\n@@")
    lines = [output.heading(line) for line in heading.split("\n")]
    if body:
        lines += [output.diff_line(line) for line in f"@@{body}".split("\n")]
    return "\n".join(lines)


def _life_text(life: "Life") -> str:
    states = {"uncommitted": "as it is now, not committed yet", "removed": "gone"}
    note = f"  {output.warning(states[life.state])}" if life.state in states else ""
    place = output.heading(f"{shown(life.path)}:{life.line}")
    newest = [_turn_text(turn, life.text) for turn in life.changes[:1]]
    if life.changes and life.changes[0].kind == "removed":
        turn = life.changes[0]
        newest.append(f"To bring it back: clawgit undo {turn.id or turn.sha[:12]}")
    heading = f"{place}{note}\n    {shown(_words_of(life.text))}"
    return "\n\n".join([heading, *newest, *map(_turn_text, life.changes[1:])])


def _words_of(text: str) -> str:
    """An entry without its comment, which is only for clawgit."""
    before, _, after = split(text)
    return f"{before}{after}"


def _turn_text(turn: "Turn", above: str = "") -> str:
    """One change, with the line after it, unless that is the text shown `above`."""
    kind = "added" if turn.kind == "born" else turn.kind.replace("_", " ")
    first, *more = _told_rows(turn)
    rows = [f"{first}  {kind}  {dim(shown(f'{turn.path}:{turn.line}'))}", *more]
    if turn.text not in ("", above):
        rows.append(f"    {output.good(shown(_words_of(turn.text)))}")
    return "\n".join(rows)


def _told_rows(change: "ToldChange") -> list[str]:
    when, actor = dim(f"{change.time:%Y-%m-%d %H:%M}"), output.key(shown(change.actor))
    evidence = [f"evidence: {', '.join(change.evidence)}"] if change.evidence else []
    told = [change.summary, *change.reason.splitlines(), *evidence]
    return [f"{named(change.id, change.sha)}  {when}  {actor}", *(f"    {shown(t)}" for t in told)]
