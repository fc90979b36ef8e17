"""`heartbeat`: stores a message, triages it, and starts the agents that it calls."""

import sys

import click

from clawgit.cli import output
from clawgit.cli.command import clock, command, workspace
from clawgit.cli.conversation.triage import cut_off_rows, message_text, trigger_text
from clawgit.cli.lazy import load
from clawgit.cli.options import dry_run_option, options
from clawgit.cli.output import notes, one_line, shown
from clawgit.errors import UsageError
from clawgit.ops.conversation import heartbeat as op


@command("heartbeat")
@click.argument("text", required=False)
@click.option("--session", default="", metavar="S", help="The session it belongs to.")
@click.option("--role", default="user", show_default=True, metavar="R", help="Who speaks.")
@click.option(
    "--id",
    "ident",
    default="",
    metavar="I",
    help="The runtime's id of it; the same id again is not stored twice.",
)
@click.option("--time", "when", default="", metavar="T", help="When it was said; else now.")
@click.option(
    "--maintain",
    "upkeep",
    is_flag=True,
    help="No message: do the upkeep of a heartbeat, and tell what needs the human.",
)
@dry_run_option
def heartbeat(
    text: str | None,
    session: str,
    role: str,
    ident: str,
    when: str,
    *,
    upkeep: bool,
    dry_run: bool,
) -> None:
    """Keep a message, triage it, and call the agents it asks for.

    TEXT is the message; without it, or with -, it is read from standard input. A chat runtime calls
    this for each message. It answers first, and then starts the agents that the message calls.

    With --maintain it keeps no message: it commits edits, promotes what is sure in the notes of the
    last days, and tells what waits for the human, or HEARTBEAT_OK.

    Example: clawgit heartbeat "You forgot the milk." --session agent:main:main
    """
    if upkeep:
        if text is not None:
            raise UsageError("--maintain takes no message.", hint="clawgit heartbeat --maintain")
        # Loaded here: a message should not wait for imports of the upkeep.
        load("conversation.maintaining:maintained")(dry_run=dry_run)
        return
    message = message_text(text)
    with workspace() as opened:
        done = op.heartbeat(
            opened, message, session=session, role=role, ident=ident, time=when, dry_run=dry_run
        )
        output.emit(done, _heartbeat_text, as_json=options().as_json)
        if dry_run:
            return
        # The chat waits for the answer, not for the agents that it calls.
        sys.stdout.flush()
        for trouble in op.follow_up(opened, clock()):
            output.note(f"note: {shown(trouble)}")


def _heartbeat_text(done: op.Heartbeat) -> str:
    rows = [f"{'kept' if done.new else 'known already'}: {one_line(done.message.id)}"]
    if done.new:
        rows += [trigger_text(trigger) for trigger in done.triggers]
    return "\n".join([*rows, *cut_off_rows(done.cut_off), *notes(done.notes)])
