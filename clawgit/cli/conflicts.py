"""The `conflicts` command group: where two memories disagree, and which of them stands."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_text
from clawgit.cli.command import command, dry_run_option
from clawgit.cli.lazy import group
from clawgit.cli.opening import workspace
from clawgit.cli.output import dim, shown
from clawgit.ops.claims import conflicts as op

if TYPE_CHECKING:
    from clawgit.domain.claims.conflicts import Conflict, ConflictSide


@group("conflicts")
def conflicts() -> None:
    """Show where two memories disagree, and decide which holds.

    Example: clawgit conflicts list
    """
    _list(everything=False)


@command("list")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also those that wait their turn, are settled or closed.",
)
def list_(everything: bool) -> None:
    """List the conflicts that wait for a decision.

    Example: clawgit conflicts list --all
    """
    _list(everything=everything)


def _list(*, everything: bool) -> None:
    with workspace() as opened:
        output.emit(op.conflicts(opened, everything=everything), _conflicts_text)


@command("resolve")
@click.argument("ident", metavar="ID")
@click.option(
    "--keep", required=True, type=click.Choice(("a", "b", "both")), help="The side to keep."
)
@click.option("--text", default="", help="What the other side should say instead.")
@click.option("--whole", is_flag=True, help="Supersede the whole other side, even if it says more.")
@dry_run_option
def resolve(ident: str, keep: str, text: str, whole: bool, dry_run: bool) -> None:
    """Resolve a conflict.

    The other side is marked superseded; nothing is erased. If the other side also says something
    undisputed, only the disputed words are replaced.

    Example: clawgit conflicts resolve k3x9ab --keep b
    """
    with workspace() as opened:
        done = op.resolve(opened, ident, keep, op.Manner(text, whole), dry_run=dry_run)
        output.emit(done, lambda change: change_text(change, "decided"))


def _conflicts_text(listing: op.Conflicts) -> str:
    rows = [*map(_conflict_text, listing.conflicts)]
    if listing.next:
        rows.append("\n".join(output.next_step(shown(step)).lstrip() for step in listing.next))
    return "\n\n".join(rows) or dim("no conflict is open")


def _conflict_text(conflict: "Conflict") -> str:
    head = output.ident(shown(conflict.id)) + dim(
        f"  {conflict.time:%Y-%m-%d}" if conflict.time else ""
    )
    rows = [
        head,
        *(_side_text(name, side) for name, side in (("a", conflict.a), ("b", conflict.b))),
    ]
    return "\n".join(
        [
            *rows,
            f"   {dim('rule')}  {shown(conflict.rule)}",
            f"   {dim('now')}   {shown(conflict.outcome)}",
        ]
    )


def _side_text(name: str, side: "ConflictSide") -> str:
    day = f" {side.day.isoformat()}" if side.day else ""
    return f"   {output.key(name)}  {shown(side.text)}  {dim(shown(f'{side.path}{day}'))}"
