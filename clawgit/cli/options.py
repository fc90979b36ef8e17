"""The options that every command takes. Kept apart from `command`, so that `--help` loads no op."""

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from clawgit.cli.given import options
from clawgit.cli.quiet import QuietOption

quiet_option = partial(click.option, cls=QuietOption)
"""An option that programs and experts need: only `--help --all` shows it."""


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


shared_options = together(
    quiet_option(
        "-C",
        "directory",
        metavar="DIR",
        expose_value=False,
        callback=_keep,
        help="The workspace.  [env: CLAWGIT_WORKSPACE]",
    ),
    quiet_option(
        "--json",
        "as_json",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Answer in JSON.",
    ),
    quiet_option(
        "--now",
        metavar="ISO",
        expose_value=False,
        callback=_keep,
        help="Set the clock.  [env: CLAWGIT_NOW]",
    ),
    quiet_option(
        "--actor",
        metavar="NAME",
        expose_value=False,
        callback=_keep,
        help="Name the agent that calls.",
    ),
)
"""-C, --json, --now and --actor, taken before or after the command; each lands in `given`."""

PREVIEW = "clawgit.preview"
"""The key of the note that a call prints at its end if it wrote nothing."""


def _keep_preview(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    if value:
        ctx.meta[PREVIEW] = "preview, nothing written"
    return value


def _keep_application(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    if not value:
        ctx.meta[PREVIEW] = "preview, nothing written; --apply writes"
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
