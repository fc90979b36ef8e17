"""`memory add`: remembers one fact as one entry."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import outcome
from clawgit.cli.command import Answer, command, dry_run_option, option
from clawgit.cli.command_table import load
from clawgit.cli.opening import existing_in_workspace, given_text
from clawgit.cli.output import dim
from clawgit.domain.markdown.tag_table import PRIMARY, listed
from clawgit.ops.workspace.workspace import Workspace


@command("add")
@click.argument("text")
@option("--tag TAG", f"{listed(PRIMARY)}; by default, the words decide.")
@option("--to PATH", "MEMORY.md or a file below memory/; by default, the tag decides.")
@option(
    "--source",
    "Whether the operator said it or it was concluded; by default, explicit at a terminal and "
    "inferred from a program.",
    type=click.Choice(("explicit", "inferred")),
)
@option("--evidence REF", "Its source, such as memory/2026-02-14.md#L9.", multiple=True)
@option("--session S", "The session in which it was said.")
@option("--allow-secret", "Store a key or password anyway; only the operator may.")
@option("--shared", "Write to the memory that all agents read; only main may.")
@dry_run_option
def add(
    ws: Workspace,
    text: str,
    source: str | None,
    *,
    allow_secret: bool,
    shared: bool,
    dry_run: bool,
    **typed: Any,
) -> Answer:
    """Remember one fact, as one entry.

    TEXT is the fact; - reads it from standard input. A fact that memory has already is counted as a
    mention; one that the operator has corrected is ignored.

    Example: clawgit memory add "Billing uses PostgreSQL, not MySQL." --tag decision
    """
    fact = {**typed, "text": given_text(text), "source": source or "", "allow_secret": allow_secret}
    fact["to"] = existing_in_workspace(ws, fact["to"])
    done = _remembered(ws, fact, shared=shared, dry_run=dry_run)
    return done, _remembered_text


def _remembered(
    ws: Workspace, fact: Mapping[str, Any], *, shared: bool, dry_run: bool
) -> Mapping[str, Any]:
    new = load("clawgit.ops.facts.remember:NewFact")(**fact)
    if shared:
        act = load("clawgit.ops.workspace.shared:remember_shared")
    else:
        act = load("clawgit.ops.facts.remember:remember")
    done: Mapping[str, Any] = output.jsonable(act(ws, new, dry_run=dry_run))
    return done


def _remembered_text(done: Mapping[str, Any]) -> str:
    entry = done["entry"]
    where = f"{entry['path']}:{entry['line']}" if entry["line"] else entry["path"]
    times = f", {entry['mentions']} mentions" if done["action"] == "merged" else ""
    strength = dim(f"{entry['confidence']:.2f}{times}")
    made = f"{done['action']} {where}  {entry['text']}  {strength}"
    return outcome(SimpleNamespace(**done), made, f"{done['action']}: {done['reason']}")
