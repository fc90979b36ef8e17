"""`chat`: stores, imports and searches the messages of all conversations."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option, limit_option
from clawgit.cli.lazy import group
from clawgit.cli.loading import load
from clawgit.cli.opening import caller, clock, standard_input, workspace
from clawgit.cli.output import counted, dim, notes, shown
from clawgit.cli.text import cut, table
from clawgit.cli.triage import said_options
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.conversation import chat as op
from clawgit.stores.chat.protocol import MessageQuery

if TYPE_CHECKING:
    from clawgit.domain.conversation.chat import Message
    from clawgit.ops.conversation.ingest import Ingested
    from clawgit.ops.workspace.workspace import Workspace

_STDIN = "-"
_FEW = 3
"""How many messages the group shows when it is called alone."""

_SHOWN = 300
"""How many columns of a message a list shows."""


@command("log")
@click.argument("text")
@said_options
@dry_run_option
def log(text: str, *, dry_run: bool, **said: Any) -> None:
    """Store one message of a running chat.

    TEXT is the message; - reads it from standard input. Without --id, each call stores a new
    message.

    Example: clawgit chat log "Ship on Friday." --session agent:main:main
    """
    content = standard_input() if text == _STDIN else text
    with workspace() as opened:
        done = op.log(opened, content, **said, dry_run=dry_run)
        output.emit(done, _logged_text)


@command("search")
@click.argument("query", default="")
@click.option("--session", default="", metavar="S", help="The session, by its name.")
@click.option("--role", default="", metavar="R", help="Who speaks: user, assistant, toolResult …")
@click.option(
    "--since", default="", metavar="WHEN", help="From this day or time on: 2026-02-14, yesterday …"
)
@click.option("--until", default="", metavar="WHEN", help="Up to this day or time.")
@limit_option(100, "At most this many, the newest.")
def search(query: str, session: str, role: str, since: str, until: str, limit: int) -> None:
    """Find messages that contain all words of QUERY.

    The beginning of a word is enough. Without QUERY, the newest messages.

    Example: clawgit chat search "staging certificate"
    """
    with workspace() as opened:
        wanted = MessageQuery(query, session, (role,) if role else (), limit=limit)
        output.emit(op.messages(opened, wanted, since, until), _messages_text)


@group("chat")
def chat() -> None:
    """Store every message; list and search them.

    Example: clawgit chat search "staging certificate"
    """
    with workspace() as opened:
        output.emit(op.messages(opened, MessageQuery("", limit=_FEW)), _messages_text)


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
@click.option("--interval", type=click.FloatRange(min=0.05), default=1.0, hidden=True)
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
            read = load("clawgit.ops.conversation.ingest:ingest_openclaw")
            done = read(opened, agent, _judge(opened), tell, dry_run=dry_run)
            used.close()
        else:
            read = load("clawgit.ops.conversation.ingest:ingest_lines")
            done = read(opened, _lines(file, used), session, _judge(opened), dry_run=dry_run)
        output.emit(done, _ingested_text)
        if not dry_run:
            _follow_up(opened)


def _judge(opened: "Workspace") -> Any:
    return load("clawgit.ops.conversation.heartbeat:judge")(opened)


def _follow(opened: "Workspace", agent: str, interval: float) -> None:
    follow = load("clawgit.ops.conversation.ingest:follow")
    output.note("following OpenClaw's transcripts; Ctrl-C ends it")
    try:
        for taken in follow(opened, _moments(interval), clock(), output.tell, agent, _judge):
            output.emit(taken, _ingested_text)
            _follow_up(opened._replace(caller=caller()))  # with the settings as they are now
    except KeyboardInterrupt:
        output.note("")


def _follow_up(opened: "Workspace") -> None:
    """Starts the agents that the new messages call, after the answer."""
    sys.stdout.flush()
    for trouble in load("clawgit.ops.conversation.heartbeat:follow_up")(
        opened, clock(), forward=False
    ):
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


def _ingested_text(done: "Ingested") -> str:
    rows = [f"{done.new:,} new of {done.read:,} messages read"]
    rows += [f"{counted(count, 'line')} {what}" for what, count in done.skipped.items()]
    return "\n".join([*rows, *notes(done.notes)])


def _logged_text(done: op.Logged) -> str:
    message = done.messages[0]
    ident = shown(" ".join(message.id.split()))
    return "\n".join([f"{'stored' if done.new else 'already stored'}: {ident}", *notes(done.notes)])


def _messages_text(page: op.Messages) -> str:
    rows = table([*map(_cells, page.messages)])
    return "\n".join([*rows, *notes(page.notes)]) or dim("no message")


def _cells(message: "Message") -> tuple[str, ...]:
    mark = output.warning("!") if message.priority else " "
    text = " ".join(message.text[: _SHOWN * 2].split())
    return (
        f"{dim(f'{message.time:%Y-%m-%d %H:%M}')} {mark} {output.key(shown(message.role))}",
        cut(shown(text), _SHOWN),
    )
