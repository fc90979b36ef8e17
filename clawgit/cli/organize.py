"""`organize` and `decay`: make facts from notes, list them, and archive expired ones."""

import click

from clawgit.cli import output
from clawgit.cli.agent.run_now import run_now
from clawgit.cli.command import command
from clawgit.cli.command_table import COMMANDS
from clawgit.cli.lazy import LazyGroup
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option, limit_option, shared_options
from clawgit.cli.output import dim, shown
from clawgit.cli.rows import Column, table
from clawgit.ops.organizing import facts as op


@click.group(
    "organize",
    cls=LazyGroup,
    row=COMMANDS["memory"].below["organize"],
    invoke_without_command=True,
)
@shared_options
@dry_run_option
@click.pass_context
def organize(context: click.Context, *, dry_run: bool) -> None:
    """Turn the notes into facts, and index them.

    Each fact is written once, to memory/structured/, with the line that it came from. Notes that
    have not changed since the last time are not read again. Tasks expire after 7 days, facts about
    agents after 30, all others never.

    Example: clawgit memory organize --dry-run
    """
    if context.invoked_subcommand is None:
        run_now("organizer", dry_run=dry_run)


@command("facts")
@click.argument("query", nargs=-1)
@click.option(
    "--class",
    "category",
    default="",
    metavar="C",
    help="Only personal, system, agents, tasks or general.",
)
@click.option("--over", is_flag=True, help="Only expired facts that are not archived yet.")
@limit_option(50, most=1000)
def facts(query: tuple[str, ...], category: str, limit: int, *, over: bool) -> None:
    """List the facts in memory/structured/, or those with given words.

    Example: clawgit memory organize facts certificate --class tasks
    """
    with workspace() as opened:
        listing = op.facts(opened, " ".join(query), category, over=over, limit=limit)
        output.emit(listing, _facts_text)


@command("decay")
@dry_run_option
def decay(*, dry_run: bool) -> None:
    """Archive expired facts, and sum them up as lessons.

    They go to Archive/Facts/, where `memory search --archived` finds them; nothing is deleted.

    Example: clawgit memory decay --dry-run
    """
    run_now("decay-engine", dry_run=dry_run)


_COLUMNS = (Column(output.ident), Column(), Column(yields=1, least=30), Column(dim))


def _facts_text(listing: op.FactList) -> str:
    rows = [
        (fact.id, fact.category, shown(fact.text), f"until {fact.expires}" if fact.expires else "")
        for fact in listing.facts
    ]
    counted = ", ".join(f"{count:,} {name}" for name, count in listing.counts.items())
    lines = table(rows, _COLUMNS)
    if not counted:
        return f"{dim('no fact yet')}\n{output.next_step('clawgit memory organize')}"
    if not rows:
        lines = [dim("no fact has these words")]
    return "\n".join([*lines, dim(f"current facts: {counted}")])
