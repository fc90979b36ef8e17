"""`agent`: the agents that keep memory true: list them, run one, look at what a run has done."""

import sys
from typing import TYPE_CHECKING, BinaryIO

import click

from clawgit.cli import output
from clawgit.cli.changes import change_text
from clawgit.cli.command import (
    clock,
    command,
    dry_run_option,
    heed_sigterm,
    options,
    shared_options,
    workspace,
)
from clawgit.cli.output import dim, shown

if TYPE_CHECKING:
    from clawgit.ops.agents.comparing import Compared, Would
    from clawgit.ops.agents.result import AgentRun, Landed
    from clawgit.ops.agents.runs import Agents, ShownRun
    from clawgit.stores.llm.calls import ModelCall

_LONGEST = 400


@click.group("agent")
@shared_options
def agent() -> None:
    """Run the agents that keep memory true, and look at what they did.

    Example: clawgit agent list
    """


@command("list")
def list_() -> None:
    """List the agents, and when each ran last.

    Example: clawgit agent list
    """
    from clawgit.ops.agents import runs as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as opened:
        output.emit(op.agents(opened), _agents_text, as_json=options().as_json)


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


@command("show")
@click.argument("run", metavar="RUN")
def show(run: str) -> None:
    """Show a run: its commits, its evidence, what it left, and what a language model was asked.

    RUN is the id of a run or its beginning, or the ID of a change that it made.

    Example: clawgit agent show r0f3a91c2e
    """
    from clawgit.ops.agents import runs as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as opened:
        output.emit(op.show_run(opened, run), _shown_text, as_json=options().as_json)


@command("edit")
@click.argument("name")
@click.option("--file", type=click.File("rb"), help="The whole new text; - is standard input.")
@dry_run_option
def edit(name: str, file: "BinaryIO | None", dry_run: bool) -> None:
    """Change the prompt of an agent.

    The prompt is copied from the package to agents/NAME/SOUL.md, where it counts from then on. At a
    terminal $EDITOR opens. Delete the file to go back to the package's.

    Example: clawgit agent edit memory-miner
    """
    from clawgit.ops.agents import prompts as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as opened:
        text = file.read().decode("utf-8", "surrogateescape") if file else None
        if text is None and sys.stdin.isatty() and not dry_run:
            found = op.prompt_of(opened, name)
            text = click.edit(found.text, extension=".md") if found else None
        done = op.edit_prompt(opened, name, text, dry_run=dry_run)
        output.emit(done, lambda change: change_text(change, "wrote"), as_json=options().as_json)


@command("compare")
@click.argument("name")
@click.option("--days", default=7, metavar="N", help="How many days back; else 7.")
def compare(name: str, days: int) -> None:
    """Show what an agent would write by its judges alone, beside what it would with the language
    model.

    Both hear your own last days, from memory as it was before them. Nothing is written; the model's
    tokens are counted.

    Example: clawgit agent compare memory-miner
    """
    from clawgit.ops.agents import comparing as op  # noqa: PLC0415 - a command loads what it needs

    heed_sigterm()
    with workspace() as opened:
        done = op.compare(opened, name, clock=clock(), days=days)
        output.emit(done, _compared_text, as_json=options().as_json)


for _command in (list_, run, show, edit, compare):
    agent.add_command(_command)


def run_now(name: str, *, since: str = "", if_waiting: bool = False, dry_run: bool) -> None:
    """Runs an agent for whatever command stands for it, and shows what it did."""
    from clawgit.ops.agents.agents import run_agent  # noqa: PLC0415 - a command loads what it needs

    heed_sigterm()
    with workspace() as opened:
        done = run_agent(
            opened, name, clock=clock(), dry_run=dry_run, since=since, if_waiting=if_waiting
        )
        output.emit(done, _run_text, as_json=options().as_json)


def _agents_text(found: "Agents") -> str:
    rows = []
    for one in found.agents:
        when = f"{one.last:%Y-%m-%d %H:%M}  {one.outcome}" if one.last else "never ran"
        own = f"  {dim(f'prompt: {one.prompt}')}" if one.prompt.endswith(".md") else ""
        rows.append(f"{click.style(f'{one.name:<20}', fg='cyan')} {one.does}  {dim(when)}{own}")
    return "\n".join(rows) or dim("there are no agents yet")


def _run_text(done: "AgentRun") -> str:
    rows = [
        f"{click.style(f'{one.kind:<11}', fg='green')} {shown(one.path)}  {_line(one.summary)}"
        for one in done.proposed
    ]
    rows += [
        f"{dim('left')}        {_line(one.what)}  {dim(_line(one.why))}" for one in done.skipped
    ]
    if done.dry_run and done.preview:
        rows.append(output.colored_diff(done.preview))
    rows += [_commit_text(one.commit, one.id, one.summary) for one in done.commits]
    rows += [
        dim(f"note: {shown(note)}")
        for note in (*done.held, *done.alerts, *done.warnings, *done.notes)
    ]
    used = [dim(f"{done.used.model}: {done.used.tokens:,} tokens")] if done.used.calls else []
    return "\n".join([*(rows or [dim("nothing to do")]), *used, dim(f"run {done.run}")])


def _compared_text(done: "Compared") -> str:
    same = sum(row.same for row in done.rows)
    days = f"{done.since:%Y-%m-%d} to {done.until:%Y-%m-%d}"
    head = f"{done.agent}  {days}, {_count(done.heard, 'message')}, {done.used.model}"
    rows = [click.style(head, fg="yellow")]
    for row in done.rows:
        rows.append(dim(shown(row.evidence)))
        if row.same:
            rows.append(f"  both    {_would(row.judges)}")
        else:
            rows += [f"  judges  {_would(row.judges)}", f"  model   {_would(row.model)}"]
    for label, side in (("judges", done.judges), ("model", done.model)):
        rows.append(f"{label:<6}  {len(side.proposed):,} written, {len(side.skipped):,} left")
        rows += [dim(f"        note: {shown(note)}") for note in side.notes]
    tokens = f"{_count(done.used.tokens, 'token')} in {_count(done.used.calls, 'call')}"
    return "\n".join([*rows, dim(f"{same:,} the same; {tokens}; nothing was written")])


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _would(one: "Would | None") -> str:
    return f"{one.kind:<11} {shown(one.path)}  {_line(one.summary)}" if one else dim("nothing")


def _shown_text(seen: "ShownRun") -> str:
    head = (
        f"{click.style(seen.run, fg='yellow')}  {seen.job}  {seen.started:%Y-%m-%d %H:%M}  "
        f"{seen.outcome}"
    )
    rows = [head, *([f"  {shown(seen.trouble)}"] if seen.trouble else [])]
    rows += [line for one in seen.commits for line in _made_text(one)]
    rows += [f"  {one.kind:<11} {shown(one.path)}  {_line(one.summary)}" for one in seen.proposed]
    rows += [
        f"  {dim('left')}        {_line(one.what)}  {dim(_line(one.why))}" for one in seen.skipped
    ]
    rows += [dim(f"note: {shown(note)}") for note in seen.notes]
    return "\n".join([*rows, *(_call_text(call) for call in seen.calls)])


def _made_text(one: "Landed") -> list[str]:
    rows = [_commit_text(one.commit, one.id, one.summary)]
    rows += [f"  {_line(line)}" for line in one.reason.splitlines()]
    return [*rows, *(dim(f"  evidence: {shown(place)}") for place in one.evidence)]


def _commit_text(commit: str | None, ident: str | None, summary: str) -> str:
    if commit is None:
        return f"{ident}  waits for the operator: {_line(summary)}"
    return f"{output.named(ident, commit)}  {_line(summary)}"


def _call_text(call: "ModelCall") -> str:
    said = f"! {call.trouble}" if call.trouble else call.answer
    head = f"{call.model}  {call.tokens:,} tokens  {call.ms:,} ms"
    return f"{dim(head)}\n  {_line(call.prompt)[:_LONGEST]}\n  → {_line(said)[:_LONGEST]}"


def _line(text: str) -> str:
    return shown(" ".join(text.split()))
