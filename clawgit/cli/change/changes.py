"""Commands that change the workspace: snapshot, undo, redo, restore."""

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_text, with_warnings
from clawgit.cli.command import command, in_workspace, workspace
from clawgit.cli.options import dry_run_option, options
from clawgit.domain.change.actors import UNKNOWN
from clawgit.domain.change.authority import without_derived
from clawgit.domain.change.history import REDO, UNDO
from clawgit.ops.change import changes


@command()
@click.option(
    "-m", "message", default="", metavar="MSG", help="Say why; the edits then count as yours."
)
@click.option(
    "--accept-deletions", is_flag=True, help="Commit even when most of the workspace is gone."
)
@dry_run_option
def snapshot(message: str, accept_deletions: bool, dry_run: bool) -> None:
    """Commit what others changed, attributed.

    Example: clawgit snapshot -m "tidied my notes"
    """
    with workspace() as ws:
        done = changes.snapshot(ws, message, accept_deletions=accept_deletions, dry_run=dry_run)
        output.emit(done, _snapshot_text, as_json=options().as_json)


@command()
@click.argument("ident", metavar="[ID]", required=False)
@dry_run_option
def undo(ident: str | None, dry_run: bool) -> None:
    """Take a change back by a new commit.

    Without ID the newest change that still stands. Edits that are not committed yet count as the
    newest: they are kept in history first, so that `clawgit redo` can bring them back. The walk
    ends where clawgit came to the workspace. A merge goes by its ID only. A program takes back its
    own newest change, and names itself with --actor.

    Example: clawgit undo k2mq9x4w
    """
    with workspace() as ws:
        done = changes.undo(ws, ident, dry_run=dry_run)
        _answer(done, UNDO, ws.caller.actor.slug)


@command()
@dry_run_option
def redo(dry_run: bool) -> None:
    """Undo the last undo.

    After a new change there is nothing to redo; `clawgit undo ID` takes an older undo back all the
    same.

    Example: clawgit redo
    """
    with workspace() as ws:
        done = changes.redo(ws, dry_run=dry_run)
        _answer(done, REDO, ws.caller.actor.slug)


@command()
@click.argument("path")
@click.option(
    "--at", metavar="REV", help="A change id, a git revision or a date; else as the file last was."
)
@dry_run_option
def restore(path: str, at: str | None, dry_run: bool) -> None:
    """Bring a file back.

    Example: clawgit restore MEMORY.md --at yesterday
    """
    with workspace() as ws:
        done = changes.restore(ws, in_workspace(ws, path), at, dry_run=dry_run)
        output.emit(
            done,
            lambda change: change_text(change, f"restored {path} as of"),
            as_json=options().as_json,
        )


def _answer(done: changes.Undone, verb: str, asker: str) -> None:
    output.emit(done, lambda value: _undone_text(value, verb, asker), as_json=options().as_json)


def _undone_text(done: changes.Undone, verb: str, asker: str) -> str:
    """What was undone, in words. Of somebody else's change it says whose it was and which files it
    changed.
    """
    if done.dry_run and done.changed:
        return f"Would {verb}: {_undid_text(done, asker)}\n{change_text(done, '')}"
    if done.held or not done.changed:
        return change_text(done, "")
    did = "Redid" if verb == REDO else "Undid"
    return with_warnings(done, f"{did}: {_undid_text(done, asker)}{_remark(done, verb)}")


def _remark(done: changes.Undone, verb: str) -> str:
    if done.uncommitted:
        return " `clawgit redo` brings them back."
    if done.undid and done.undid.against and verb == UNDO:
        return f". The side that it came to ({done.undid.against}) stays."
    return ""


def _undid_text(done: changes.Undone, asker: str) -> str:
    paths = [output.shown(path) for path in without_derived(done.changed)]
    files = ", ".join(paths)
    if done.undid is None:
        return f"edits that are not committed yet, in {files}."
    ident = click.style(done.undid.id, fg="yellow")
    if done.uncommitted:
        return f"edits that were not committed yet, in {files} ({ident})."
    summary = output.shown(done.undid.summary)
    if done.undid.actor == asker:
        return f"{summary} ({ident})"
    who = (
        "an unknown writer" if done.undid.actor == UNKNOWN.slug else output.shown(done.undid.actor)
    )
    # A snapshot is summed up by its files already.
    where = "" if all(path in summary for path in paths) else f", in {files}"
    return f"{summary} ({ident}), by {who}{where}"


def _snapshot_text(done: changes.Snapshotted) -> str:
    if done.dry_run:
        rows = [f"would commit {path}" for path in done.changed]
    else:
        rows = [_commit_row(commit) for commit in done.commits]
    rows += [click.style(f"alert: {alert}", fg="red") for alert in done.alerts]
    rows += [click.style(f"warning: {warning}", fg="yellow") for warning in done.warnings]
    rows += [output.dim(f"left out: {path} ({reason})") for path, reason in done.skipped]
    return "\n".join(rows) or "nothing has changed"


def _commit_row(commit: changes.SnapshotCommit) -> str:
    ident = click.style(commit.id or commit.commit[:10], fg="yellow")
    return f"{ident}  {commit.actor:<18}  {commit.summary}"
