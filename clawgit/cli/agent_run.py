"""`agent run`, and the run of an agent for other commands."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import clock, command, heed_sigterm, workspace
from clawgit.cli.options import dry_run_option, options
from clawgit.cli.output import commit_line, dim, one_line, shown
from clawgit.ops.agents.agents import run_agent

if TYPE_CHECKING:
    from clawgit.ops.agents.result import AgentRun


@command("run")
@click.argument("name")
@click.option("--since", default="", metavar="WHEN", help="Hear again what was said from then on.")
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
    """Runs an agent for whatever command stands for it, and shows what it did."""
    heed_sigterm()
    with workspace() as opened:
        done = run_agent(
            opened, name, clock=clock(), dry_run=dry_run, since=since, if_waiting=if_waiting
        )
        output.emit(done, _run_text, as_json=options().as_json)


def _run_text(done: "AgentRun") -> str:
    rows = [
        f"{click.style(f'{one.kind:<11}', fg='green')} {shown(one.path)}  {one_line(one.summary)}"
        for one in done.proposed
    ]
    rows += [
        f"{dim('left')}        {one_line(one.what)}  {dim(one_line(one.why))}"
        for one in done.skipped
    ]
    if done.dry_run and done.preview:
        rows.append(output.colored_diff(done.preview))
    rows += [commit_line(one.commit, one.id, one.summary) for one in done.commits]
    rows += [
        dim(f"note: {shown(note)}")
        for note in (*done.held, *done.alerts, *done.warnings, *done.notes)
    ]
    used = [dim(f"{done.used.model}: {done.used.tokens:,} tokens")] if done.used.calls else []
    return "\n".join([*(rows or [dim("nothing to do")]), *used, dim(f"run {done.run}")])
