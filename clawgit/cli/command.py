"""What each of our commands has in addition to click's: the options that every command takes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from clawgit.cli.given import options


class _Exact(click.Command):
    """A command that shows secrets unmasked to the operator, and masked to everybody else."""

    def invoke(self, ctx: click.Context) -> Any:
        options().exact = True
        return super().invoke(ctx)


def command(
    name: str | None = None, *, exact: bool = False, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """A click command with the shared options. Its output is masked, except with `exact`.

    `exact` lifts the mask only where the operator calls.
    """

    def wrap(function: Callable[..., Any]) -> click.Command:
        return click.command(name, _Exact if exact else click.Command, **attributes)(
            shared_options(function)
        )

    return wrap


class Share(click.FloatRange):
    """A number from 0 to 1. click takes nan for one in range; this type refuses it."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if number != number:  # noqa: PLR0124 - only nan differs from itself
            self.fail(f"{value} is not a number from 0 to 1.", param, ctx)
        return number


def together(*options: Callable[..., Any]) -> Callable[..., Any]:
    """One decorator for several options, in the order of the help."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return wrap


_COUNTABLE = 10**9
"""More than any list has. Numbers far beyond do not fit into SQLite, nor into a list."""


def limit_option(
    default: int, text: str = "At most this many.", most: int | None = None
) -> Callable[..., Any]:
    """-n: how many of a list are shown."""
    return click.option(
        "-n",
        "--limit",
        "limit",
        type=click.IntRange(1, most),
        default=default,
        callback=_countable,
        show_default=True,
        help=text,
    )


def _countable(_: click.Context, __: click.Parameter, value: int) -> int:
    return min(value, _COUNTABLE)


def revision_option(text: str) -> Callable[..., Any]:
    """--at: "" without it. An empty one is refused: a script may have lost what it meant."""
    return click.option("--at", metavar="REV", callback=_named, help=text)


def _named(_: click.Context, __: click.Parameter, value: str | None) -> str:
    if value is not None and not value.strip():
        raise click.BadParameter("Name a change id, a git revision or a date.")
    return value or ""


def _keep(_: click.Context, param: click.Parameter, value: Any) -> None:
    """Stores a given value; without one, a value from before the command stays."""
    if value not in (None, False):
        setattr(options(), str(param.name), value)


def _shared(*, hidden: bool) -> Callable[..., Any]:
    option = partial(click.option, expose_value=False, callback=_keep, hidden=hidden)
    return together(
        option("-C", "directory", metavar="DIR", help="The workspace.  [env: CLAWGIT_WORKSPACE]"),
        option("--json", "as_json", is_flag=True, help="Answer in JSON."),
        option("--now", metavar="ISO", help="Set the clock.  [env: CLAWGIT_NOW]"),
        option("--actor", metavar="NAME", help="Name the agent that calls."),
    )


shared_options = _shared(hidden=True)
"""-C, --json, --now and --actor, taken before or after the command; each lands in `given`. Only the
help of `clawgit` itself lists them."""

top_options = _shared(hidden=False)


def _keep_preview(_: click.Context, __: click.Parameter, value: bool) -> bool:
    if value:
        options().preview = "preview, nothing written"
    return value


def _keep_application(_: click.Context, __: click.Parameter, value: bool) -> bool:
    if not value:
        options().preview = "preview, nothing written; --apply writes"
    return value


dry_run_option = click.option(
    "--dry-run",
    is_flag=True,
    callback=_keep_preview,
    help="Show what would change, and change nothing.",
)

apply_option = click.option(
    "--apply",
    "apply_it",
    is_flag=True,
    callback=_keep_application,
    help="Write the changes; without it, only show them.",
)
