"""`queue`: the calls that wait for agents."""

import sys
from collections.abc import Iterable

import click

from clawgit.cli import output
from clawgit.cli.columns import cut
from clawgit.cli.command import command
from clawgit.cli.opening import clock, heed_sigterm, workspace
from clawgit.cli.options import dry_run_option
from clawgit.cli.output import dim, one_line, shown
from clawgit.cli.rows import Cell, Column, table
from clawgit.ops.conversation import heartbeat
from clawgit.ops.conversation import queue as op

_SHOWN = 70
"""How many characters of a message the list shows."""

_idents = click.argument(
    "idents", type=click.IntRange(1, 2**63 - 1), nargs=-1, required=True, metavar="ID..."
)


@command("list")
def list_() -> None:
    """List the waiting calls, and those set aside.

    A call is set aside after three failures.

    Example: clawgit queue list
    """
    with workspace() as opened:
        output.emit(op.queues(opened), _queues_text)


@command("take")
@click.argument("name")
def take(name: str) -> None:
    """Take the next call from a queue of your own.

    NAME is what `heartbeat_custom_patterns` in CONFIG.md calls it.

    Example: clawgit queue take pager --json
    """

    def tell(taken: op.Taken) -> None:
        output.emit(taken, _taken_text)
        sys.stdout.flush()

    with workspace() as opened:
        op.take(opened, name, tell, clock())


@command("work")
def work() -> None:
    """Run the scripts and agents of the waiting calls.

    The runner does this by itself.

    Example: clawgit queue work
    """
    heed_sigterm()
    with workspace() as opened:
        waiting = len(op.queues(opened).items)
        done = heartbeat.FollowedUp(heartbeat.follow_up(opened, clock()))
        output.emit(done, lambda done: _worked_text(done, waiting))


@command("retry")
@_idents
@dry_run_option
def retry(idents: tuple[int, ...], dry_run: bool) -> None:
    """Retry calls as if they had just come in.

    ID is a number that `clawgit queue list` shows.

    Example: clawgit queue retry 12
    """
    with workspace() as opened:
        output.emit(op.retry(opened, idents, dry_run=dry_run), _settled_text)


@command("drop")
@_idents
@dry_run_option
def drop(idents: tuple[int, ...], dry_run: bool) -> None:
    """Remove calls without running them.

    The messages stay. ID is a number that `clawgit queue list` shows.

    Example: clawgit queue drop 12
    """
    with workspace() as opened:
        output.emit(op.drop(opened, idents, dry_run=dry_run), _settled_text)


def _queues_text(listing: op.Queues) -> str:
    return _waiting_text(listing.items) or dim("no call is waiting")


def _worked_text(done: heartbeat.FollowedUp, waiting: int) -> str:
    if not waiting:
        return dim("no call is waiting")
    started = f"{output.counted(waiting, 'call')} waited: their agents and scripts were started"
    return "\n".join([started, *map(shown, done.troubles)])


def _settled_text(done: op.SettledCalls) -> str:
    return _waiting_text(done.items)


def _waiting_text(items: Iterable[op.WaitingCall]) -> str:
    return "\n".join(table(list(map(_cells, items)), _COLUMNS))


_COLUMNS = (
    Column(right=True),
    Column(dim),
    Column(output.key),
    Column(),
    Column(yields=2, least=20),
    Column(dim, yields=1, least=20),
)


def _cells(item: op.WaitingCall) -> list[Cell]:
    # Twice as much as is shown is used, since joining the lines may shorten it.
    text = cut(one_line(item.text[: _SHOWN * 2]), _SHOWN)
    since = f"{item.since:%Y-%m-%d %H:%M}"
    return [str(item.id), since, shown(item.queue), _state(item), text, shown(item.trouble)]


def _state(item: op.WaitingCall) -> str:
    if item.aside:
        return "set aside"
    if item.held:
        return "in progress"
    return ""


def _taken_text(taken: op.Taken) -> str:
    return shown(taken.call.message.text) if taken.call else dim("no call is waiting")
