"""`agent run`, and the run of an agent for other commands."""

from itertools import groupby
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import clock, heed_sigterm, workspace
from clawgit.cli.options import dry_run_option
from clawgit.cli.output import commit_line, dim, notes, one_line, shown
from clawgit.ops.agents.agents import run_agent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.agents.contract import Proposed, Skipped
    from clawgit.ops.agents.result import AgentRun

_MOST = 20
"""How many lines of a run are shown: the first run over a year of notes changes hundreds."""

_MOST_OF_A_DIFF = 40


@command("run")
@click.argument("name")
@click.option(
    "--since", default="", metavar="WHEN", help="Read the messages from this time on again."
)
@click.option("--if-waiting", is_flag=True, help="Run only if something waits in its queue.")
@dry_run_option
def run(name: str, since: str, if_waiting: bool, dry_run: bool) -> None:
    """Run one agent now.

    What it changes is committed with reason and evidence; `clawgit undo` takes it back. NAME is one
    that `agent list` shows.

    Example: clawgit agent run memory-miner --dry-run
    """
    run_now(name, since=since, if_waiting=if_waiting, dry_run=dry_run)


def run_now(name: str, *, since: str = "", if_waiting: bool = False, dry_run: bool) -> None:
    """Runs an agent and shows what it did, for `agent run` and for commands of single agents."""
    heed_sigterm()
    with workspace() as opened:
        with output.progress(name):
            done = run_agent(
                opened, name, clock=clock(), dry_run=dry_run, since=since, if_waiting=if_waiting
            )
        output.emit(done, _run_text)


def proposal_rows(proposed: "Sequence[Proposed]", indent: str = "") -> list[str]:
    """A row for each thing that a run does.

    A reason shared by several is shown once, below them.
    """
    rows = []
    for (kind, why), group in groupby(proposed, key=lambda row: (row.kind, row.why)):
        for row in group:
            what = row.summary.removesuffix(why).removesuffix(": ") if why else row.summary
            head = f"{indent}{output.good(f'{kind:<11}')} {shown(row.path)}"
            rows.append(f"{head}  {one_line(what)}".rstrip())
        if why:
            rows.append(f"{indent}{'':<11} {dim(one_line(why))}")
    return rows


def left_rows(skipped: "Sequence[Skipped]", indent: str = "") -> list[str]:
    """A row for each thing that a run left alone, and why."""
    return [
        f"{indent}{dim('left')}        {one_line(left.what)}  {dim(one_line(left.why))}"
        for left in skipped
    ]


def _preview_rows(preview: str) -> "Iterator[str]":
    """The beginning of a diff: the rows above it say what the run does."""
    diff = preview.splitlines()
    yield output.colored_diff("\n".join(diff[:_MOST_OF_A_DIFF]))
    if len(diff) > _MOST_OF_A_DIFF:
        yield dim(f"… and {len(diff) - _MOST_OF_A_DIFF:,} more lines: --json has the whole diff")


def _run_text(done: "AgentRun") -> str:
    rows = proposal_rows(done.proposed[:_MOST])
    more = len(done.proposed) - _MOST
    rows += [dim(f"… and {more:,} more: --json lists them all")] if more > 0 else []
    rows += left_rows(done.skipped)
    if done.dry_run and done.preview:
        rows += _preview_rows(done.preview)
    rows += [commit_line(commit.commit, commit.id, commit.summary) for commit in done.commits]
    rows += notes((*done.held, *done.alerts, *done.warnings, *done.notes))
    if not rows:
        rows.append(dim("nothing to do"))
    if done.used.calls:
        rows.append(dim(f"{done.used.model}: {done.used.tokens:,} tokens"))
    return "\n".join([*rows, dim(f"run {done.run}")])
