"""What a wrong word may have been meant for: the nearest commands, at any level."""

import difflib
from collections.abc import Iterator

import click

from clawgit.cli.lazy import LazyGroup, every_row

_LEAST = 0.6
"""How alike two words must be, as difflib counts."""

_MOST = 3
"""Commands that are named at most."""


def refusal(ctx: click.Context, word: str) -> str:
    """The message for a word that is no command of the group of `ctx`."""
    named = nearest(ctx, word)
    message = f"No such command {word!r}."
    if not named:
        return message
    *others, last = named
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"{message} Did you mean {listed}?"


def nearest(ctx: click.Context, word: str) -> list[str]:
    """The commands whose last word is most like `word`; those of the group itself come first."""
    top = ctx.find_root().command
    if not isinstance(top, LazyGroup):
        return []
    here = ctx.command_path.partition(" ")[2]
    if here in top.row.below:
        here = top.row.below[here].alias or here
    scored = sorted(_scored(top, here, word), key=lambda match: match[:2], reverse=True)
    if not scored:
        return []
    best = scored[0][0]
    tied = [match for match in scored if match[0] == best]
    # What the group itself has is meant before what others have.
    own = [match for match in tied if match[1]] or tied
    names = dict.fromkeys(path for _, _, path in own)
    return sorted(names, key=lambda path: path.count(" "))[:_MOST]


def _scored(top: LazyGroup, here: str, word: str) -> Iterator[tuple[float, bool, str]]:
    """Each command that is like the word: how much, whether it is of this group, and its words."""
    matcher = difflib.SequenceMatcher(b=word.lower())
    for path, row in every_row(top.row.below):
        group, _, name = path.rpartition(" ")
        matcher.set_seq1(name)
        score = matcher.ratio()
        if score >= _LEAST:
            yield score, group == here, path if row.is_listed else row.alias
