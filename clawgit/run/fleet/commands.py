"""`fleet`: one runner on several machines. No command of it needs a workspace."""

import os
import signal
import socket
import time
from pathlib import Path
from threading import Event, Thread

import click

from clawgit.core.disk.failures import explained
from clawgit.core.disk.xdg import state_home
from clawgit.core.errors import ClawgitError, DamagedError, StorageError, UsageError
from clawgit.git.rules.actors import AGENT
from clawgit.git.rules.ids import digest
from clawgit.run.fleet import members
from clawgit.run.fleet.database import Address, DroppedError, FleetError, address_of
from clawgit.run.fleet.queue import Pace, Post
from clawgit.run.fleet.queue import init as make_tables
from clawgit.run.fleet.worker import MACHINE, serve
from clawgit.terminal import output
from clawgit.terminal.command import Answer, Answers, command, group, option
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import caller, heed_sigterm
from clawgit.terminal.output import counted
from clawgit.workspace.workspace import Caller

_DATABASE = "CLAWGIT_FLEET"
_MOMENT, _FAREWELL = 1.0, 6
_PASSWORD = "PGPASSWORD"  # noqa: S105 - the name of libpq's variable

_database_option = option("--database URL", f"The database.  [env: {_DATABASE}]")


def _address(typed: str) -> Address:
    """The database that was named. Its password goes to libpq by a variable of libpq's own."""
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
    return members.status(_address(database)), _status_text


@command("init")
@_database_option
def init(database: str) -> Answer:
    """Make the tables in the database, or bring them up to date.

    Example: clawgit fleet init --database postgresql://db/clawgit
    """
    done = make_tables(_address(database))
    return done, lambda done: output.told(done, nothing="the tables are up to date")


@command("add")
@click.argument("remote")
@option("--agent NAME", "Its agent.  [default: the name of the repository]")
@option("--branch NAME", "Its branch.  [default: the one that it has, else main]")
@option("--accepted DIR", "Sign what you accepted in this workspace, for the workers.",
        type=click.Path(exists=True, file_okay=False, path_type=Path), default=None)  # fmt: skip
@_database_option
def add(remote: str, agent: str, branch: str, accepted: Path | None, database: str) -> Answer:
    """Add the workspace of a git remote that workers reach.

    Workers accept settings by the signature of your operator key alone. Adding it again changes
    what is known of it.

    Example: clawgit fleet add ssh://git@host/coder.git --accepted ~/coder
    """
    return members.add(_address(database), caller(), remote, agent, branch, accepted), output.told


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
@option("--pace", "", nargs=3, type=float, default=Pace(), hidden=True)
@_database_option
def worker(slots: int, cache: str, pace: tuple[float, ...], database: str) -> int:
    """Do what is due, until Ctrl-C. Start as many as you like, on any machine.

    Example: clawgit fleet worker --slots 4
    """
    address, over = _address(database), Event()

    def end(*_: object) -> None:
        over.set()
        # A database that does not answer would hold it for minutes. What is cut off counts nowhere.
        signal.alarm(_FAREWELL)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    folder = _cache(cache, caller(), address)
    output.tell(f"working as {_name()} with {counted(slots, 'slot')}; Ctrl-C ends it")
    serve(Post(address, folder, slots, Pace(*pace), dict(os.environ), output.tell), over)
    return 0


@command("work")
@click.argument("due", type=click.IntRange(1))
@option("--cache DIR", "Where the clones are.")
@option("--worker PID", "End when this process does.", type=int, default=0)
@_database_option
def work(due: int, cache: str, worker: int, database: str) -> Answers:
    """Do one row of what is due; a worker starts this.

    Example: clawgit fleet work 7
    """
    heed_sigterm()
    if worker:
        Thread(target=_end_with, args=(worker,), daemon=True).start()
    address, asker = _address(database), caller()
    # The job, and what it starts, gets neither the operator's rights nor the database.
    env = {name: text for name, text in asker.env.items() if name not in (_DATABASE, _PASSWORD)}
    asker = asker._replace(actor=AGENT, env=env)
    try:
        work_on = load("run.fleet.working:work")
        done = work_on(address, due, _cache(cache, asker, address), asker, _name())
    except DroppedError as error:
        yield error.message, str
    except (ClawgitError, OSError) as error:
        plain = explained(error)
        # A damaged file is the workspace's own fault, not that of this machine.
        if isinstance(plain, DamagedError) or not isinstance(plain, (StorageError, FleetError)):
            raise
        output.note(f"error: {plain.message}")
        yield MACHINE
    else:
        yield done, str


def _end_with(worker: int) -> None:
    """With all that this process has started: a `git push` may hang."""
    while os.getppid() == worker:
        time.sleep(_MOMENT)
    os.killpg(0, signal.SIGKILL)


@command("status")
@option("--agent NAME", "Of one workspace alone.")
@_database_option
def status(agent: str, database: str) -> Answer:
    """Show the workers, and what is due, running, late and failed.

    The exit code is 1 if something is late or has failed.

    Example: clawgit fleet status
    """
    return members.status(_address(database), agent), _status_text


def _status_text(status: members.FleetStatus) -> str:
    return f"{status.summary}\n\n{output.told(status, nothing='')}"


@command("retry")
@click.argument("agent", default="")
@_database_option
def retry(agent: str, database: str) -> Answer:
    """Try again at once what has failed, of one agent or of all.

    Example: clawgit fleet retry coder
    """
    done, nothing = members.retry(_address(database), agent), "nothing has failed"
    return done, lambda rows: output.told({"retried": rows}, nothing=nothing)


def _name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _cache(typed: str, asker: Caller, address: Address) -> Path:
    """Two fleets of one machine have two."""
    usual = state_home(asker.env, asker.home) / "clawgit" / "fleet"
    fleet = digest(address.plain)[:12]
    folder = Path(typed).absolute() if typed else usual / fleet
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
