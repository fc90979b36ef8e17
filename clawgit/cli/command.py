"""What our commands have in addition to click's."""

from collections.abc import Callable
from typing import Any

import click

from clawgit.cli.given import options
from clawgit.cli.options import shared_options
from clawgit.cli.output import shown
from clawgit.cli.quiet import QuietCommand


class _Exact(QuietCommand):
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
        return click.command(name, _Exact if exact else QuietCommand, **attributes)(
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


def is_typed(word: str, what: str) -> bool:
    """Whether the operator types a word before what cannot be taken back."""
    typed = click.prompt(
        f"This cannot be undone. Type {shown(word)} to {what}",
        default="",
        show_default=False,
        err=True,
    )
    return bool(typed.strip() == word)
