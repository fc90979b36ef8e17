"""`chat`: stores, imports and searches the messages of all conversations."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import Answer, Answers, command, dry_run_option, limit_option, option
from clawgit.cli.lazy import group
from clawgit.cli.loading import load
from clawgit.cli.opening import given_lines, standard_input
from clawgit.cli.output import counted, dim, notes
from clawgit.cli.text import cut, table
from clawgit.cli.triage import follow_up, said_options
from clawgit.errors import UsageError
from clawgit.ops.conversation import chat as op
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chat import MessageQuery

if TYPE_CHECKING:
    from clawgit.domain.conversation.chat import Message
    from clawgit.ops.conversation.ingest import Ingested

_STDIN = "-"
_FEW = 3
"""How many messages the group shows when it is called alone."""

_SHOWN = 300
"""How many columns of a message a list shows."""


@command("log")
@click.argument("text")
@said_options
@dry_run_option
def log(ws: Workspace, text: str, *, dry_run: bool, **said: Any) -> Answer:
    """Store one message of a running chat.

    TEXT is the message; - reads it from standard input. Without --id, each call stores a new
    message.

    Example: clawgit chat log "Ship on Friday." --session agent:main:main
    """
    content = standard_input() if text == _STDIN else text
    done = op.log(ws, content, **said, dry_run=dry_run)
    return done, _logged_text


@command("search")
@click.argument("query", default="")
@option("--session S", "The session, by its name.")
@option("--role R", "Who speaks: user, assistant, toolResult …")
@option("--since WHEN", "From this day or time on: 2026-02-14, yesterday …")
@option("--until WHEN", "Up to this day or time.")
@option("--ref REF", "Only the messages of these references: chat:SESSION/MESSAGE.", multiple=True)
@limit_option(100, "At most this many, the newest.")
def search(
    ws: Workspace, role: str, since: str, until: str, ref: tuple[str, ...], **typed: Any
) -> Answer:
    """Find messages that contain all words of QUERY.

    The beginning of a word is enough. Without QUERY, the newest messages.

    Example: clawgit chat search "staging certificate"
    """
    if ref:
        return op.referred(ws, ref), _messages_text
    wanted = MessageQuery(**typed, roles=(role,) if role else ())
    return op.messages(ws, wanted, since, until), _messages_text


@group("chat")
def chat(ws: Workspace) -> Answer:
    """Store every message; list and search them.

    Example: clawgit chat search "staging certificate"
    """
    return op.messages(ws, MessageQuery("", limit=_FEW)), _messages_text


@command("ingest")
@click.argument("file", required=False)
@option("--openclaw", "Read the transcripts of OpenClaw.")
@option("--agent A", "The agent of OpenClaw.  [default: the one of this workspace]")
@option("--session S", "The session of lines that name none.")
@dry_run_option
def ingest(
    ws: Workspace, file: str | None, openclaw: bool, agent: str, session: str, dry_run: bool
) -> Answers:
    """Import messages from transcripts or JSON lines.

    FILE holds lines {"role", "text", "time", "id", "session"}; - or no FILE means standard input. A
    message that is stored already is skipped. OpenClaw's files are only read, never changed.

    Example: clawgit chat ingest --openclaw
    """
    if (openclaw and (file or session)) or (agent and not openclaw):
        raise UsageError(
            "These options cannot be used together.", hint="clawgit chat ingest --help"
        )
    judge = load("clawgit.ops.conversation.heartbeat:Triager")(ws).judge
    with ExitStack() as used:
        if openclaw:
            tell = used.enter_context(output.progress("reading"))
            read = load("clawgit.ops.conversation.ingest:ingest_openclaw")
            done = read(ws, agent, judge, tell, dry_run=dry_run)
        else:
            read = load("clawgit.ops.conversation.ingest:ingest_lines")
            done = read(ws, given_lines(file, used), session, judge, dry_run=dry_run)
    yield done, _ingested_text
    if not dry_run:
        follow_up(ws, forward=False)


def _ingested_text(done: "Ingested") -> str:
    rows = [f"{done.new:,} new of {done.read:,} messages read"]
    rows += [f"{counted(count, 'line')} {what}" for what, count in done.skipped.items()]
    return "\n".join([*rows, *notes(done.notes)])


def _logged_text(done: op.Logged) -> str:
    message = done.messages[0]
    ident = " ".join(message.id.split())
    return "\n".join([f"{'stored' if done.new else 'already stored'}: {ident}", *notes(done.notes)])


def _messages_text(page: op.Messages) -> str:
    rows = table([*map(_cells, page.messages)])
    return "\n".join([*rows, *notes(page.notes)]) or dim("no message")


def _cells(message: "Message") -> tuple[str, ...]:
    mark = output.warning("!") if message.priority else " "
    text = " ".join(message.text[: _SHOWN * 2].split())
    return (
        f"{dim(f'{message.time:%Y-%m-%d %H:%M}')} {mark} {output.key(message.role)}",
        cut(text, _SHOWN),
    )
