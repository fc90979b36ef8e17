"""`triage`, `heartbeat` and `queue`: what a message calls for, and what became of that."""

import sys
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import (
    caller,
    clock,
    command,
    dry_run_option,
    find_start,
    heed_sigterm,
    options,
    shared_options,
    standard_input,
    workspace,
)
from clawgit.cli.output import dim, shown
from clawgit.errors import NotAWorkspaceError, UsageError

if TYPE_CHECKING:
    from clawgit.domain.conversation.triage import Trigger
    from clawgit.ops.conversation.heartbeat import Heartbeat
    from clawgit.ops.conversation.queue import Queues, Settled, Taken, Waiting
    from clawgit.ops.conversation.triage import Patterns, Triaged

_STDIN = "-"
_SHOWN = 70

_idents = click.argument(
    "idents", type=click.IntRange(1, 2**63 - 1), nargs=-1, required=True, metavar="ID..."
)


@command("triage")
@click.argument("text", required=False)
def triage(text: str | None) -> None:
    """Tell what a message asks the memory for, by its words alone.

    TEXT is the message; without it, or with -, it is read from standard input. Nothing is kept.

    Example: clawgit triage "No, my birthday is the 9th. Please remember this."
    """
    from clawgit.ops.conversation import triage as op  # noqa: PLC0415 - a command loads what it needs

    said = _said(text)
    output.emit(op.triage(said, _patterns()), _triaged_text, as_json=options().as_json)


@command("heartbeat")
@click.argument("text", required=False)
@click.option("--session", default="", metavar="S", help="The session it belongs to.")
@click.option("--role", default="user", show_default=True, metavar="R", help="Who speaks.")
@click.option(
    "--id",
    "ident",
    default="",
    metavar="I",
    help="The runtime's id of it; the same id again is no news.",
)
@click.option("--time", "when", default="", metavar="T", help="When it was said; else now.")
@dry_run_option
def heartbeat(
    text: str | None, session: str, role: str, ident: str, when: str, dry_run: bool
) -> None:
    """Keep a message, triage it, and call the agents it asks for.

    TEXT is the message; without it, or with -, it is read from standard input. A chat runtime calls
    this for each message. It answers first; what is called then works on its own.

    Example: clawgit heartbeat "You forgot the milk." --session agent:main:main
    """
    from clawgit.ops.conversation import heartbeat as op  # noqa: PLC0415 - a command loads what it needs

    said = _said(text)
    with workspace() as opened:
        done = op.heartbeat(
            opened, said, session=session, role=role, ident=ident, time=when, dry_run=dry_run
        )
        output.emit(done, _heartbeat_text, as_json=options().as_json)
        sys.stdout.flush()
        for trouble in () if dry_run else op.follow_up(opened, clock()):
            output.note(f"note: {shown(trouble)}")


@click.group("queue")
@shared_options
def queue() -> None:
    """Show the calls that wait for agents, try them anew, drop them.

    Example: clawgit queue list
    """


@command("list")
def list_() -> None:
    """List the calls that wait, and those that were set aside after three tries.

    Example: clawgit queue list
    """
    from clawgit.ops.conversation import queue as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as opened:
        output.emit(op.queues(opened), _queues_text, as_json=options().as_json)


@command("take")
@click.argument("name")
def take(name: str) -> None:
    """Take the next call off a queue of your own.

    NAME is what `heartbeat_custom_patterns` in CONFIG.md calls it.

    Example: clawgit queue take pager --json
    """
    from clawgit.ops.conversation import queue as op  # noqa: PLC0415 - a command loads what it needs

    def tell(taken: "Taken") -> None:
        output.emit(taken, _taken_text, as_json=options().as_json)
        sys.stdout.flush()

    with workspace() as opened:
        op.take(opened, name, tell, clock())


@command("work")
def work() -> None:
    """Have those who are called do their work: scripts of yours, agents of ours. The runner does it
    by itself.

    Example: clawgit queue work
    """
    from clawgit.ops.conversation import heartbeat as op  # noqa: PLC0415 - a command loads what it needs

    heed_sigterm()
    with workspace() as opened:
        troubles = op.follow_up(opened, clock())
        output.emit(
            op.FollowedUp(troubles),
            lambda done: "\n".join(map(shown, done.troubles)),
            as_json=options().as_json,
        )


@command("retry")
@_idents
@dry_run_option
def retry(idents: tuple[int, ...], dry_run: bool) -> None:
    """Have calls tried anew, as if they had just come.

    ID is a number that `clawgit queue list` shows.

    Example: clawgit queue retry 12
    """
    from clawgit.ops.conversation import queue as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as opened:
        output.emit(
            op.retry(opened, idents, dry_run=dry_run), _settled_text, as_json=options().as_json
        )


@command("drop")
@_idents
@dry_run_option
def drop(idents: tuple[int, ...], dry_run: bool) -> None:
    """Take calls off their queues undone; the messages stay.

    ID is a number that `clawgit queue list` shows.

    Example: clawgit queue drop 12
    """
    from clawgit.ops.conversation import queue as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as opened:
        output.emit(
            op.drop(opened, idents, dry_run=dry_run), _settled_text, as_json=options().as_json
        )


for _command in (list_, take, work, retry, drop):
    queue.add_command(_command)


def _said(text: str | None) -> str:
    if text not in (None, _STDIN):
        return str(text)
    if sys.stdin.isatty():
        raise UsageError("There is no message.", hint='clawgit triage "what was said"')
    return standard_input()


def _patterns() -> "Patterns | None":
    """Those of the workspace, which is not opened for that: a message that is triaged needs no
    repository.
    """
    from clawgit.ops.conversation.triage import patterns_of  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.workspace.workspace import Workspace, is_workspace  # noqa: PLC0415
    from clawgit.stores.git.gitdir import find_repo  # noqa: PLC0415

    asker = caller()
    try:
        place = find_repo(find_start(asker), asker.env)
    except NotAWorkspaceError:
        return None
    return patterns_of(Workspace(place, asker)) if is_workspace(place) else None


def _triaged_text(found: "Triaged") -> str:
    rows = [_trigger_text(one) for one in found.triggers] or [dim("nothing is asked of the memory")]
    rows += [dim(f"cut off: {shown(pattern)}") for pattern in found.cut_off]
    return "\n".join([*rows, *(dim(f"note: {shown(note)}") for note in found.notes)])


def _trigger_text(one: "Trigger") -> str:
    kind = f"{one.kind}, {one.confidence}" if one.confidence else one.kind
    called = (
        f"→ {click.style(shown(one.route), fg='cyan')}" if one.route else dim(f"it {one.reason}")
    )
    return f"{kind:<24}  “{_line(one.match)}”  {called}"


def _heartbeat_text(done: "Heartbeat") -> str:
    rows = [f"{'kept' if done.new else 'known already'}: {_line(done.message.id)}"]
    rows += [_trigger_text(one) for one in done.triggers if done.new]
    rows += [dim(f"cut off: {shown(pattern)}") for pattern in done.cut_off]
    return "\n".join([*rows, *(dim(f"note: {shown(note)}") for note in done.notes)])


def _queues_text(found: "Queues") -> str:
    return "\n".join(map(_waiting_text, found.items)) or dim("no call waits")


def _settled_text(done: "Settled") -> str:
    return "\n".join(map(_waiting_text, done.items))


def _waiting_text(item: "Waiting") -> str:
    state = " set aside" if item.aside else " at work" if item.held else ""
    head = (
        f"{item.id:>5}  {dim(f'{item.since:%Y-%m-%d %H:%M}')}  "
        f"{click.style(shown(item.queue), fg='cyan')}{state}"
    )
    text = _line(item.text[: _SHOWN * 2])
    told = f"  {dim(shown(item.trouble))}" if item.trouble else ""
    return f"{head}  {text if len(text) <= _SHOWN else f'{text[:_SHOWN]} …'}{told}"


def _taken_text(taken: "Taken") -> str:
    return shown(taken.call.message.text) if taken.call else dim("no call waits")


def _line(text: str) -> str:
    """What somebody said, on one line."""
    return shown(" ".join(text.split()))
