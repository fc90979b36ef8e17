"""`heartbeat`: stores a message, triages it, and starts the agents that it calls."""

import sys

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.conversation.triage import cut_off_rows, message_text, said_options, trigger_text
from clawgit.cli.loading import load
from clawgit.cli.opening import clock, workspace
from clawgit.cli.options import dry_run_option
from clawgit.cli.output import notes, one_line, shown
from clawgit.errors import UsageError
from clawgit.ops.conversation import heartbeat as op


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
        _without_message(text, upkeep=upkeep, install=install, dry_run=dry_run)
        return
    message = message_text(text)
    with workspace() as opened:
        done = op.heartbeat(opened, message, **said, dry_run=dry_run)
        output.emit(done, _heartbeat_text)
        if dry_run:
            return
        # The chat waits for the answer, not for the agents that it calls.
        sys.stdout.flush()
        for trouble in op.follow_up(opened, clock()):
            output.note(f"note: {shown(trouble)}")


def _without_message(text: str | None, *, upkeep: bool, install: bool, dry_run: bool) -> None:
    if upkeep and install:
        raise UsageError(
            "--maintain and --install cannot be used together.", hint="Run them one by one."
        )
    name = "--maintain" if upkeep else "--install"
    if text is not None:
        raise UsageError(f"{name} takes no message.", hint=f"clawgit heartbeat {name}")
    # Loaded here: a message need not wait for what the upkeep needs.
    load(f"conversation.maintaining:{'maintained' if upkeep else 'installed'}")(dry_run=dry_run)


def _heartbeat_text(done: op.Heartbeat) -> str:
    rows = [f"{'stored' if done.new else 'already stored'}: {one_line(done.message.id)}"]
    if done.new:
        rows += [trigger_text(trigger) for trigger in done.triggers]
    return "\n".join([*rows, *cut_off_rows(done.cut_off), *notes(done.notes)])
