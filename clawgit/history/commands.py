"""`log`, `show`, `diff` and `why` read the history of the workspace; `snapshot`, `undo`, `redo` and
`restore` change the workspace by it.
"""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from clawgit.core.errors import UsageError, few
from clawgit.git.rules.history import REDO, UNDO
from clawgit.git.rules.undoing import Selection
from clawgit.history import log as op
from clawgit.terminal import output
from clawgit.terminal.change_text import (
    change_head,
    change_rows,
    change_text,
    changed,
    warning_lines,
)
from clawgit.terminal.command import (
    Answer,
    command,
    dry_run_option,
    limit_option,
    option,
    revision_option,
)
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import in_workspace, place_in_workspace
from clawgit.terminal.output import counted, dim, first_of, named
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.git.history.patches import FileDiff
    from clawgit.history.changes import Snapshotted
    from clawgit.history.comparing import PastChange
    from clawgit.history.undo import Undone
    from clawgit.history.why import Life, Turn

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
    begin, end = ws.moment(since), ws.moment(until, end=True)
    if by_day:
        return op.days(ws, begin), partial(output.told, without="today")
    wanted = Selection(**by, since=begin, until=end)
    below = path and in_workspace(ws, path)
    return op.log(ws, below, limit, wanted, patch=patch, before=before), _log_text


@command("show", exact=True)
@click.argument("rev", metavar="[ID]", default="HEAD")
@_stat_option
def show(ws: Workspace, rev: str, stat: bool) -> Answer:
    """Show one change.

    ID is a change id, a git revision, or a date, which means the last change before that day.
    Without ID, the newest change.

    Example: clawgit show yesterday
    """
    return load("history.comparing:show")(ws, rev, patch=not stat), partial(_change_text, stat=stat)


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
        load("history.comparing:diff")(ws, words, patch=not stat, path_of=path_of),
        lambda compared: _files_text(compared.files, stat=stat) or dim("no difference"),
    )


@command("why")
@click.argument("place")
def why(ws: Workspace, place: str) -> Answer:
    """Show where a line or an entry came from, and each change to it.

    PLACE is PATH:LINE, as the file is on disk, or the id of an entry, or words that it has or had;
    the entry may be gone.

    Example: clawgit why MEMORY.md:3

    Example: clawgit why "Ana prefers tea"
    """
    return life(ws, place)


def life(ws: Workspace, place: str) -> Answer:
    """The life of a line or an entry."""
    here = place_in_workspace(ws, place)
    # Words with a colon are no place.
    is_place = (ws.root / here.rpartition(":")[0]).is_file()
    return load("history.why:why")(ws, here if is_place else place), _life_text


def _log_text(history: op.Log) -> str:
    rows = change_rows(history.commits)
    texts = [
        f"{row}\n{_files_text(change.files, stat=False)}\n" if change.files else row
        for row, change in zip(rows, history.commits, strict=True)
    ]
    return "\n".join(texts) or dim("no such change; leave a condition out")


def _change_text(seen: "PastChange", *, stat: bool) -> str:
    change = seen.change
    rows = [
        f"{named(change.id, change.sha)}  {output.heading(change.summary)}",
        output.told(seen, without="id summary reason files parents author note"),
        "\n".join(f"    {line}" for line in change.reason.splitlines()),
    ]
    return "\n".join([*filter(None, rows), "", _files_text(seen.files, stat=stat)])


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
        newest.append(f"To bring it back: clawgit undo {turn.change.id or turn.change.sha[:12]}")
    heading = f"{place}{note}\n    {_words_of(life.text)}"
    return "\n\n".join([heading, *newest, *map(_turn_text, life.changes[1:])])


def _words_of(text: str) -> str:
    """An entry without its comment, which is only for clawgit."""
    before, _, after = load("core.markdown.comment:split")(text)
    return f"{before}{after}"


def _turn_text(turn: "Turn", above: str = "") -> str:
    """One change, with the line after it, unless that is the text shown `above`."""
    kind = "added" if turn.kind == "born" else turn.kind.replace("_", " ")
    evidence = [f"evidence: {', '.join(turn.change.evidence)}"] if turn.change.evidence else []
    told = [turn.change.summary, *turn.change.reason.splitlines(), *evidence]
    rows = [f"{change_head(turn)}  {kind}  {dim(f'{turn.path}:{turn.line}')}"]
    rows += [f"    {line}" for line in told]
    if turn.text not in ("", above):
        rows.append(f"    {output.good(_words_of(turn.text))}")
    return "\n".join(rows)


_OFFERED = 20
"""How many changes are listed one by one."""


@command()
@option("-m MSG message", "Say why; the edits then count as yours.")
@option("--accept-deletions", "Commit even when most of the workspace is gone.")
@dry_run_option
def snapshot(ws: Workspace, **typed: Any) -> Answer:
    """Commit what others changed, under its likely author's name.

    Example: clawgit snapshot -m "tidied my notes"
    """
    return load("history.changes:snapshot")(ws, **typed), _snapshot_text


@command()
@click.argument("revs", metavar="[ID]...", nargs=-1)
@option("--run RUN", "All changes of a run of agents.")
@option("--session S", "All changes of a session.")
@option("--since T", "All changes from this day or time on.")
@dry_run_option
def undo(ws: Workspace, revs: tuple[str, ...], **which: str) -> Answer:
    """Undo changes with a new commit: one, or several at once.

    Without ID, this takes back the newest change that has not been taken back yet. Edits that are
    not committed yet count as the newest: they are committed first, so that `clawgit redo` can
    bring them back. It goes back as far as clawgit's first commit in the workspace. A merge is
    taken back only if you give its ID. A program takes back its own newest change, and must name
    itself with --actor.

    Several changes are taken back by one commit, whatever came between them. If one of them cannot
    be taken back, none is. `clawgit redo` brings them back together.

    Example: clawgit undo --run r980086896
    """
    if [bool(revs), *map(bool, which.values())].count(True) > 1:
        raise UsageError(
            "ID, --run, --session and --since are different ways to say what to take back.",
            hint="Use one of them.",
        )
    return load("history.undo:undo")(ws, *revs, **which), partial(_undone_text, verb=UNDO)


@command()
@dry_run_option
def redo(ws: Workspace) -> Answer:
    """Undo the last undo.

    After a new change there is nothing to redo; `clawgit undo ID` still takes an older undo back.

    Example: clawgit redo
    """
    return load("history.undo:redo")(ws), partial(_undone_text, verb=REDO)


@command()
@click.argument("path", required=False)
@option("--all everything", "The whole memory; needs --at.")
@revision_option("A change id, a git revision or a date.  [default: as the file last was]")
@dry_run_option
def restore(ws: Workspace, path: str | None, at: str, *, everything: bool) -> Answer:
    """Bring a file, or the whole memory, back as it was.

    With --all, one commit puts every file of the scope back as it was and removes what came later;
    settings stay as they are. A day means its beginning; a day before the history means the first
    state. `clawgit undo` takes the restore back.

    Example: clawgit restore MEMORY.md --at yesterday
    """
    if everything == (path is not None) or (everything and not at):
        raise UsageError(
            "Name a file, or restore everything with --all --at REV.",
            hint="clawgit restore --all --at yesterday",
        )
    if path is None:
        return changed(load("history.changes:restore_all")(ws, at), "restored the memory as of")
    restored = load("history.changes:restore")
    return changed(restored(ws, in_workspace(ws, path), at), f"restored {path} as of")


def _undone_text(done: "Undone", verb: str) -> str:
    """What was undone, in words, whose change it was, and in which files."""
    if done.change.held or not done.change.changed:
        return change_text(done.change, "")
    what = _undid_text(done)
    if done.change.dry_run:
        return f"Would {verb}: {what}\n{change_text(done.change, '')}"
    did = "Redid" if verb == REDO else "Undid"
    if done.uncommitted:
        what += "\n`clawgit redo` brings them back."
    return "\n".join([f"{did}: {what}", *warning_lines(done.change.alerts, done.change.warnings)])


def _undid_text(done: "Undone") -> str:
    """One change in a line; of several how many, in which files, then a line for each."""
    edits, changes = "", done.undid
    if done.uncommitted:
        edits = "edits that were not committed yet"
        changes = changes if done.change.dry_run or done.which else ()
    paths = load("git.rules.authority:without_derived")(done.change.changed)
    files = f", in {first_of(paths)}"
    if len(changes) == 1 and not (done.which or edits):
        one = changes[0]
        return f"{one.summary} ({named(one.id, one.sha)}), by {one.actor}{files}"
    count = f"{counted(len(changes), 'change')} {done.which}".rstrip() if changes else ""
    rows = few(change_rows(changes, indent=2), _OFFERED, dim("  … and {} more"))
    head = " and ".join(filter(None, (count, edits)))
    return "\n".join([head + files, *rows])


def _snapshot_text(done: "Snapshotted") -> str:
    rows = [
        f"{named(commit.id, commit.commit)}  {commit.actor:<18}  {commit.summary}"
        for commit in done.commits
    ]
    if done.dry_run:
        rows = [f"would commit {path}" for path in done.changed]
    rows += warning_lines(done.alerts, ())
    rows += [dim(f"left out: {path} ({output.inline(reason)})") for path, reason in done.skipped]
    return "\n".join(rows) or "nothing has changed"
