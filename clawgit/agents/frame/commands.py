"""`agent`: lists the agents, runs one now, shows what a run did, changes a prompt."""

import sys
from collections.abc import Iterable
from typing import Any, BinaryIO

import click

from clawgit.agents.contract import Proposed, Skipped
from clawgit.agents.frame import agents, runs
from clawgit.agents.llm import Used
from clawgit.terminal import output
from clawgit.terminal.change_text import change_text
from clawgit.terminal.command import Answer, command, dry_run_option, group, option
from clawgit.terminal.opening import clock, heed_sigterm
from clawgit.terminal.output import dim, few, named, notes, one_line
from clawgit.workspace.workspace import Workspace

_MOST = 20
"""How many lines of a run are shown: the first run over a year of notes changes hundreds."""

_MOST_OF_A_DIFF = 40


@group("agent")
def agent(ws: Workspace) -> Answer:
    """Run the agents that keep memory true; see what they did.

    Example: clawgit agent list
    """
    return runs.agents(ws), output.told


@group("memory lessons")
def lessons() -> None:
    """Collect lessons from the notes.

    Example: clawgit memory lessons extract
    """


@command("list")
def list_(ws: Workspace) -> Answer:
    """List the agents, and when each ran last.

    Example: clawgit agent list
    """
    return runs.agents(ws), output.told


@command("run")
@click.argument("name")
@option("--since WHEN", "Read the messages from this time on again.")
@option("--if-waiting", "Run only if something waits in its queue.")
@dry_run_option
def run(ws: Workspace, name: str, **typed: Any) -> Answer:
    """Run one agent now.

    What it changes is committed with reason and evidence; `clawgit undo` takes it back. NAME is one
    that `agent list` shows.

    Example: clawgit agent run memory-miner --dry-run
    """
    heed_sigterm()
    with output.progress(name):
        done = agents.run_agent(ws, name, clock=clock(), **typed)
    return done, _run_text


@command("show")
@click.argument("run", metavar="RUN")
def show(ws: Workspace, run: str) -> Answer:
    """Show what a run did, on what evidence, and what it left alone.

    It also shows what a language model took. RUN is the id of a run, the beginning of one, or
    the name of an agent: then it is its last run that did or left something.

    Example: clawgit agent show r0f3a91c2e
    """
    return runs.show_run(ws, run), _shown_text


@command("edit")
@click.argument("name")
@option("--file", "The whole new text; - is standard input.", type=click.File("rb"))
@dry_run_option
def edit(ws: Workspace, name: str, file: BinaryIO | None) -> Answer:
    """Change the prompt of an agent.

    The prompt is copied from the package to agents/NAME/SOUL.md, and used from there. At a
    terminal, $EDITOR opens. Delete the file to go back to the package's prompt.

    Example: clawgit agent edit memory-miner
    """
    text = file.read().decode("utf-8", "surrogateescape") if file else None
    if text is None and sys.stdin.isatty() and not ws.dry_run:
        prompt = runs.prompt_of(ws, name)
        text = click.edit(prompt, extension=".md") if prompt else None
    done = runs.edit_prompt(ws, name, text)
    return done, lambda change: change_text(change, "wrote")


def _rows(proposed: Iterable[Proposed], skipped: Iterable[Skipped]) -> list[str]:
    """A row for each thing that a run does, and for what it left alone, and why."""
    return [
        *(f"{output.good(f'{row.kind:<11}')} {row.path}  {one_line(row.summary)}"
          for row in proposed),
        *(f"{dim('left')}        {one_line(left.what)}  {dim(one_line(left.why))}"
          for left in skipped),
    ]  # fmt: skip


def _commit_rows(commits: Iterable[runs.Landed]) -> list[str]:
    """Each commit that was made, or the change that waits for the operator."""
    return [
        f"{named(made.id, made.commit)}  {one_line(made.summary)}" if made.commit
        else f"{made.id}  waits for the operator: {one_line(made.summary)}"
        for made in commits
    ]  # fmt: skip


def _run_text(done: runs.AgentRun) -> str:
    rows = _rows(done.proposed[:_MOST], done.skipped)
    if len(done.proposed) > _MOST:
        rows.append(dim(f"… and {len(done.proposed) - _MOST:,} more: --json lists them all"))
    if done.change.dry_run and done.change.preview:
        # The rows above say what the run does; a long diff is only begun.
        whole, more = done.change.preview.splitlines(), dim("… --json has the whole diff")
        rows.append(output.colored_diff("\n".join(few(whole, _MOST_OF_A_DIFF, more))))
    rows += _commit_rows(done.commits)
    if None in (made.commit for made in done.commits):
        rows.append(output.next_step("clawgit soul proposals"))
    rows += notes((*done.change.held, *done.change.alerts, *done.change.warnings, *done.notes))
    if not rows:
        rows.append(dim("nothing to do"))
    rows += _used_rows(done.used)
    return "\n".join([*rows, dim(f"run {done.run}")])


def _used_rows(used: Used) -> list[str]:
    return [dim(f"{used.model}: {used.tokens:,} tokens")] if used.calls else []


def _shown_text(seen: runs.ShownRun) -> str:
    head = f"{output.ident(seen.run)}  {seen.job}  {seen.started:%Y-%m-%d %H:%M}  {seen.outcome}"
    rows = [head, *([f"  {seen.trouble}"] if seen.trouble else [])]
    for commit in seen.commits:
        rows += _commit_rows([commit])
        rows += [f"  {one_line(line)}" for line in commit.reason.splitlines()]
        rows += [dim(f"  evidence: {place}") for place in commit.evidence]
    rows += _rows(seen.proposed, seen.skipped)
    rows += notes(seen.notes)
    return "\n".join([*rows, *_used_rows(seen.used)])
