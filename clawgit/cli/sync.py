"""`sync`: one memory on several machines."""

import sys

from clawgit.cli import output
from clawgit.cli.command import Answers, command, dry_run_option, option
from clawgit.cli.given import options
from clawgit.errors import ClawgitError
from clawgit.ops.sync.sync import sync as op_sync
from clawgit.ops.sync.synced import Synced, Tell
from clawgit.ops.workspace.workspace import Workspace

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
    done = op_sync(
        ws,
        remote,
        dry_run=dry_run,
        prompts=sys.stdin.isatty(),
        tell=_progress(),
    )
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
