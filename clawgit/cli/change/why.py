"""`why`: the life of one line or entry."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import place_in_workspace, workspace
from clawgit.cli.output import dim, named, shown
from clawgit.domain.markdown.comment import split
from clawgit.ops.change import why as op

if TYPE_CHECKING:
    from pathlib import Path


@command("why")
@click.argument("place")
def why(place: str) -> None:
    """Show where a line or an entry came from, and each change to it.

    PLACE is PATH:LINE, as the file is on disk, or the id of an entry, even of one that is gone.

    Example: clawgit why MEMORY.md:3
    """
    with workspace() as opened:
        output.emit(
            op.why(opened, place_in_workspace(opened, place)),
            lambda life: _life_text(life, opened.root),
        )


def _life_text(life: op.Life, root: "Path") -> str:
    states = {"uncommitted": "as it is now, not committed yet", "removed": "gone"}
    note = f"  {output.warning(states[life.state])}" if life.state in states else ""
    place = f"{shown(life.path)}:{life.line}"
    where = place if life.state == "removed" else output.linked(place, root / life.path)
    heading = f"{output.heading(where)}{note}\n    {shown(words_of_entry(life.text))}"
    newest = [turn_text(turn, life.text) for turn in life.changes[:1]]
    return "\n\n".join([heading, *newest, *map(turn_text, life.changes[1:])])


def words_of_entry(text: str) -> str:
    """An entry without its comment, which is only for clawgit."""
    before, _, after = split(text)
    return f"{before}{after}"


def turn_text(turn: op.Turn, above: str = "") -> str:
    """One change, with the line after it, unless that is the text shown `above`."""
    where = f"{turn.path}:{turn.line}"
    actor = output.key(shown(turn.actor))
    kind = "added" if turn.kind == "born" else turn.kind.replace("_", " ")
    when = dim(f"{turn.time:%Y-%m-%d %H:%M}")
    rows = [
        f"{named(turn.id, turn.sha)}  {when}  {actor}  {kind}  {dim(shown(where))}",
        f"    {shown(turn.summary)}",
        *(f"    {shown(line)}" for line in turn.reason.splitlines()),
        *([f"    evidence: {shown(', '.join(turn.evidence))}"] if turn.evidence else []),
        *(
            [f"    {output.good(shown(words_of_entry(turn.text)))}"]
            if turn.text not in ("", above)
            else []
        ),
    ]
    return "\n".join(rows)
