"""`agent compare`: what an agent would write by its judges, and by the language model."""

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import clock, heed_sigterm, workspace
from clawgit.cli.output import counted, dim, one_line, shown
from clawgit.ops.agents import comparing


@command("compare")
@click.argument("name")
@click.option("--days", default=7, metavar="N", help="How many days back.  [default: 7]")
def compare(name: str, days: int) -> None:
    """Show what an agent writes with and without a model.

    Compares the built-in judges with the language model: both read your last days, starting from
    memory as it was before them. Nothing is written; the model's tokens are counted.

    Example: clawgit agent compare memory-miner
    """
    heed_sigterm()
    with workspace() as opened:
        done = comparing.compare(opened, name, clock=clock(), days=days)
        output.emit(done, _compared_text)


def _compared_text(done: comparing.Compared) -> str:
    same = sum(row.same for row in done.rows)
    days = f"{done.since:%Y-%m-%d} to {done.until:%Y-%m-%d}"
    head = f"{done.agent}  {days}, {counted(done.heard, 'message')}, {done.used.model}"
    rows = [output.ident(head)]
    for row in done.rows:
        rows.append(dim(shown(row.evidence)))
        if row.same:
            rows.append(f"  both    {_would(row.judges)}")
        else:
            rows += [f"  judges  {_would(row.judges)}", f"  model   {_would(row.model)}"]
    for label, side in (("judges", done.judges), ("model", done.model)):
        rows.append(f"{label:<6}  {len(side.proposed):,} written, {len(side.skipped):,} left")
        rows += [dim(f"        note: {shown(note)}") for note in side.notes]
    tokens = f"{counted(done.used.tokens, 'token')} in {counted(done.used.calls, 'call')}"
    return "\n".join([*rows, dim(f"{same:,} the same; {tokens}; nothing was written")])


def _would(proposal: comparing.Would | None) -> str:
    return (
        f"{proposal.kind:<11} {shown(proposal.path)}  {one_line(proposal.summary)}"
        if proposal
        else dim("nothing")
    )
