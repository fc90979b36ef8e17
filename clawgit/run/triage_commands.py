"""`triage` and `heartbeat`: what a message asks the memory for. `triage` loads little, since it may
run on each message.
"""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from clawgit.core.errors import UsageError
from clawgit.talk.triage import Patterns, Triaged, patterns_of
from clawgit.talk.triage import triage as triaged
from clawgit.terminal import output
from clawgit.terminal.command import Answer, Answers, command, dry_run_option, option, together
from clawgit.terminal.command_table import load
from clawgit.terminal.opening import caller, clock, find_start, standard_input
from clawgit.terminal.output import dim, notes, one_line
from clawgit.workspace.workspace import Workspace, workspace_around

if TYPE_CHECKING:
    from clawgit.run.heartbeat import Heartbeat
    from clawgit.run.performing import Maintained
    from clawgit.talk.rules.triage import Trigger


said_options = together(
    option("--session S", "The session it belongs to."),
    option("--role R", "Who speaks.", default="user", show_default=True),
    option("--id I ident", "The runtime's id of it; the same id again is not stored twice."),
    option("--time T", "When it was said.  [default: now]"),
)
"""What a runtime says of a message besides its text."""


@command("triage")
@click.argument("text", required=False)
def triage(text: str | None) -> Answer:
    """Show which agents a message calls for, and why.

    TEXT is the message; without it, or with -, it is read from standard input. Nothing is stored.

    Example: clawgit triage "No, my birthday is the 9th. Please remember this."
    """
    return triaged(_message(text), _patterns()), _triaged_text


@command("heartbeat")
@click.argument("text", required=False)
@said_options
@option(
    "--maintain upkeep",
    "Take no message: do the upkeep of a heartbeat, and print what needs the human.",
)
@dry_run_option
def heartbeat(ws: Workspace, text: str | None, *, upkeep: bool, **said: str) -> Answer | Answers:
    """Store a message, triage it, and call the agents it needs.

    TEXT is the message; without it, or with -, it is read from standard input. A chat runtime calls
    this for each message. It answers first, and then starts the agents that the message needs.

    With --maintain it takes no message: it commits edits, promotes what is certain in the notes of
    the last days, and prints what waits for the human, or HEARTBEAT_OK.

    Example: clawgit heartbeat "You forgot the milk." --session agent:main:main
    """
    if not upkeep:
        return _beat(ws, _message(text), said)
    if text is not None:
        raise UsageError("--maintain takes no message.", hint="clawgit heartbeat --maintain")
    return load("run.performing:maintain")(ws), _maintained_text


def _beat(ws: Workspace, message: str, said: Mapping[str, str]) -> Answers:
    beat = load("run.heartbeat:heartbeat")
    yield beat(ws, message, **said), _heartbeat_text
    if not ws.dry_run:
        follow_up(ws)


def follow_up(ws: Workspace, **more: bool) -> None:
    """Starts the agents that messages call. The chat waits for the answer, not for them."""
    sys.stdout.flush()
    for trouble in load("run.heartbeat:follow_up")(ws, clock(), **more):
        output.beside(trouble)


def _message(text: str | None) -> str:
    """The message: the argument, or standard input in its place."""
    if text not in (None, "-"):
        return str(text)
    if sys.stdin.isatty():
        called = click.get_current_context().command_path
        raise UsageError("There is no message.", hint=f'{called} "what was said"')
    return standard_input()


def _patterns() -> Patterns:
    """The patterns of the workspace, if there is one. It is not opened: that would take longer."""
    asker = caller()
    place = workspace_around(find_start(asker), asker.env)
    return patterns_of(Workspace(place, asker)) if place else Patterns()


def _triaged_text(triaged: Triaged) -> str:
    rows = [*map(_trigger_text, triaged.triggers)] or [dim("the message calls for nothing")]
    return "\n".join([*rows, *_beside(triaged)])


def _beside(read: "Triaged | Heartbeat") -> list[str]:
    return [*(dim(f"cut off: {pattern}") for pattern in read.cut_off), *notes(read.notes)]


def _trigger_text(trigger: "Trigger") -> str:
    """What was found in a message, and which agent it calls."""
    kind = f"{trigger.kind}, {trigger.confidence}" if trigger.confidence else trigger.kind
    return f"{kind:<24}  “{one_line(trigger.match)}”  → {output.key(trigger.route)}"


def _heartbeat_text(done: "Heartbeat") -> str:
    rows = [f"{'stored' if done.new else 'already stored'}: {one_line(done.message.id)}"]
    rows += map(_trigger_text, done.triggers if done.new else ())
    return "\n".join([*rows, *_beside(done)])


def _maintained_text(done: "Maintained") -> str:
    rows = [f"{line.action} to {line.target}: {line.text}" for line in done.promoted]
    rows += [f"for your human: {need}" for need in done.needs]
    rows += [f"for you: {line}" for line in done.asked]
    if done.change.commit and not done.change.dry_run:
        rows.append(f"written: {output.ident(done.change.id or '')}")
    return "\n".join([*rows, done.reply]).rstrip()
