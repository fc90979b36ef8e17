"""`triage`: what a message asks the memory for. Loads little, since it may run on each message."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import caller, find_start, standard_input
from clawgit.cli.options import together
from clawgit.cli.output import dim, notes, one_line, shown
from clawgit.errors import NotAWorkspaceError, UsageError
from clawgit.ops.conversation import triage as op
from clawgit.ops.conversation.triage import patterns_of
from clawgit.ops.workspace.workspace import Workspace, is_workspace
from clawgit.stores.git.gitdir import find_repo

if TYPE_CHECKING:
    from clawgit.domain.conversation.triage import Trigger


_STDIN = "-"


said_options = together(
    click.option("--session", default="", metavar="S", help="The session it belongs to."),
    click.option("--role", default="user", show_default=True, metavar="R", help="Who speaks."),
    click.option(
        "--id",
        "ident",
        default="",
        metavar="I",
        help="The runtime's id of it; the same id again is not stored twice.",
    ),
    click.option("--time", default="", metavar="T", help="When it was said.  [default: now]"),
)
"""What a runtime says of a message besides its text."""


@command("triage")
@click.argument("text", required=False)
def triage(text: str | None) -> None:
    """Show which agents a message calls for, and why.

    TEXT is the message; without it, or with -, it is read from standard input. Nothing is stored.

    Example: clawgit triage "No, my birthday is the 9th. Please remember this."
    """
    output.emit(op.triage(message_text(text), _patterns()), _triaged_text)


def message_text(text: str | None) -> str:
    """The message: the argument, or standard input in its place."""
    if text not in (None, _STDIN):
        return str(text)
    if sys.stdin.isatty():
        raise UsageError("There is no message.", hint='clawgit triage "what was said"')
    return standard_input()


def _patterns() -> op.Patterns | None:
    """The patterns of the workspace, if there is one. It is not opened: that would take longer."""
    asker = caller()
    try:
        place = find_repo(find_start(asker), asker.env)
    except NotAWorkspaceError:
        return None
    return patterns_of(Workspace(place, asker)) if is_workspace(place) else None


def _triaged_text(triaged: op.Triaged) -> str:
    rows = [trigger_text(trigger) for trigger in triaged.triggers]
    if not rows:
        rows = [dim("the message calls for nothing")]
    return "\n".join([*rows, *cut_off_rows(triaged.cut_off), *notes(triaged.notes)])


def cut_off_rows(patterns: Iterable[str]) -> list[str]:
    """The custom patterns that took too long and were stopped."""
    return [dim(f"cut off: {shown(pattern)}") for pattern in patterns]


def trigger_text(trigger: "Trigger") -> str:
    """What was found in a message, and which agent it calls or why it calls none."""
    kind = f"{trigger.kind}, {trigger.confidence}" if trigger.confidence else trigger.kind
    if trigger.route:
        called = f"→ {output.key(shown(trigger.route))}"
    else:
        called = dim(f"it {trigger.reason}")
    return f"{kind:<24}  “{one_line(trigger.match)}”  {called}"
