"""The `conflicts` command group: where two memories disagree, and which of them stands."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.change_text import changed
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.lazy import group
from clawgit.cli.output import dim
from clawgit.ops.claims import conflicts as op
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.domain.claims.conflicts import Conflict, ConflictSide


@group("conflicts")
def conflicts(ws: Workspace) -> Answer:
    """Show where two memories disagree, and decide which holds.

    Example: clawgit conflicts list
    """
    return _list(ws, everything=False)


@command("list")
@option("--all everything", "Also those that wait their turn, are settled or closed.")
def list_(ws: Workspace, everything: bool) -> Answer:
    """List the conflicts that wait for a decision.

    Example: clawgit conflicts list --all
    """
    return _list(ws, everything=everything)


def _list(ws: Workspace, *, everything: bool) -> Answer:
    return op.conflicts(ws, everything=everything), _conflicts_text


@command("resolve")
@click.argument("ident", metavar="ID")
@option("--keep", "The side to keep.", required=True, type=click.Choice(("a", "b", "both")))
@option("--text", "What the other side should say instead.", default="", is_flag=False)
@option("--whole", "Supersede the whole other side, even if it says more.")
@dry_run_option
def resolve(ws: Workspace, ident: str, keep: str, text: str, whole: bool, dry_run: bool) -> Answer:
    """Resolve a conflict.

    The other side is marked superseded; nothing is erased. If the other side also says something
    undisputed, only the disputed words are replaced.

    Example: clawgit conflicts resolve k3x9ab --keep b
    """
    done = op.resolve(ws, ident, keep, op.Manner(text, whole), dry_run=dry_run)
    return changed(done, "decided")


def _conflicts_text(listing: op.Conflicts) -> str:
    rows = [*map(_conflict_text, listing.conflicts)]
    if listing.next:
        rows.append("\n".join(output.next_step(step).lstrip() for step in listing.next))
    return "\n\n".join(rows) or dim("no conflict is open")


def _conflict_text(conflict: "Conflict") -> str:
    head = output.ident(conflict.id) + dim(f"  {conflict.time:%Y-%m-%d}" if conflict.time else "")
    rows = [
        head,
        *(_side_text(name, side) for name, side in (("a", conflict.a), ("b", conflict.b))),
    ]
    return "\n".join(
        [
            *rows,
            f"   {dim('rule')}  {conflict.rule}",
            f"   {dim('now')}   {conflict.outcome}",
        ]
    )


def _side_text(name: str, side: "ConflictSide") -> str:
    day = f" {side.day.isoformat()}" if side.day else ""
    return f"   {output.key(name)}  {side.text}  {dim(f'{side.path}{day}')}"
