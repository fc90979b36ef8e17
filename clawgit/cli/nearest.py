"""The commands that may be meant by a mistyped one, at any level."""

import click

from clawgit.cli.command_table import COMMANDS, OTHER_WORDS
from clawgit.cli.lazy import every_row
from clawgit.config.nearest import slips

_MOST = 3
"""How many commands are named."""


def refusal(ctx: click.Context, word: str) -> str:
    """The message for a word that is no command of the group of `ctx`."""
    # From the program's name on: `clawgit memory triage` means `clawgit triage`.
    named = " or ".join(f"clawgit {path}" for path in nearest(ctx, word))
    return f"No such command {word!r}." + (f" Did you mean {named}?" if named else "")


def nearest(ctx: click.Context, word: str) -> list[str]:
    """The commands whose last word is most like `word`; those of the group itself come first."""
    group = ctx.command_path.partition(" ")[2]
    rows = dict(every_row(COMMANDS))
    meant = OTHER_WORDS.get(word.lower(), "")
    if meant:
        inside = f"{group} {meant.rpartition(' ')[2]}".lstrip()
        return [inside if inside in rows else meant]
    alike = []
    for path, row in rows.items():
        above, _, name = path.rpartition(" ")
        count = slips(word, name)
        if count is not None:
            alike.append(((count, above != group), path.count(" "), row.alias or path))
    best = [path for rank, _, path in sorted(alike) if rank == min(alike)[0]]
    return [*dict.fromkeys(best)][:_MOST]
