"""`sync`: one memory on several machines; `backup`: one file that holds it all."""

import sys
from pathlib import Path
from typing import Any

import click

from clawgit.core.errors import ClawgitError
from clawgit.history.backup import back_up
from clawgit.history.restoring import Verification, restore_backup, verify
from clawgit.history.sync import sync as op_sync
from clawgit.history.synced import Synced, Tell
from clawgit.terminal import output
from clawgit.terminal.command import (
    Answer,
    Answers,
    LazyGroup,
    command,
    dry_run_option,
    group,
    option,
)
from clawgit.terminal.opening import caller
from clawgit.terminal.text import options
from clawgit.workspace.workspace import Workspace

_FILE = click.Path(path_type=Path, resolve_path=True)


class _SaveByDefault(LazyGroup):
    """`backup FILE` is short for `backup save FILE`.

    A file with the name of a command is given with its folder: ./verify.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {*self.places, *self.get_help_option_names(ctx)}
        return super().parse_args(ctx, args if known.intersection(args) else ["save", *args])


@group("backup", _SaveByDefault)
def backup() -> None:
    """Save everything to one file; verify it; restore it.

    The file holds the whole history, uncommitted changes, and clawgit's own state. It does not
    hold files that git ignores, repositories inside the workspace, empty folders, or git's
    configuration, hooks and reflogs.

    Example: clawgit backup ~/agent.backup && clawgit backup verify ~/agent.backup
    """


@command("save")
@click.argument("file", type=_FILE)
@option("--force", "Overwrite FILE.")
@dry_run_option
def save(ws: Workspace, file: Path, **flags: Any) -> Answer:
    """Take a snapshot, write FILE, and verify it.

    To verify it, it is restored to a temporary folder and compared, as `backup verify` does. A
    file that does not restore everything is deleted.

    Example: clawgit backup ~/agent.backup
    """
    return back_up(ws, file, **flags), output.told


@command("verify")
@click.argument("file", type=_FILE)
def verify_(file: Path) -> Answer:
    """Restore FILE to a temporary folder and compare.

    Exits with 1 if anything differs. It needs no workspace.

    Example: clawgit backup verify ~/agent.backup
    """
    return verify(file, caller().env), _verified_text


@command("restore")
@click.argument("file", type=_FILE)
@click.argument("folder", metavar="DIR", type=_FILE)
@dry_run_option
def restore(file: Path, folder: Path, dry_run: bool) -> Answer:
    """Restore the workspace to DIR, a new folder.

    DIR must be empty or not exist.

    Example: clawgit backup restore ~/agent.backup ~/agent
    """
    return restore_backup(file, folder, caller().env, dry_run=dry_run), output.told


def _verified_text(result: Verification) -> str:
    marks = {True: output.good("ok    "), False: output.error("FAILED")}
    return "\n".join(f"{marks[check.ok]} {check.name}: {check.detail}" for check in result.checks)


_FEW = 3


class _StoppedError(ClawgitError):
    """A sync ended in a state in which somebody must do something."""

    kind = "sync"


@command("sync")
@option("--remote R", "The name of a remote, as git remote -v lists it.")
@dry_run_option
def sync(ws: Workspace, remote: str, *, dry_run: bool) -> Answers:
    """Bring this memory and a remote to the same state.

    Commits edits that are not committed yet, fetches, merges by entries, and pushes. Without
    --remote it uses the setting sync_remote, else the branch's upstream, else origin. Nothing is
    forced: if there is a conflict, or the remote's history was rewritten, no branch changes, and
    the answer says what to do. Exits with 0 even if the remote cannot be reached.

    Chat messages, the access log and the queues belong to one machine and are not synced; `clawgit
    backup` saves them.

    Example: clawgit sync --dry-run
    """
    asks = sys.stdin.isatty()
    done = op_sync(ws, remote, dry_run=dry_run, prompts=asks, tell=_progress())
    if done.failed and not options().as_json:
        if details := _details(output.tame(done)):
            output.note(*details)
        raise _StoppedError(done.message, hint=done.next)
    yield done, _text
    yield int(done.failed)


def _progress() -> Tell:
    """A line for each step on a terminal. git may ask for a password there, so none is redrawn."""
    if options().as_json or not sys.stderr.isatty():
        return lambda _words: None
    return lambda words: output.note(output.dim(output.inline(f"{words} …")))


def _text(done: Synced) -> str:
    rows = [done.message, *_details(done)]
    if done.next:
        rows.append(output.next_step(done.next))
    return "\n".join(rows)


def _details(done: Synced) -> list[str]:
    rows = []
    if done.changed:
        files = output.first_of(map(output.shown, done.changed), _FEW)
        rows.append(f"{output.counted(len(done.changed), 'file')} changed here: {files}")
    if done.rescue:
        rows.append(output.dim(f"what was here before: {done.rescue}"))
    rows += [output.warned(alert) for alert in done.alerts]
    return [*rows, *output.notes(done.notes)]
