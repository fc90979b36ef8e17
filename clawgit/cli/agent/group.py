"""`agent`: lists the agents, runs one, and shows what a run has done."""

import sys
from typing import TYPE_CHECKING, BinaryIO

import click

from clawgit.cli import output
from clawgit.cli.agent.run_now import left_rows, proposal_rows
from clawgit.cli.change_text import change_text
from clawgit.cli.command import command
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option
from clawgit.cli.output import commit_line, dim, notes, one_line, shown
from clawgit.ops.agents import runs
from clawgit.ops.agents.model import edit_prompt, prompt_of

if TYPE_CHECKING:
    from clawgit.ops.agents.result import Landed
    from clawgit.stores.llm.calls import ModelCall


_LONGEST = 400

_ALSO = {
    "organizer": "memory organize",
    "decay-engine": "memory decay",
    "lesson-extractor": "memory lessons extract",
}
"""Agents that also have a command of their own; both give the same output."""


@command("list")
def list_() -> None:
    """List the agents, and when each ran last.

    Example: clawgit agent list
    """
    with workspace() as opened:
        output.emit(runs.agents(opened), _agents_text)


@command("show")
@click.argument("run", metavar="RUN")
def show(run: str) -> None:
    """Show what a run did, on what evidence, and what it left alone.

    It also shows what a language model was asked. RUN is the id of a run, the beginning of one, or
    the ID of a change that the run made.

    Example: clawgit agent show r0f3a91c2e
    """
    with workspace() as opened:
        output.emit(runs.show_run(opened, run), _shown_text)


@command("edit")
@click.argument("name")
@click.option("--file", type=click.File("rb"), help="The whole new text; - is standard input.")
@dry_run_option
def edit(name: str, file: "BinaryIO | None", dry_run: bool) -> None:
    """Change the prompt of an agent.

    The prompt is copied from the package to agents/NAME/SOUL.md, and used from there. At a
    terminal, $EDITOR opens. Delete the file to go back to the package's prompt.

    Example: clawgit agent edit memory-miner
    """
    with workspace() as opened:
        text = file.read().decode("utf-8", "surrogateescape") if file else None
        if text is None and sys.stdin.isatty() and not dry_run:
            prompt = prompt_of(opened, name)
            text = click.edit(prompt.text, extension=".md") if prompt else None
        done = edit_prompt(opened, name, text, dry_run=dry_run)
        output.emit(done, lambda change: change_text(change, "wrote"))


def _agents_text(listing: runs.Agents) -> str:
    rows = []
    for agent in listing.agents:
        when = f"{agent.last:%Y-%m-%d %H:%M}  {agent.outcome}" if agent.last else "never ran"
        also = f"; also clawgit {_ALSO[agent.name]}" if agent.name in _ALSO else ""
        own = f"; prompt: {agent.prompt}" if agent.prompt.endswith(".md") else ""
        rows.append(f"{output.key(f'{agent.name:<17}')}  {agent.does}")
        rows.append(f"{'':<17}  {dim(when + also + own)}")
    return "\n".join(rows) or dim("there are no agents yet")


def _shown_text(seen: runs.ShownRun) -> str:
    head = f"{output.ident(seen.run)}  {seen.job}  {seen.started:%Y-%m-%d %H:%M}  {seen.outcome}"
    rows = [head, *([f"  {shown(seen.trouble)}"] if seen.trouble else [])]
    rows += [line for commit in seen.commits for line in _made_text(commit)]
    rows += proposal_rows(seen.proposed, "  ")
    rows += left_rows(seen.skipped, "  ")
    rows += notes(seen.notes)
    return "\n".join([*rows, *(_call_text(call) for call in seen.calls)])


def _made_text(commit: "Landed") -> list[str]:
    rows = [commit_line(commit.commit, commit.id, commit.summary)]
    rows += [f"  {one_line(line)}" for line in commit.reason.splitlines()]
    return [*rows, *(dim(f"  evidence: {shown(place)}") for place in commit.evidence)]


def _call_text(call: "ModelCall") -> str:
    reply = f"! {call.trouble}" if call.trouble else call.answer
    head = f"{call.model}  {call.tokens:,} tokens  {call.ms:,} ms"
    return f"{dim(head)}\n  {one_line(call.prompt)[:_LONGEST]}\n  → {one_line(reply)[:_LONGEST]}"
