"""`chat ingest`: imports messages from transcripts and from JSON lines."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import caller, clock, workspace
from clawgit.cli.options import dry_run_option
from clawgit.cli.output import counted, notes, shown
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.conversation import ingest as op
from clawgit.ops.conversation.heartbeat import follow_up, judge
from clawgit.ops.conversation.ingest import follow

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace

_STDIN = "-"


@command("ingest")
@click.argument("file", required=False)
@click.option("--openclaw", is_flag=True, help="Read the transcripts of OpenClaw.")
@click.option(
    "--agent",
    default="",
    metavar="A",
    help="The agent of OpenClaw.  [default: the one of this workspace]",
)
@click.option("--session", default="", metavar="S", help="The session of lines that name none.")
@click.option(
    "--watch", is_flag=True, help="Run until Ctrl-C, with one answer each time messages come in."
)
@click.option(
    "--interval", type=click.FloatRange(min=0.05), default=1.0, show_default=True,
    metavar="SECONDS",
    help="How often --watch looks.",
)  # fmt: skip
@dry_run_option
def ingest(
    file: str | None,
    openclaw: bool,
    agent: str,
    session: str,
    watch: bool,
    interval: float,
    dry_run: bool,
) -> None:
    """Import messages from transcripts or JSON lines.

    FILE holds lines {"role", "text", "time", "id", "session"}; - or no FILE means standard input. A
    message that is stored already is skipped. OpenClaw's files are only read, never changed.

    Example: clawgit chat ingest --openclaw
    """
    with_openclaw = openclaw and (file or session or (watch and dry_run))
    without_openclaw = not openclaw and (agent or watch)
    if with_openclaw or without_openclaw:
        raise UsageError(
            "These options cannot be used together.", hint="clawgit chat ingest --help"
        )

    with workspace() as opened, ExitStack() as used:
        if watch:
            _follow(opened, agent, interval)
            return
        if openclaw:
            tell = used.enter_context(output.progress("reading"))
            done = op.ingest_openclaw(opened, agent, judge(opened), tell, dry_run=dry_run)
            used.close()
        else:
            done = op.ingest_lines(
                opened, _lines(file, used), session, judge(opened), dry_run=dry_run
            )
        output.emit(done, _ingested_text)
        if not dry_run:
            _follow_up(opened)


def _follow(opened: "Workspace", agent: str, interval: float) -> None:

    output.note("following OpenClaw's transcripts; Ctrl-C ends it")
    try:
        for taken in follow(opened, _moments(interval), clock(), output.tell, agent, judge):
            output.emit(taken, _ingested_text)
            _follow_up(opened._replace(caller=caller()))  # with the settings as they are now
    except KeyboardInterrupt:
        output.note("")


def _follow_up(opened: "Workspace") -> None:
    """Starts the agents that the new messages call, after the answer."""
    sys.stdout.flush()
    for trouble in follow_up(opened, clock(), forward=False):
        output.note(f"note: {shown(trouble)}")


def _moments(interval: float) -> Iterator[None]:
    while True:
        yield
        time.sleep(interval)


def _lines(file: str | None, used: ExitStack) -> Iterable[bytes]:
    if file not in (None, _STDIN):
        try:
            return used.enter_context(Path(str(file)).open("rb"))
        except OSError as error:
            raise NotFoundError(
                f"{file} cannot be read: {error.strerror}.", hint="Name a file of JSON lines."
            ) from error
    if sys.stdin.isatty():
        raise UsageError(
            "Nothing comes in on standard input.", hint="clawgit chat ingest FILE, or --openclaw"
        )
    return sys.stdin.buffer


def _ingested_text(done: op.Ingested) -> str:
    rows = [f"{done.new:,} new of {done.read:,} messages read"]
    rows += [f"{counted(count, 'line')} {what}" for what, count in done.skipped.items()]
    return "\n".join([*rows, *notes(done.notes)])
