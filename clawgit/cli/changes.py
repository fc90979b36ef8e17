"""Commands that change the workspace: snapshot, undo, redo, restore."""

from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import (
    ChangeRow,
    change_rows,
    change_text,
    outcome,
    warning_lines,
)
from clawgit.cli.command import Answer, command, dry_run_option, option, revision_option
from clawgit.cli.opening import in_workspace
from clawgit.cli.output import counted, first_of
from clawgit.domain.change.actors import UNKNOWN
from clawgit.domain.change.authority import without_derived
from clawgit.domain.change.history import REDO, UNDO
from clawgit.errors import UsageError
from clawgit.ops.change import changes
from clawgit.ops.change import undo as op
from clawgit.ops.change.described import Change
from clawgit.ops.workspace.workspace import Workspace

_OFFERED = 20
"""How many changes are listed one by one."""

_FEW = 3
"""How many files are named one by one."""


@command()
@option("-m MSG message", "Say why; the edits then count as yours.")
@option("--accept-deletions", "Commit even when most of the workspace is gone.")
@dry_run_option
def snapshot(ws: Workspace, **typed: Any) -> Answer:
    """Commit what others changed, under its likely author's name.

    Example: clawgit snapshot -m "tidied my notes"
    """
    return changes.snapshot(ws, **typed), _snapshot_text


@command()
@click.argument("revs", metavar="[ID]...", nargs=-1)
@option("--run RUN", "All changes of a run of agents.")
@option("--session S", "All changes of a session.")
@option("--since T", "All changes from this day or time on.")
@dry_run_option
def undo(ws: Workspace, *, dry_run: bool, **which: Any) -> Answer:
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
    if [*map(bool, which.values())].count(True) > 1:
        raise UsageError(
            "ID, --run, --session and --since are different ways to say what to take back.",
            hint="Use one of them.",
        )
    chosen = op.Which(**which)
    if chosen == op.Which(chosen.revs[:1]):
        done = op.undo(ws, *chosen.revs, dry_run=dry_run)
    else:
        done = op.undo_several(ws, chosen, dry_run=dry_run)
    return _undone(done, UNDO, ws)


@command()
@dry_run_option
def redo(ws: Workspace, dry_run: bool) -> Answer:
    """Undo the last undo.

    After a new change there is nothing to redo; `clawgit undo ID` still takes an older undo back.

    Example: clawgit redo
    """
    return _undone(op.redo(ws, dry_run=dry_run), REDO, ws)


@command()
@click.argument("path", required=False)
@option("--all everything", "The whole memory; needs --at.")
@revision_option("A change id, a git revision or a date.  [default: as the file last was]")
@dry_run_option
def restore(ws: Workspace, path: str | None, at: str, *, everything: bool, dry_run: bool) -> Answer:
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
    if path is not None:
        done = changes.restore(ws, in_workspace(ws, path), at, dry_run=dry_run)
    else:
        done = changes.restore_all(ws, at, dry_run=dry_run)
    return done, lambda change: _restored_text(change, path)


def _restored_text(done: Change, path: str | None) -> str:
    if path is not None:
        return change_text(done, f"restored {path} as of")
    if not done.changed or done.held:
        return change_text(done, "restored the memory as of")
    files = f"{counted(len(done.changed), 'file')} as of {done.of}"
    few = first_of(done.changed, _FEW)
    if done.dry_run:
        return f"Would restore {files}: {few}\n{change_text(done, '')}"
    return outcome(done, f"restored {files}: {few}")


def _row_of(change: op.UndoneChange) -> ChangeRow:
    return ChangeRow(change.id, change.time, change.actor, change.summary)


def _undone(done: op.Undone, verb: str, ws: Workspace) -> Answer:
    return done, lambda value: _undone_text(value, verb, ws.caller.actor.slug)


def _undone_text(done: op.Undone, verb: str, asker: str) -> str:
    """What was undone, in words. For somebody else's change, with its actor and files."""
    what = _several_text(done) if done.changes else _undid_text(done, asker)
    if done.dry_run and done.changed:
        return f"Would {verb}: {what}\n{change_text(done, '')}"
    if done.held or not done.changed:
        return change_text(done, "")
    did = "Redid" if verb == REDO else "Undid"
    rows = [f"{did}: {what}{_remark(done, verb)}", *warning_lines(done.alerts, done.warnings)]
    return "\n".join(rows)


def _several_text(done: op.Undone) -> str:
    """Several changes: how many, in which files, then a line for each."""
    count = f"{counted(len(done.changes), 'change')} {done.which}".rstrip()
    edits = " and edits that are not committed yet" if done.dry_run and done.uncommitted else ""
    files = first_of(without_derived(done.changed), _FEW)
    rows = change_rows(map(_row_of, done.changes[:_OFFERED]), indent=2)
    if len(done.changes) > _OFFERED:
        rows.append(output.dim(f"  … and {len(done.changes) - _OFFERED:,} more"))
    return "\n".join([f"{count}{edits}, in {files}", *rows])


def _remark(done: op.Undone, verb: str) -> str:
    if done.uncommitted:
        return " `clawgit redo` brings them back."
    if done.undid and done.undid.against and verb == UNDO:
        return f". What was here before it ({done.undid.against}) stays."
    return ""


def _undid_text(done: op.Undone, asker: str) -> str:
    paths = [*without_derived(done.changed)]
    files = first_of(paths, _FEW)
    if done.undid is None:
        return f"edits that are not committed yet, in {files}."
    ident = output.ident(done.undid.id)
    if done.uncommitted:
        return f"edits that were not committed yet, in {files} ({ident})."
    summary = done.undid.summary
    if done.undid.actor == asker:
        return f"{summary} ({ident})"
    author = "an unknown writer" if done.undid.actor == UNKNOWN.slug else done.undid.actor
    # A snapshot is summed up by its files already.
    where = "" if all(path in summary for path in paths) else f", in {files}"
    return f"{summary} ({ident}), by {author}{where}"


def _snapshot_text(done: changes.Snapshotted) -> str:
    if done.dry_run:
        rows = [f"would commit {path}" for path in done.changed]
    else:
        rows = [_commit_row(commit) for commit in done.commits]
    rows += warning_lines(done.alerts, done.warnings)
    rows += [
        output.dim(f"left out: {path} ({output.inline(reason)})") for path, reason in done.skipped
    ]
    return "\n".join(rows) or "nothing has changed"


def _commit_row(commit: changes.SnapshotCommit) -> str:
    ident = output.ident(commit.id or commit.commit[:10])
    return f"{ident}  {commit.actor:<18}  {commit.summary}"
