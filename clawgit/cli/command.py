"""What a command of ours is: options that every command takes, the workspace, a printed answer."""

from collections.abc import Callable, Generator
from contextlib import nullcontext
from functools import partial, update_wrapper
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.command_table import load
from clawgit.cli.given import options

Answer = tuple[Any, Callable[[Any], str]]
"""What a command answers: a value, whose fields are its JSON shape, and what makes text of it."""

Answers = Generator[Answer | int | None]
"""What a command answers that goes on after an answer is printed; a number is an exit code."""


def command(
    name: str | None = None, *, exact: bool = False, verbatim: bool = False, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """A click command with the shared options, which prints the answer that its function returns.

    A function whose first parameter is `ws` gets the workspace. `exact` shows secrets unmasked,
    to the operator alone. `verbatim` is for programs: no control character is made visible.
    """

    def wrap(function: Callable[..., Any]) -> click.Command:
        answers = answering(function, exact=exact, verbatim=verbatim)
        made: click.Command = click.command(name, None, **attributes)(shared_options(answers))
        return made

    return wrap


def answering(
    function: Callable[..., Any], *, exact: bool = False, verbatim: bool = False
) -> Callable[..., int]:
    """The function as click calls it: with the workspace, if it takes one, and with its answers
    printed. The exit code is 1 where a value is not `ok`.
    """
    opens = function.__code__.co_varnames[:1] == ("ws",)

    def printed(answer: Answer | int | None, typed: dict[str, Any]) -> int:
        if not isinstance(answer, tuple):
            return answer or 0
        value, render = answer
        if isinstance(remark := getattr(value, "note", ""), str):
            output.beside(remark)
        output.emit(value, render, verbatim=verbatim)
        if getattr(value, "more", None) is True:
            output.note(f"more follow: -n {typed['limit'] * 10}")
        return int(not getattr(value, "ok", True))

    def call(**typed: Any) -> int:
        options().exact = exact
        with load("opening:workspace")() if opens else nullcontext() as ws:
            made = function(ws, **typed) if opens else function(**typed)
            answers = made if isinstance(made, Generator) else [made]
            return max((printed(answer, typed) for answer in answers), default=0)

    return update_wrapper(call, function)


def option(names: str, about: str, **more: Any) -> Callable[..., Any]:
    """An option as its help shows it. `--since T` takes a word, "" without it; `--ack [ID]` may
    have one; `--stat` is a flag. A small word names the parameter of the function, where that is
    not the option's own name.
    """
    words = names.split()
    metavar = next((word for word in words if word.upper() == word and word[0] != "-"), None)
    if metavar:
        words.remove(metavar)
        more["metavar"] = metavar
        if metavar[0] == "[":
            more |= {"is_flag": False, "default": None}
        if not {"default", "type", "multiple"} & more.keys():
            more["default"] = ""
    elif not {"type", "flag_value", "is_flag"} & more.keys():
        more["is_flag"] = True
    return click.option(*words, help=about, **more)


class _Share(click.FloatRange):
    """A number from 0 to 1. click takes nan for one in range; this type refuses it."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if number != number:  # noqa: PLR0124 - only nan differs from itself
            self.fail(f"{value} is not a number from 0 to 1.", param, ctx)
        return number


SHARE = _Share(0, 1)


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
    return option(
        "-n --limit limit", text, type=click.IntRange(1, most), default=default,
        callback=lambda _, __, value: min(value, _COUNTABLE), show_default=True,
    )  # fmt: skip


def revision_option(text: str) -> Callable[..., Any]:
    """--at: "" without it. An empty one is refused: a script may have lost what it meant."""
    return option("--at REV", text, default=None, callback=_named)


def _named(_: click.Context, __: click.Parameter, value: str | None) -> str:
    if value is not None and not value.strip():
        raise click.BadParameter("Name a change id, a git revision or a date.")
    return value or ""


def _keep(_: click.Context, param: click.Parameter, value: Any) -> None:
    """Stores a given value; without one, a value from before the command stays."""
    if value not in (None, False):
        setattr(options(), str(param.name), value)


def _shared(*, hidden: bool) -> Callable[..., Any]:
    kept = partial(option, expose_value=False, callback=_keep, hidden=hidden, default=None)
    return together(
        kept("-C DIR directory", "The workspace.  [env: CLAWGIT_WORKSPACE]"),
        option("--json as_json", "Answer in JSON.", expose_value=False, callback=_keep,
               hidden=hidden),
        kept("--now ISO", "Set the clock.  [env: CLAWGIT_NOW]"),
        kept("--actor NAME", "Name the agent that calls."),
    )  # fmt: skip


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


dry_run_option = option(
    "--dry-run", "Show what would change, and change nothing.", callback=_keep_preview
)

apply_option = option(
    "--apply apply_it", "Write the changes; without it, only show them.",
    callback=_keep_application,
)  # fmt: skip
