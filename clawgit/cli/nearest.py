"""The commands that may be meant by a mistyped one, at any level."""

from collections.abc import Iterable

import click

from clawgit.cli.command_table import every_command
from clawgit.config.nearest import closest

_MOST = 3
"""How many commands are named."""


def refusal(ctx: click.Context, word: str) -> str:
    """The message for a word that is no command of the group of `ctx`."""
    # From the program's name on: `clawgit memory triage` means `clawgit triage`.
    named = " or ".join(f"clawgit {path}" for path in _nearest(ctx, word))
    return f"No such command {word!r}." + (f" Did you mean {named}?" if named else "")


def _nearest(ctx: click.Context, word: str) -> list[str]:
    """The commands whose last word is most like `word`; those of the group itself come first."""
    group, paths = ctx.command_path.partition(" ")[2], dict(every_command())
    siblings = [path for path in paths if path.rpartition(" ")[0] == group]
    return _alike(word, siblings) or _alike(word, paths)


def _alike(word: str, paths: Iterable[str]) -> list[str]:
    known = [*paths]
    meant = closest(word, map(_last, known))
    return [path for path in known if _last(path) in meant][:_MOST]


def _last(path: str) -> str:
    return path.rpartition(" ")[2]
