"""Commands that change the workspace: snapshot, undo, redo, restore."""

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option, in_workspace, options, workspace
from clawgit.ops import changes


@command()
@click.option("-m", "message", default="", metavar="MSG", help="Say why; the edits then count as yours.")
@click.option("--accept-deletions", is_flag=True, help="Commit even when most of the workspace is gone.")
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

    Without ID the newest change that is neither a snapshot nor an undo. What came after it stays.

    Example: clawgit undo k2mq9x4w
    """
    with workspace() as ws:
        done = changes.undo(ws, ident, dry_run=dry_run)
        output.emit(done, lambda change: change_text(change, "took back"), as_json=options().as_json)


@command()
@dry_run_option
def redo(dry_run: bool) -> None:
    """Undo the last undo.

    Example: clawgit redo
    """
    with workspace() as ws:
        done = changes.redo(ws, dry_run=dry_run)
        output.emit(done, lambda change: change_text(change, "took back"), as_json=options().as_json)


@command()
@click.argument("path")
@click.option("--at", metavar="REV", help="A change id, a git revision or a date; else as the file last was.")
@dry_run_option
def restore(path: str, at: str | None, dry_run: bool) -> None:
    """Bring a file back.

    Example: clawgit restore MEMORY.md --at yesterday
    """
    with workspace() as ws:
        done = changes.restore(ws, in_workspace(ws, path), at, dry_run=dry_run)
        output.emit(done, lambda change: change_text(change, f"restored {path} as of"), as_json=options().as_json)


def change_text(change: changes.Change, did: str) -> str:
    """The answer of a writing verb in words: what it did, under which id, to which files."""
    if change.dry_run:
        shown = output.colored_diff(change.preview) if change.preview else "nothing would change"
        return shown + "".join(f"\nwould wait for the operator: {why}" for why in change.held)
    if change.held:
        reasons = "".join(f"\n          {why}" for why in change.held)
        ident = click.style(change.id or "", fg="yellow")
        return f"{ident}  waits for the operator: {', '.join(change.changed)}{reasons}"
    if change.parked:
        return f"the change waits as {change.id}: it is applied when git is done and HEAD is on a branch"
    if change.commit is None:
        return "nothing to change: it is so already"
    ident = click.style(change.id or change.commit[:10], fg="yellow")
    return f"{ident}  {did} {change.of}: {', '.join(change.changed)}"


def _snapshot_text(done: changes.Snapshotted) -> str:
    rows = [
        f"{click.style(one.id or one.commit[:10], fg='yellow')}  {one.actor:<18}  {one.summary}" for one in done.commits
    ]
    if done.dry_run:
        rows = [f"would commit {path}" for path in done.changed]
    rows += [click.style(f"alert: {alert}", fg="red") for alert in done.alerts]
    rows += [click.style(f"left out: {path} ({reason})", dim=True) for path, reason in done.skipped]
    return "\n".join(rows) or "nothing has changed"
