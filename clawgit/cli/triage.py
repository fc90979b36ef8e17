"""`triage`, `heartbeat` and `queue`: what a message calls for, and what became of that."""

import sys
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import caller, command, find_start, standard_input
from clawgit.cli.options import options
from clawgit.cli.output import dim, one_line, shown
from clawgit.errors import NotAWorkspaceError, UsageError
from clawgit.ops.conversation import triage as op
from clawgit.ops.conversation.triage import patterns_of
from clawgit.ops.workspace.workspace import Workspace, is_workspace
from clawgit.stores.git.gitdir import find_repo

if TYPE_CHECKING:
    from clawgit.domain.conversation.triage import Trigger


_STDIN = "-"


@command("triage")
@click.argument("text", required=False)
def triage(text: str | None) -> None:
    """Tell what a message asks the memory for, by its words alone.

    TEXT is the message; without it, or with -, it is read from standard input. Nothing is kept.

    Example: clawgit triage "No, my birthday is the 9th. Please remember this."
    """
    said = message_text(text)
    output.emit(op.triage(said, _patterns()), _triaged_text, as_json=options().as_json)


def message_text(text: str | None) -> str:
    if text not in (None, _STDIN):
        return str(text)
    if sys.stdin.isatty():
        raise UsageError("There is no message.", hint='clawgit triage "what was said"')
    return standard_input()


def _patterns() -> op.Patterns | None:
    """Those of the workspace, which is not opened for that: a message that is triaged needs no
    repository.
    """
    asker = caller()
    try:
        place = find_repo(find_start(asker), asker.env)
    except NotAWorkspaceError:
        return None
    return patterns_of(Workspace(place, asker)) if is_workspace(place) else None


def _triaged_text(found: op.Triaged) -> str:
    rows = [trigger_text(one) for one in found.triggers] or [dim("nothing is asked of the memory")]
    rows += [dim(f"cut off: {shown(pattern)}") for pattern in found.cut_off]
    return "\n".join([*rows, *(dim(f"note: {shown(note)}") for note in found.notes)])


def trigger_text(one: "Trigger") -> str:
    kind = f"{one.kind}, {one.confidence}" if one.confidence else one.kind
    called = (
        f"→ {click.style(shown(one.route), fg='cyan')}" if one.route else dim(f"it {one.reason}")
    )
    return f"{kind:<24}  “{one_line(one.match)}”  {called}"
