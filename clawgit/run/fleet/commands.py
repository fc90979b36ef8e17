"""`fleet`: one runner on several machines. No command of it needs a workspace."""

import os
import signal
import socket
from collections.abc import Mapping
from pathlib import Path
from threading import Event

import click

from clawgit.core.disk.failures import explained
from clawgit.core.disk.xdg import state_home
from clawgit.core.errors import ClawgitError, DamagedError, StorageError, UsageError
from clawgit.git.rules.actors import AGENT
from clawgit.run.fleet import members, schema, standing
from clawgit.run.fleet.database import Address, FleetError, UnfitError, address_of
from clawgit.run.fleet.queue import Pace
from clawgit.run.fleet.worker import MACHINE, Post, serve
from clawgit.terminal import output
from clawgit.terminal.command import Answer, Answers, command, group, option
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import caller, heed_sigterm
from clawgit.terminal.output import counted, dim
from clawgit.workspace.workspace import Caller

_DATABASE = "CLAWGIT_FLEET"
_OWN_FAULTS = (DamagedError, UnfitError)
"""Of the workspace, not of this machine."""

_PASSWORD = "PGPASSWORD"  # noqa: S105 - the name of libpq's variable

_database_option = option("--database URL", f"The database.  [env: {_DATABASE}]")
_stale_option = option(
    "--stale S", "Seconds without a heartbeat after which a worker is dead.",
    type=click.FloatRange(min=1), default=Pace().stale, hidden=True,
)  # fmt: skip


def _address(typed: str) -> Address:
    """The database that was named. A password goes to libpq by its own variable, and is in no
    address from here on.
    """
    text = typed or os.environ.get(_DATABASE, "")
    if not text:
        raise UsageError(
            "No database is named.", hint=f"--database postgresql://HOST/NAME, or {_DATABASE}"
        )
    address, password = address_of(text)
    if password and typed:
        raise UsageError(
            "A password on the command line is seen by every user of this machine.",
            hint=f"Put it into ~/.pgpass, or the address into {_DATABASE}",
        )
    if password:
        os.environ[_PASSWORD] = password
    os.environ[_DATABASE] = address.plain
    return address


@group("fleet")
@_database_option
def fleet(database: str) -> Answer:
    """Run the jobs of many workspaces on several machines.

    PostgreSQL says what is due, git remotes hold the memory. Needs the extra `fleet`.

    Example: clawgit fleet status
    """
    return standing.status(_address(database), Pace().stale), _status_text


@command("init")
@_database_option
def init(database: str) -> Answer:
    """Make the tables in the database, or bring them up to date.

    Example: clawgit fleet init --database postgresql://db/clawgit
    """
    done = schema.init(_address(database))
    return done, lambda done: output.told(done, nothing="the tables are up to date")


@command("add")
@click.argument("remote")
@option("--agent NAME", "Its agent.  [default: the name of the repository]")
@option("--branch NAME", "Its branch.", default="main", show_default=True)
@option("--accepted DIR", "Sign what you accepted in this workspace, for the workers.",
        type=click.Path(exists=True, file_okay=False), default=None)  # fmt: skip
@_database_option
def add(remote: str, agent: str, branch: str, accepted: str | None, database: str) -> Answer:
    """Add the workspace of a git remote that workers reach.

    Workers accept settings by the signature of your operator key alone. Adding it again changes
    what is known of it.

    Example: clawgit fleet add ssh://git@host/coder.git --accepted ~/coder
    """
    address, folder = _address(database), Path(accepted) if accepted else None
    return members.add(address, caller(), remote, agent, branch, folder), output.told


@command("remove")
@click.argument("agent")
@_database_option
def remove(agent: str, database: str) -> Answer:
    """Take a workspace out of the fleet; its remote and its messages stay.

    Example: clawgit fleet remove coder
    """
    return members.remove(_address(database), caller(), agent), output.told


@command("worker")
@option("--slots N", "How many jobs at once.", type=click.IntRange(1, 64), default=2,
        show_default=True)  # fmt: skip
@option("--cache DIR", "Where its clones are.  [default: ~/.local/state/clawgit/fleet]")
@option("--tick S", "", type=click.FloatRange(min=0.05), default=Pace().tick, hidden=True)
@option("--longest S", "", type=click.FloatRange(min=1), default=Pace().longest, hidden=True)
@_stale_option
@_database_option
def worker(
    slots: int, cache: str, tick: float, longest: float, stale: float, database: str
) -> int:  # fmt: skip
    """Do what is due, until Ctrl-C. Start as many as you like, on any machine.

    Example: clawgit fleet worker --slots 4
    """
    address, asker, over = _address(database), caller(), Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: over.set())
    folder = _cache(cache, asker)
    pace = Pace(tick, min(stale / 3, Pace().heartbeat), stale, longest)
    output.tell(f"working as {_name()} with {counted(slots, 'slot')}; Ctrl-C ends it")
    serve(Post(address, folder, slots, pace, dict(os.environ), output.tell), over)
    return 0


@command("work")
@click.argument("due", type=click.IntRange(1))
@option("--cache DIR", "Where the clones are.")
@_database_option
def work(due: int, cache: str, database: str) -> Answers:
    """Do one row of what is due; a worker starts this.

    Example: clawgit fleet work 7
    """
    heed_sigterm()
    address, asker = _address(database), caller()
    # The job, and what it starts, gets neither the operator's rights nor the database.
    asker = asker._replace(actor=AGENT, env=_without_database(asker.env))
    try:
        work_on = load("run.fleet.working:work")
        done = work_on(address, due, _cache(cache, asker), asker, _name())
    except (ClawgitError, OSError) as error:
        plain = explained(error)
        if not isinstance(plain, (StorageError, FleetError)) or isinstance(plain, _OWN_FAULTS):
            raise
        output.note(f"error: {plain.message}")
        yield MACHINE
    else:
        yield done, output.told


@command("status")
@option("--agent NAME", "Of one workspace alone.")
@_stale_option
@_database_option
def status(agent: str, stale: float, database: str) -> Answer:
    """Show the workers, and what is due, running, late and failed.

    The exit code is 1 if something is late or has failed.

    Example: clawgit fleet status
    """
    return standing.status(_address(database), stale, agent), _status_text


@command("retry")
@click.argument("agent", default="")
@_database_option
def retry(agent: str, database: str) -> Answer:
    """Try again at once what has failed, of one agent or of all.

    Example: clawgit fleet retry coder
    """
    done = standing.retry(_address(database), agent)
    return done, _retried_text


def _status_text(found: standing.FleetStatus) -> str:
    alive = sum(row.alive for row in found.workers)
    first = f"{counted(alive, 'worker')} alive, {counted(len(found.workspaces), 'workspace')}"
    if not found.workspaces:
        return f"{first}\n{output.next_step('clawgit fleet add REMOTE')}"
    return f"{first}\n{output.told(found)}"


def _retried_text(rows: tuple[standing.Retried, ...]) -> str:
    lines = [f"{row.agent}: {row.job} of {row.at:%Y-%m-%d %H:%M}" for row in rows]
    return "\n".join(lines) or dim("nothing has failed")


def _name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _cache(typed: str, asker: Caller) -> Path:
    folder = Path(typed).absolute() if typed else _usual_cache(asker)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _usual_cache(asker: Caller) -> Path:
    return state_home(asker.env, asker.home) / "clawgit" / "fleet"


def _without_database(env: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in env.items() if name not in (_DATABASE, _PASSWORD)}
