"""`context`: what a new conversation starts with."""

from collections.abc import Mapping
from typing import Any

import click

from clawgit.search.serve_client import asked as ask_warm
from clawgit.talk.context.asking import ContextRequest, asks_outside
from clawgit.terminal import output
from clawgit.terminal.command import Answers, command, option, revision_option
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import standard_input
from clawgit.terminal.output import counted, dim
from clawgit.terminal.text import options
from clawgit.workspace.workspace import Workspace


@command()
@option("--message TEXT", "What the conversation is about; - reads it from stdin.")
@option("--session KEY", "The session, by OpenClaw's key; a group gets no MEMORY.md.")
@option(
    "--budget",
    "Tokens in total.  [setting: context_budget_tokens]",
    type=click.IntRange(0, 1_000_000),
)
@revision_option("The context as of an id, a revision or a date.")
@option("--explain", "Show what each slot took and left, and why, instead of the text.")
def context(ws: Workspace, message: str, *, explain: bool, **typed: Any) -> Answers:
    """Build what a new conversation starts with.

    Who the agent is, who it helps, corrections, the last days, what memory says about the message,
    profiles, long-term facts: each in its slot, all within the budget, and no line twice.

    Example: clawgit context --message "Is the database of billing ready for the audit?" --explain
    """
    said = standard_input() if message == "-" else message
    assembled = _assembled(ws, {**typed, "message": said, "explain": explain})
    yield assembled, _explained if explain else _text
    if not options().as_json:
        for note in (_why_empty(assembled), *assembled["notes"]):
            output.beside(note)


def _assembled(ws: Workspace, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The context, from the process that `clawgit run --serve` keeps open if there is one."""
    asking = ContextRequest(**request)
    # Other systems are asked here, so that a slow one never holds up that process.
    if not asks_outside(ws, asking) and (answer := ask_warm(ws, "context", request)):
        return answer
    build = load("talk.context.context:context")
    with output.progress("searching"):
        built = build(ws, asking)
    own: dict[str, Any] = output.jsonable(built)
    return own


def _why_empty(assembled: Mapping[str, Any]) -> str:
    """Why there is no text; "" if there is some."""
    slots = assembled["slots"]
    if any(slot["text"] for slot in slots):
        return ""
    if any(slot["truncated"] for slot in slots):
        return f"nothing fits into {counted(assembled['budget'], 'token')}"
    return "no file says who the agent is or what it knows, and nothing matches the message"


def _text(assembled: Mapping[str, Any]) -> str:
    return "\n\n".join(slot["text"] for slot in assembled["slots"] if slot["text"])


def _explained(assembled: Mapping[str, Any]) -> str:
    head = f"{assembled['used']:,} of {assembled['budget']:,} tokens, estimated"
    return "\n\n".join([head, *map(_slot_text, assembled["slots"])])


def _slot_text(slot: Mapping[str, Any]) -> str:
    used = f"{slot['tokens']:,} of {slot['budget']:,} tokens"
    lines = [f"{output.heading(slot['name'])}  {used}"]
    lines += [f"  + {_choice(choice)}" for choice in slot["taken"]]
    lines += [f"  - {_choice(choice)}" for choice in slot["left"]]
    cut = () if slot["left"] else slot["truncated"]
    return "\n".join([*lines, *(f"  - {text}" for text in cut)])


def _choice(choice: Mapping[str, Any]) -> str:
    tokens = f"{choice['tokens']:,} tokens, " if choice["tokens"] else ""
    return f"{choice['source']}  {dim(tokens + choice['why'])}"
