"""What every command shares: the options for workspace, output, clock and caller, and a workspace
opened from them.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import MAXYEAR, datetime
from pathlib import Path
from typing import Any

import click

from clawgit.cli import output
from clawgit.domain.change.actors import AGENT, OPERATOR, Actor, actor_named
from clawgit.domain.safety.secrets import masked
from clawgit.errors import NotAWorkspaceError, UsageError
from clawgit.ops.safety.masking import mask_of
from clawgit.ops.workspace.workspace import Caller, Workspace, is_workspace, open_workspace
from clawgit.stores.git.gitdir import find_repo
from clawgit.stores.git.place import locate

_LONGEST = 16 * 1024 * 1024


@dataclass
class Options:
    """The shared options, wherever on the line they stood."""

    directory: str | None = None
    as_json: bool = False
    now: str | None = None
    actor: str | None = None


def shared_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """-C, --json, --now and --actor, taken before or after the command; each lands in `Options`."""
    for option in (
        click.option("-C", "directory", metavar="DIR", expose_value=False, callback=_keep,
                     help="The workspace.  [env: CLAWGIT_WORKSPACE]"),
        click.option("--json", "as_json", is_flag=True, expose_value=False, callback=_keep,
        help="Answer in JSON."),
        click.option("--now", metavar="ISO", expose_value=False, callback=_keep,
                     help="Set the clock.  [env: CLAWGIT_NOW]"),
        click.option("--actor", metavar="NAME", expose_value=False, callback=_keep,
                     help="Name the agent that calls."),
    ):  # fmt: skip
        function = option(function)
    return function


class _Exact(click.Command):
    """One whose answer the operator sees as it is, secrets included; everybody else sees masks."""


def command(
    name: str | None = None, *, exact: bool = False, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """A click command with the shared options. What it prints is masked; `exact` spares the
    operator that.
    """

    def wrap(function: Callable[..., Any]) -> click.Command:
        return click.command(name, _Exact if exact else click.Command, **attributes)(
            shared_options(function)
        )

    return wrap


class Share(click.FloatRange):
    """A number from 0 to 1. What is no number at all compares as one that is in range, and is
    refused here.
    """

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        found = float(super().convert(value, param, ctx))
        if found != found:  # noqa: PLR0124 - only nan differs from itself
            self.fail(f"{value} is no number from 0 to 1.", param, ctx)
        return found


dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Show what would change, and change nothing."
)


def options() -> Options:
    return click.get_current_context().find_object(Options) or Options()


def caller() -> Caller:
    """Who calls: a terminal on standard input is the operator, everybody else an agent."""
    given = options()
    return Caller(
        actor=_actor(given.actor), env=dict(os.environ), now=moment(given.now), home=Path.home()
    )


def clock() -> Callable[[], datetime]:
    """What time it is, for whoever works for long; it can be asked from any thread."""
    told = options().now
    return lambda: moment(told)


def heed_sigterm() -> None:
    """Has SIGTERM end this command as Ctrl-C does, so that the programs that it has started end
    with it.
    """
    import signal  # noqa: PLC0415 - most commands start none

    signal.signal(signal.SIGTERM, signal.default_int_handler)


def start_folder() -> Path:
    """The folder that -C or the environment names, else the current one."""
    named = options().directory or os.environ.get("CLAWGIT_WORKSPACE")
    return Path(named).absolute() if named else Path.cwd()


@contextmanager
def workspace() -> Iterator[Workspace]:
    """The workspace of this call, closed after the answer."""
    asker = caller()
    opened = open_workspace(find_start(asker), asker)
    context = click.get_current_context(silent=True)
    is_exact = context is not None and isinstance(context.command, _Exact)
    output.mask_by(mask_of(opened), exact=is_exact and asker.actor == OPERATOR)
    try:
        yield opened
        _tell_what_waits(opened)
    finally:
        sys.stdout.flush()
        opened.close()


def _tell_what_waits(opened: Workspace) -> None:
    """Once: a setting that somebody wrote, and that does nothing yet, must not be a riddle."""
    loaded = opened.__dict__.get(
        "config"
    )  # a command that asked for no setting is not slowed down by this
    if loaded is None or not loaded.pending:
        return
    from clawgit.cli import output  # noqa: PLC0415 - nearly always nothing waits
    from clawgit.ops.workspace.trust import news  # noqa: PLC0415

    if told := news(opened):
        output.note(f"note: {output.shown(told)}")


def in_workspace(opened: Workspace, path: str) -> str:
    """A path as a user in a folder of the workspace means it: what lies there comes first, else
    from the top.
    """
    here = Path.cwd()
    if options().directory or Path(path).is_absolute() or not here.is_relative_to(opened.root):
        return path
    from_here = here / path
    return str(from_here) if from_here.exists() or not (opened.root / path).exists() else path


def standard_input() -> str:
    """What comes in on standard input, as far as it can be meant; bytes that are no UTF-8 are
    replaced.
    """
    return sys.stdin.buffer.read(_LONGEST).decode("utf-8", "replace")


def find_start(asker: Caller) -> Path:
    """Where nothing is named and the current folder is no workspace, OpenClaw's default one
    serves.
    """
    start = start_folder()
    if options().directory or os.environ.get("CLAWGIT_WORKSPACE"):
        if not start.is_dir():
            raise UsageError(
                f"{start} is not a folder.", hint=f"Make one with `clawgit init {start}`."
            )
        return start
    try:
        if is_workspace(find_repo(start, asker.env)):
            return start
    except NotAWorkspaceError:
        pass
    from clawgit.stores import openclaw  # noqa: PLC0415 - only where no workspace is at hand

    found = openclaw.find(asker.home, asker.env)
    homes = (agent.workspace for agent in found.agents) if found else iter(())
    return next((home for home in homes if (place := locate(home)) and is_workspace(place)), start)


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value in (None, False):
        return
    kept = ctx.find_object(Options)
    if kept is not None:
        setattr(kept, str(param.name), value)


def _actor(name: str | None) -> Actor:
    if name is None:
        return OPERATOR if sys.stdin is not None and sys.stdin.isatty() else AGENT
    actor = actor_named(name.strip().lower())
    if actor == OPERATOR:
        raise UsageError(
            "--actor cannot name the operator.",
            hint="The operator is whoever sits at the terminal; leave it out.",
        )
    if not actor.slug.replace("-", "").isalnum() or masked(actor.slug) != actor.slug:
        raise UsageError(
            f"{name!r} is no actor's name.", hint="Use letters, digits and dashes: --actor my-agent"
        )
    return actor


def moment(text: str | None) -> datetime:
    """A time as --now takes it; without one, what CLAWGIT_NOW says, else now."""
    text = text or os.environ.get("CLAWGIT_NOW")
    if not text:
        return datetime.now().astimezone()
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is no time.", hint="Use ISO 8601: 2026-02-14T09:00:00+01:00"
        ) from error
    if not _FIRST_YEAR <= when.year < MAXYEAR:
        raise UsageError(
            f"{text!r} is no time that a commit can have.", hint="Take a year from 1971 on."
        )
    return when if when.tzinfo else when.astimezone()


_FIRST_YEAR = 1971
"""Git counts from 1970, in whatever zone."""
