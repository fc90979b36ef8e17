"""`agent run`, and the run of an agent for other commands."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import clock, command, heed_sigterm, workspace
from clawgit.cli.options import dry_run_option, options
from clawgit.cli.output import commit_line, dim, notes, one_line, shown
from clawgit.ops.agents.agents import run_agent

if TYPE_CHECKING:
    from clawgit.ops.agents.result import AgentRun

_MOST = 20
"""Lines of what a run did: the first night with a year of notes changes hundreds."""


@command("run")
@click.argument("name")
@click.option("--since", default="", metavar="WHEN", help="Read again what was said from then on.")
@click.option("--if-waiting", is_flag=True, help="Only if something waits in its queue.")
@dry_run_option
def run(name: str, since: str, if_waiting: bool, dry_run: bool) -> None:
    """Run one agent now.

    What it changes is committed with reason and evidence; `clawgit undo` takes it back. NAME is one
    of `agent list`.

    Example: clawgit agent run memory-miner --dry-run
    """
    run_now(name, since=since, if_waiting=if_waiting, dry_run=dry_run)


def run_now(name: str, *, since: str = "", if_waiting: bool = False, dry_run: bool) -> None:
    """Runs an agent and shows what it did, for any command that stands for an agent."""
    heed_sigterm()
    with workspace() as opened:
        with output.progress(name):
            done = run_agent(
                opened, name, clock=clock(), dry_run=dry_run, since=since, if_waiting=if_waiting
            )
        output.emit(done, _run_text, as_json=options().as_json)


def _run_text(done: "AgentRun") -> str:
    rows = []
    for proposal in done.proposed[:_MOST]:
        kind = output.good(f"{proposal.kind:<11}")
        rows.append(f"{kind} {shown(proposal.path)}  {one_line(proposal.summary)}")
    more = len(done.proposed) - _MOST
    rows += [dim(f"… and {more:,} more: --json lists them all")] if more > 0 else []
    rows += [
        f"{dim('left')}        {one_line(left.what)}  {dim(one_line(left.why))}"
        for left in done.skipped
    ]
    if done.dry_run and done.preview:
        rows.append(output.colored_diff(done.preview))
    rows += [commit_line(commit.commit, commit.id, commit.summary) for commit in done.commits]
    rows += notes((*done.held, *done.alerts, *done.warnings, *done.notes))
    if not rows:
        rows.append(dim("nothing to do"))
    if done.used.calls:
        rows.append(dim(f"{done.used.model}: {done.used.tokens:,} tokens"))
    return "\n".join([*rows, dim(f"run {done.run}")])
