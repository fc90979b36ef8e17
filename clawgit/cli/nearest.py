"""Suggests commands for a mistyped one, at any level, and options for a mistyped option."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import click

from clawgit.cli.command_table import OTHER_WORDS
from clawgit.cli.lazy import LazyGroup, every_row
from clawgit.config.nearest import nearest_name, slips

_MOST = 3
"""How many commands are suggested."""


class _Match(NamedTuple):
    """A command that may be meant. The first in sort order is the most likely."""

    slips: int
    is_elsewhere: bool
    words: int
    path: str


def refusal(ctx: click.Context, word: str) -> str:
    """The message for a word that is no command of the group of `ctx`."""
    # From the program's name on: `clawgit memory triage` means `clawgit triage`.
    named = [f"{ctx.find_root().info_name} {path}" for path in nearest(ctx, word)]
    message = f"No such command {word!r}."
    if not named:
        return message
    *others, last = named
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"{message} Did you mean {listed}?"


def option_refusal(error: click.NoSuchOption) -> str:
    """The message for an option that a command does not have. An option is also known by the name
    of its value: `--limit` means -n.
    """
    names: dict[str, str] = {}
    for param in error.ctx.command.params if error.ctx else ():
        if isinstance(param, click.Option):
            own = f"--{str(param.name).replace('_', '-')}"
            names |= {own: param.opts[0], **{name: name for name in param.opts}}
    long = [name for name in names if name.startswith("--")]
    meant = nearest_name(error.option_name, long)
    return f"{error.message} Did you mean {names[meant]}?" if meant else error.format_message()


def nearest(ctx: click.Context, word: str) -> list[str]:
    """The commands whose last word is most like `word`; those of the group itself come first."""
    top = ctx.find_root().command
    if not isinstance(top, LazyGroup):
        return []
    group = _group(ctx, top)
    meant = OTHER_WORDS.get(word.lower(), ())
    inside = [*filter(None, (_inside(top, group, path) for path in meant))]
    return inside[:1] or _alike(top, group, word) or _everyday(meant)[:1]


def _alike(top: LazyGroup, group: str, word: str) -> list[str]:
    matches = sorted(set(_matches(top, group, word)))
    return [match.path for match in matches if match[:2] == matches[0][:2]][:_MOST]


def _everyday(meant: Iterable[str]) -> list[str]:
    """`memory history` means `clawgit log`, but `agent remove` does not mean `memory rm`."""
    return [path for path in meant if " " not in path]


def _inside(top: LazyGroup, group: str, path: str) -> str:
    """The command that does in the group what this one does; "" if there is none.

    In `soul`, that is `soul log` for `log`.
    """
    if path.startswith(group):
        return path
    own = f"{group} {path.rpartition(' ')[2]}"
    return own if own in dict(every_row(top.row.below)) else ""


def _group(ctx: click.Context, top: LazyGroup) -> str:
    """The words of the group that was called, under its own name; "" at the top."""
    words = ctx.command_path.partition(" ")[2]
    row = top.row.below.get(words)
    return row.alias or words if row else words


def _matches(top: LazyGroup, group: str, word: str) -> Iterator[_Match]:
    for path, row in every_row(top.row.below):
        above, _, name = path.rpartition(" ")
        count = slips(word, name)
        if count is not None:
            meant = path if row.is_listed else row.alias
            yield _Match(count, above != group, meant.count(" "), meant)
