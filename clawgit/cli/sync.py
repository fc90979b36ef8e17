"""`sync`: one memory on several machines."""

import sys
from typing import TYPE_CHECKING

from clawgit.cli import output
from clawgit.cli.command import Answers, command, dry_run_option, option
from clawgit.cli.given import options
from clawgit.errors import ClawgitError
from clawgit.ops.sync.sync import sync as op_sync
from clawgit.ops.sync.synced import Synced, Tell
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.ops.forgetting.adopting import AdoptPlan
    from clawgit.ops.sync.following import Agree

_FEW = 3
_MOST = 20
_WORD = "forget"


class _StoppedError(ClawgitError):
    """A sync ended in a state in which somebody must do something."""

    kind = "sync"


@command("sync")
@option("--remote R", "The name of a remote, as git remote -v lists it.")
@option(
    "--adopt-forgotten",
    "Forget here what was forgotten elsewhere; asks first. Only the operator may.",
)
@dry_run_option
def sync(ws: Workspace, remote: str, *, adopt_forgotten: bool, dry_run: bool) -> Answers:
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
        agree=_question(dry_run=dry_run) if adopt_forgotten else None,
    )
    if done.failed and not options().as_json:
        if details := _details(output.tame(done)):
            output.note(*details)
        raise _StoppedError(done.message, hint=done.next)
    yield done, _text
    yield int(done.failed)


def _question(*, dry_run: bool) -> "Agree":
    """The function that asks the operator; a dry run only shows what would be removed."""

    def agrees(plan: "AdoptPlan") -> bool:
        _show(output.tame(plan))
        return not dry_run and output.is_typed(_WORD, "rewrite history here too")

    return agrees


def _show(plan: "AdoptPlan") -> None:
    """Shows what would be removed."""
    lines = plan.forgetting.files.lines
    signed = "signed with your key" if plan.signed else "not signed"
    acts = output.counted(len(plan.acts), "time")
    output.note(f"forgotten elsewhere, {acts}; the record is {signed}")
    for line in lines[:_MOST]:
        text = output.one_line(line.text)
        output.note(f"{output.removed('removed')}  {line.path}:{line.line}  {text}")
    output.note(f"in history: {output.counted(plan.forgetting.in_history, 'object')}")


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
