"""Commands whose help shows only everyday options; `--help --all` shows the others too."""

from collections.abc import Iterable, Sequence

import click
from click.core import augment_usage_errors

from clawgit.doors import shutil, textwrap

_ALL = "--all"
_EVERYTHING = "clawgit.help.everything"
"""The key of the mark that help should show every option."""

_HELP = ("--help", "-h")

_WIDEST = 80
_NARROWEST = 20
_MARGIN = 2


class QuietOption(click.Option):
    """An option for programs and experts: help only names it. The top level shows it in full."""


class HelpPage(click.HelpFormatter):
    """A page of help as wide as the terminal; click makes none of less than 50 columns."""

    def __init__(self, ctx: click.Context) -> None:
        columns = ctx.terminal_width or shutil.get_terminal_size().columns
        widest = ctx.max_content_width or _WIDEST
        super().__init__(width=max(min(columns, widest) - _MARGIN, _NARROWEST))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        # In a narrow terminal, a long name has a line of its own.
        super().write_dl(list(rows), min(col_max, self.width // 2), col_spacing)


class QuietCommand(click.Command):
    """A command that leaves quiet options out of its help, and names itself in each usage error."""

    def get_help(self, ctx: click.Context) -> str:
        page = HelpPage(ctx)
        self.format_help(ctx, page)
        return page.getvalue().rstrip("\n")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # click leaves the command out of some errors, as for an option without its value.
        with augment_usage_errors(ctx):
            return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        everyday, quiet = _in_two(self.get_params(ctx))
        if ctx.parent is None or _EVERYTHING in ctx.meta:
            everyday, quiet = everyday + quiet, []
        with formatter.section("Options"):
            formatter.write_dl(_records(ctx, everyday))
        if quiet:
            formatter.write(f"\n{_named(quiet, formatter.width)}\n")


def show_everything(ctx: click.Context) -> None:
    """Makes every help text of this call show every option."""
    ctx.meta[_EVERYTHING] = True


def without_all(ctx: click.Context, args: Sequence[str]) -> list[str]:
    """The arguments without the --all of `--help --all`, which is recorded."""
    typed = [*args]
    end = typed.index("--") if "--" in typed else len(typed)
    head = typed[:end]
    if _ALL not in head or not any(name in head for name in _HELP):
        return typed
    show_everything(ctx)
    return [word for word in head if word != _ALL] + typed[end:]


def _in_two(params: Sequence[click.Parameter]) -> tuple[list[click.Option], list[click.Option]]:
    """The everyday options, and the quiet ones."""
    options = [param for param in params if isinstance(param, click.Option)]
    quiet: list[click.Option] = [option for option in options if isinstance(option, QuietOption)]
    return [option for option in options if option not in quiet], quiet


def _named(quiet: Sequence[click.Option], width: int) -> str:
    names = ", ".join(max(option.opts, key=len) for option in quiet)
    # click's own wrapping would break a line within `--allow-secret`.
    return textwrap.fill(f"More, shown by --help --all: {names}", width, break_on_hyphens=False)


def _records(ctx: click.Context, options: Sequence[click.Option]) -> list[tuple[str, str]]:
    return [record for option in options if (record := option.get_help_record(ctx))]
