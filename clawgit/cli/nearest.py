"""The commands that may be meant by a mistyped one, at any level."""

from collections.abc import Iterable

import click

from clawgit.cli.command_table import every_command
from clawgit.config.nearest import closest

_MOST = 3
"""How many commands are named."""

_OTHER_WORDS = {
    "remove": "memory rm", "delete": "memory rm", "ls": "memory list", "list": "memory list",
    "find": "search", "grep": "search", "query": "search", "recall": "search",
    "read": "memory get", "cat": "memory get", "update": "memory edit", "reindex": "memory index",
    "commit": "snapshot", "push": "sync", "pull": "sync", "history": "log", "revert": "undo",
    "rollback": "undo", "checkout": "restore", "settings": "config", "info": "status",
    "remember": "memory add", "version": "--version", "help": "--help",
}  # fmt: skip
"""Words that are no commands, and what a user who types them means."""


def refusal(ctx: click.Context, word: str) -> str:
    """The message for a word that is no command of the group of `ctx`."""
    # From the program's name on: `clawgit memory triage` means `clawgit triage`.
    named = " or ".join(f"clawgit {path}" for path in _nearest(ctx, word))
    return f"No such command {word!r}." + (f" Did you mean {named}?" if named else "")


def _nearest(ctx: click.Context, word: str) -> list[str]:
    """The commands whose last word is most like `word`; those of the group itself come first."""
    group, paths = ctx.command_path.partition(" ")[2], dict(every_command())
    if other := _OTHER_WORDS.get(word.lower()):
        here = f"{group} {_last(other)}".lstrip()
        return [here if here in paths else other]
    siblings = [path for path in paths if path.rpartition(" ")[0] == group]
    return _alike(word, siblings) or _alike(word, paths)


def _alike(word: str, paths: Iterable[str]) -> list[str]:
    known = [*paths]
    meant = closest(word, map(_last, known))
    return [path for path in known if _last(path) in meant][:_MOST]


def _last(path: str) -> str:
    return path.rpartition(" ")[2]
