"""The options that every command takes. Kept apart from `command`, so that `--help` loads no op."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.quiet import QuietOption

if TYPE_CHECKING:
    from clawgit.stores.asking import Asked

quiet_option = partial(click.option, cls=QuietOption)
"""An option that programs and experts need: only `--help --all` shows it."""


@dataclass
class Options:
    """The shared options, wherever on the command line they were.

    `asked` is the change that the service was asked to make before this command began.
    """

    directory: str | None = None
    as_json: bool = False
    now: str | None = None
    actor: str | None = None
    asked: "Asked | None" = None


def options() -> Options:
    return click.get_current_context().find_object(Options) or Options()


def shared_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """-C, --json, --now and --actor, taken before or after the command; each lands in `Options`."""
    for option in reversed(_SHARED):
        function = option(function)
    return function


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Stores a given value; without one, a value from before the command stays."""
    if value in (None, False):
        return
    kept = ctx.find_object(Options)
    if kept is not None:
        setattr(kept, str(param.name), value)


_SHARED = (
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
