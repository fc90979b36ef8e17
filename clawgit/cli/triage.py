"""`triage` and `heartbeat`: what a message asks the memory for. `triage` loads little, since it may
run on each message.
"""

import sys
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option, together
from clawgit.cli.loading import load
from clawgit.cli.opening import caller, clock, find_start, standard_input, workspace
from clawgit.cli.output import dim, notes, one_line, shown
from clawgit.errors import NotAWorkspaceError, UsageError
from clawgit.ops.conversation.triage import Patterns, Triaged, patterns_of
from clawgit.ops.conversation.triage import triage as triaged
from clawgit.ops.workspace.workspace import Workspace, is_workspace
from clawgit.stores.git.gitdir import find_repo

if TYPE_CHECKING:
    from clawgit.domain.conversation.triage import Trigger
    from clawgit.ops.conversation.heartbeat import Heartbeat
    from clawgit.ops.runner.maintaining import Maintained


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
    output.emit(triaged(_message(text), _patterns()), _triaged_text)


@command("heartbeat")
@click.argument("text", required=False)
@said_options
@click.option(
    "--maintain",
    "upkeep",
    is_flag=True,
    help="Take no message: do the upkeep of a heartbeat, and print what needs the human.",
)
@click.option(
    "--install",
    is_flag=True,
    help="Take no message: have HEARTBEAT.md ask the agent for the upkeep once a day.",
)
@dry_run_option
def heartbeat(text: str | None, *, upkeep: bool, install: bool, dry_run: bool, **said: str) -> None:
    """Store a message, triage it, and call the agents it needs.

    TEXT is the message; without it, or with -, it is read from standard input. A chat runtime calls
    this for each message. It answers first, and then starts the agents that the message needs.

    With --maintain it takes no message: it commits edits, promotes what is certain in the notes of
    the last days, and prints what waits for the human, or HEARTBEAT_OK. With --install,
    HEARTBEAT.md asks the agent for that once a day, which costs a model call each time.

    Example: clawgit heartbeat "You forgot the milk." --session agent:main:main
    """
    if upkeep or install:
        if text is not None or (upkeep and install):
            raise UsageError(
                "--maintain and --install take no message, and go one by one.",
                hint="clawgit heartbeat --maintain",
            )
        _keep_up(install=install, dry_run=dry_run)
        return
    message = _message(text)
    with workspace() as opened:
        beat = load("clawgit.ops.conversation.heartbeat:heartbeat")
        done = beat(opened, message, **said, dry_run=dry_run)
        output.emit(done, _heartbeat_text)
        if dry_run:
            return
        # The chat waits for the answer, not for the agents that it calls.
        sys.stdout.flush()
        for trouble in load("clawgit.ops.conversation.heartbeat:follow_up")(opened, clock()):
            output.note(f"note: {shown(trouble)}")


def _keep_up(*, install: bool, dry_run: bool) -> None:
    """Does the upkeep that an agent does at a heartbeat, or has HEARTBEAT.md ask for it."""
    with workspace() as opened:
        if install:
            ask = load("clawgit.ops.runner.maintaining:ask_for_upkeep")
            asked = ask(opened, dry_run=dry_run)
            load("change_text:emit_change")(asked, "HEARTBEAT.md asks for")
        else:
            done = load("clawgit.ops.runner.maintaining:maintain")(opened, dry_run=dry_run)
            output.emit(done, _maintained_text)


def _message(text: str | None) -> str:
    """The message: the argument, or standard input in its place."""
    if text not in (None, "-"):
        return str(text)
    if sys.stdin.isatty():
        raise UsageError("There is no message.", hint='clawgit triage "what was said"')
    return standard_input()


def _patterns() -> Patterns | None:
    """The patterns of the workspace, if there is one. It is not opened: that would take longer."""
    asker = caller()
    try:
        place = find_repo(find_start(asker), asker.env)
    except NotAWorkspaceError:
        return None
    return patterns_of(Workspace(place, asker)) if is_workspace(place) else None


def _triaged_text(triaged: Triaged) -> str:
    rows = [_trigger_text(trigger) for trigger in triaged.triggers]
    rows = rows or [dim("the message calls for nothing")]
    cut_off = [dim(f"cut off: {shown(pattern)}") for pattern in triaged.cut_off]
    return "\n".join([*rows, *cut_off, *notes(triaged.notes)])


def _trigger_text(trigger: "Trigger") -> str:
    """What was found in a message, and which agent it calls or why it calls none."""
    kind = f"{trigger.kind}, {trigger.confidence}" if trigger.confidence else trigger.kind
    if trigger.route:
        called = f"→ {output.key(shown(trigger.route))}"
    else:
        called = dim(f"it {trigger.reason}")
    return f"{kind:<24}  “{one_line(trigger.match)}”  {called}"


def _heartbeat_text(done: "Heartbeat") -> str:
    rows = [f"{'stored' if done.new else 'already stored'}: {one_line(done.message.id)}"]
    if done.new:
        rows += map(_trigger_text, done.triggers)
    cut_off = [dim(f"cut off: {shown(pattern)}") for pattern in done.cut_off]
    return "\n".join([*rows, *cut_off, *notes(done.notes)])


def _maintained_text(done: "Maintained") -> str:
    rows = [f"{line.action} to {shown(line.target)}: {shown(line.text)}" for line in done.promoted]
    rows += [f"for your human: {shown(need)}" for need in done.needs]
    rows += [f"for you: {shown(line)}" for line in done.asked]
    if done.commit and not done.dry_run:
        rows.append(f"written: {output.ident(done.id or '')}")
    return "\n".join([*rows, *([done.reply] if done.reply else [])])
