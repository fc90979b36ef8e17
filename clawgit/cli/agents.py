"""`agent`: lists the agents, runs one now, shows what a run did, changes a prompt, compares."""

import sys
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_text
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.command_table import load
from clawgit.cli.lazy import group
from clawgit.cli.opening import clock, heed_sigterm
from clawgit.cli.output import commit_line, counted, dim, notes, one_line
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.agents.contract import Proposed, Skipped
    from clawgit.ops.agents.comparing import Compared
    from clawgit.ops.agents.runs import AgentRun, Agents, Landed, ShownRun
    from clawgit.stores.llm import ModelCall

_MOST = 20
"""How many lines of a run are shown: the first run over a year of notes changes hundreds."""

_MOST_OF_A_DIFF = 40
_LONGEST = 400


@group("agent")
def agent(ws: Workspace) -> Answer:
    """Run the agents that keep memory true; see what they did.

    Example: clawgit agent list
    """
    return _list(ws)


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
    return _list(ws)


def _list(ws: Workspace) -> Answer:
    return load("clawgit.ops.agents.runs:agents")(ws), _agents_text


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
        done = load("clawgit.ops.agents.agents:run_agent")(ws, name, clock=clock(), **typed)
    return done, _run_text


@command("show")
@click.argument("run", metavar="RUN")
def show(ws: Workspace, run: str) -> Answer:
    """Show what a run did, on what evidence, and what it left alone.

    It also shows what a language model was asked. RUN is the id of a run, the beginning of one, or
    the ID of a change that the run made.

    Example: clawgit agent show r0f3a91c2e
    """
    return load("clawgit.ops.agents.runs:show_run")(ws, run), _shown_text


@command("edit")
@click.argument("name")
@option("--file", "The whole new text; - is standard input.", type=click.File("rb"))
@dry_run_option
def edit(ws: Workspace, name: str, file: "BinaryIO | None", dry_run: bool) -> Answer:
    """Change the prompt of an agent.

    The prompt is copied from the package to agents/NAME/SOUL.md, and used from there. At a
    terminal, $EDITOR opens. Delete the file to go back to the package's prompt.

    Example: clawgit agent edit memory-miner
    """
    text = file.read().decode("utf-8", "surrogateescape") if file else None
    if text is None and sys.stdin.isatty() and not dry_run:
        prompt = load("clawgit.ops.agents.runs:prompt_of")(ws, name)
        text = click.edit(prompt.text, extension=".md") if prompt else None
    edited = load("clawgit.ops.agents.runs:edit_prompt")
    done = edited(ws, name, text, dry_run=dry_run)
    return done, lambda change: change_text(change, "wrote")


@command("compare")
@click.argument("name")
@option("--days N", "How many days back.  [default: 7]", default=7)
def compare(ws: Workspace, name: str, days: int) -> Answer:
    """Show what an agent writes with and without a model.

    Compares the built-in judges with the language model: both read your last days, starting from
    memory as it was before them. Nothing is written; the model's tokens are counted.

    Example: clawgit agent compare memory-miner
    """
    heed_sigterm()
    compared = load("clawgit.ops.agents.comparing:compare")
    done = compared(ws, name, clock=clock(), days=days)
    return done, _compared_text


def _agents_text(listing: "Agents") -> str:
    rows = []
    for agent in listing.agents:
        when = f"{agent.last:%Y-%m-%d %H:%M}  {agent.outcome}" if agent.last else "never ran"
        own = f"; prompt: {agent.prompt}" if agent.prompt.endswith(".md") else ""
        rows.append(f"{output.key(f'{agent.name:<17}')}  {agent.does}")
        rows.append(f"{'':<17}  {dim(when + own)}")
    return "\n".join(rows)


def _proposal_rows(proposed: "Iterable[Proposed]", indent: str = "") -> list[str]:
    """A row for each thing that a run does."""
    return [
        f"{indent}{output.good(f'{row.kind:<11}')} {row.path}  {one_line(row.summary)}"
        for row in proposed
    ]


def _left_rows(skipped: "Iterable[Skipped]", indent: str = "") -> list[str]:
    """A row for each thing that a run left alone, and why."""
    return [
        f"{indent}{dim('left')}        {one_line(left.what)}  {dim(one_line(left.why))}"
        for left in skipped
    ]


def _run_text(done: "AgentRun") -> str:
    rows = _proposal_rows(done.proposed[:_MOST])
    more = len(done.proposed) - _MOST
    rows += [dim(f"… and {more:,} more: --json lists them all")] if more > 0 else []
    rows += _left_rows(done.skipped)
    if done.dry_run and done.preview:
        # The rows above say what the run does; a long diff is only begun.
        diff = done.preview.splitlines()
        rows.append(output.colored_diff("\n".join(diff[:_MOST_OF_A_DIFF])))
        rows += [dim("… --json has the whole diff")] if len(diff) > _MOST_OF_A_DIFF else []
    rows += [commit_line(commit.commit, commit.id, commit.summary) for commit in done.commits]
    rows += notes((*done.held, *done.alerts, *done.warnings, *done.notes))
    if not rows:
        rows.append(dim("nothing to do"))
    if done.used.calls:
        rows.append(dim(f"{done.used.model}: {done.used.tokens:,} tokens"))
    return "\n".join([*rows, dim(f"run {done.run}")])


def _shown_text(seen: "ShownRun") -> str:
    head = f"{output.ident(seen.run)}  {seen.job}  {seen.started:%Y-%m-%d %H:%M}  {seen.outcome}"
    rows = [head, *([f"  {seen.trouble}"] if seen.trouble else [])]
    rows += [line for commit in seen.commits for line in _made_text(commit)]
    rows += _proposal_rows(seen.proposed, "  ")
    rows += _left_rows(seen.skipped, "  ")
    rows += notes(seen.notes)
    return "\n".join([*rows, *(_call_text(call) for call in seen.calls)])


def _made_text(commit: "Landed") -> list[str]:
    rows = [commit_line(commit.commit, commit.id, commit.summary)]
    rows += [f"  {one_line(line)}" for line in commit.reason.splitlines()]
    return [*rows, *(dim(f"  evidence: {place}") for place in commit.evidence)]


def _call_text(call: "ModelCall") -> str:
    reply = f"! {call.trouble}" if call.trouble else call.answer
    head = f"{call.model}  {call.tokens:,} tokens  {call.ms:,} ms"
    return f"{dim(head)}\n  {one_line(call.prompt)[:_LONGEST]}\n  → {one_line(reply)[:_LONGEST]}"


def _compared_text(done: "Compared") -> str:
    days = f"{done.since:%Y-%m-%d} to {done.until:%Y-%m-%d}"
    head = f"{done.agent}  {days}, {counted(done.heard, 'message')}, {done.used.model}"
    rows = [output.ident(head)]
    for label, side in (("judges", done.judges), ("model", done.model)):
        rows.append(f"{label}: {len(side.proposed):,} written, {len(side.skipped):,} left")
        rows += _proposal_rows(side.proposed, "  ")
        rows += notes(side.notes)
    tokens = f"{counted(done.used.tokens, 'token')} in {counted(done.used.calls, 'call')}"
    return "\n".join([*rows, dim(f"{done.same:,} the same; {tokens}; nothing was written")])
