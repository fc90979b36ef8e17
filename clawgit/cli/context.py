"""`context`: what a new conversation starts with."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import command, options, standard_input, workspace
from clawgit.cli.output import dim, shown

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace


@command()
@click.option(
    "--message",
    metavar="TEXT",
    default="",
    help="What the conversation is about; - reads it from stdin.",
)
@click.option(
    "--session",
    metavar="KEY",
    default="",
    help="The session, by OpenClaw's key; a group gets no MEMORY.md.",
)
@click.option(
    "--budget", type=click.IntRange(0, 1_000_000), help="Tokens in all; else context_budget_tokens."
)
@click.option(
    "--at", metavar="REV", default="", help="The context as of an id, a revision or a date."
)
@click.option("--style", type=click.Choice(["slots", "openclaw"]), default="slots",
    show_default=True,
              help="Slots with budgets, or what OpenClaw itself injects.")  # fmt: skip
@click.option(
    "--explain",
    is_flag=True,
    help="Show what each slot took and left, and why, in place of the text.",
)
def context(
    message: str, session: str, budget: int | None, at: str, style: str, explain: bool
) -> None:
    """Build what a new conversation starts with.

    Who the agent is, who it helps, what was put right, the last days, what memory says about the
    message, profiles, long-term facts: each in its slot, never more in all than the budget, no line
    twice.

    Example: clawgit context --message "Is the database of billing ready for the audit?" --explain
    """
    text = standard_input() if message == "-" else message
    asked = {
        "message": text,
        "session": session,
        "budget": budget,
        "at": at,
        "style": style,
        "explain": explain,
    }
    with workspace() as ws:
        found = _made(ws, asked)
        output.emit(found, _explained if explain else _text, as_json=options().as_json)
        if not options().as_json:
            for note in found["notes"]:
                output.note(f"note: {shown(note)}")


def _made(ws: "Workspace", asked: Mapping[str, Any]) -> dict[str, Any]:
    """From the process that is warm, where there is one; what strangers say is fetched here, so
    that it never waits.
    """
    from clawgit.ops.context.asking import Asking, fetch  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.search.serve_client import asked as asked_warm  # noqa: PLC0415

    brought = fetch(ws, Asking(**asked))
    if warm := asked_warm(ws, "context", {**asked, "brought": output.jsonable(brought)}):
        return dict(warm)
    from clawgit.ops.context.context import context  # noqa: PLC0415

    found: dict[str, Any] = output.jsonable(context(ws, Asking(**asked), brought=brought))
    return found


def _text(found: Mapping[str, Any]) -> str:
    return shown("\n\n".join(slot["text"] for slot in found["slots"] if slot["text"]))


def _explained(found: Mapping[str, Any]) -> str:
    of = f" of {found['budget']:,}" if found["budget"] is not None else ""
    counted = "estimated" if found["counted"] == "estimate" else f"counted by {found['counted']}"
    parts = [f"{found['used']:,}{of} tokens, {counted}", *map(_slot_text, found["slots"])]
    return "\n\n".join(parts)


def _slot_text(slot: Mapping[str, Any]) -> str:
    of = f" of {slot['budget']:,}" if slot["budget"] is not None else ""
    moved = [f"{slot[name]:,} {word}" for name, word in _MOVED.items() if slot[name]]
    tokens = ", ".join([f"{slot['tokens']:,}{of} tokens", *moved])
    head = f"{click.style(shown(slot['name']), bold=True)}  {tokens}"
    taken = [f"  + {_choice(one)}" for one in slot["taken"] or ()]
    left = [f"  - {_choice(one)}" for one in slot["left"] or ()]
    cut = [] if slot["left"] else [f"  - {shown(one)}" for one in slot["truncated"]]
    return "\n".join([head, *taken, *left, *cut])


def _choice(one: Mapping[str, Any]) -> str:
    tokens = f"{one['tokens']:,} tokens, " if one["tokens"] else ""
    return f"{shown(one['source'])}  {dim(tokens + shown(one['why']))}"


_MOVED = {"lent": "lent to it", "stolen": "taken from later slots", "given": "taken from it"}
