"""`chat`: stores, imports and searches the messages of all conversations; `session`: checks and
edits of one, for a chat runtime.
"""

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from clawgit.core.errors import UsageError
from clawgit.run.heartbeat import Triager
from clawgit.run.triage_commands import follow_up, said_options
from clawgit.safety.rules.visible import in_json
from clawgit.talk import chat as op
from clawgit.talk import ingest as ingesting
from clawgit.talk import session as sessions
from clawgit.talk.ingest import Where
from clawgit.talk.rules.session import RESET_RULES
from clawgit.talk.stores.chat import MessageQuery
from clawgit.terminal import output
from clawgit.terminal.change_text import outcome
from clawgit.terminal.command import (
    Answer,
    Answers,
    command,
    dry_run_option,
    group,
    limit_option,
    option,
    together,
)
from clawgit.terminal.opening import given_lines, standard_input
from clawgit.terminal.output import dim, notes
from clawgit.terminal.text import cut, options, table
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.talk.rules.chat import Message


_TOKENS = click.IntRange(min=0)

_window_option = option(
    "--window TOKENS",
    "The context window of the model.  [default: 200000]",
    type=click.IntRange(min=1),
    default=sessions.WINDOW,
)
_transcript = together(
    click.argument("file", required=False),
    option("--session S", "A session of OpenClaw, by its key or id."),
)
"""Where the transcript is."""


@group("session")
def session() -> None:
    """Check when to flush or reset a session; note its end.

    Example: clawgit session flush-check --session agent:main:main
    """


@command("flush-check")
@_transcript
@_window_option
@option("--tokens N", "Tokens in the context now.  [default: counted]", type=_TOKENS)
@option(
    "--compactions N",
    "How often the session was compacted.  [default: read from the transcript]",
    type=_TOKENS,
)
@dry_run_option
def flush_check(ws: Workspace, file: str | None, session: str, **typed: Any) -> Answer:
    """Check whether the agent should save its memory now.

    Also prints the prompt that asks for it. The answer is yes only once between two compactions; a
    --dry-run does not count. FILE is a transcript in JSON lines; - reads standard input.

    Example: clawgit session flush-check --session agent:main:main --json
    """
    return sessions.flush_check(ws, _where(file, session), **typed), _flush_text


@command("new")
@_transcript
@option("--source S", "The channel: telegram, webchat …  [default: as OpenClaw says]")
@dry_run_option
def new(ws: Workspace, file: str | None, session: str, **typed: Any) -> Answer:
    """Write a note about a session that ends.

    The note is memory/DATE-SLUG.md. A session gets one note; a note that OpenClaw wrote itself
    stays as it is. FILE is a transcript in JSON lines; - reads standard input.

    Example: clawgit session new --session agent:main:main
    """
    return sessions.new_session(ws, _where(file, session), **typed), _new_text


@command("reset-check")
@_transcript
@option(
    "--rule",
    "At 4:00 (default), after a silent hour, or both.",
    type=click.Choice(RESET_RULES),
    default="daily",
)
@option("--last ISO", "Time of the last message; then no transcript is read.")
def reset_check(ws: Workspace, file: str | None, session: str, last: str, **typed: Any) -> Answer:
    """Check whether or when a session is due for a reset.

    FILE is a transcript in JSON lines; - reads standard input.

    Example: clawgit session reset-check --session agent:main:main
    """
    where = Where() if last else _where(file, session)
    return sessions.reset_check(ws, where, last=ws.moment(last), **typed), output.told


@command("prune", verbatim=True)
@_transcript
@_window_option
def prune(ws: Workspace, file: str | None, session: str, window: int) -> Answers:
    """Print the messages, with old tool results shortened.

    The transcript is not changed. Without --json, each message is a line of JSON. FILE is a
    transcript in JSON lines; - reads standard input.

    Example: clawgit session prune --session agent:main:main
    """
    yield from _messages(sessions.pruned(ws, _where(file, session), window=window))


@command("compact", verbatim=True)
@_transcript
@option(
    "--keep N",
    "How many of the last turns stay whole.  [default: 10]",
    type=_TOKENS,
    default=sessions.KEPT_TURNS,
)
@dry_run_option
def compact(ws: Workspace, file: str | None, session: str, **typed: Any) -> Answers:
    """Print the messages, with the older ones summed up.

    The summary is saved as a note in memory/summaries/, one per session. The transcript is not
    changed. Without --json, each message is a line of JSON. FILE is a transcript in JSON lines, -
    reads standard input.

    Example: clawgit session compact --session agent:main:main --keep 10
    """
    yield from _messages(sessions.compacted(ws, _where(file, session), **typed))


def _where(file: str | None, session: str) -> Where:
    """Where the transcript is: FILE, else --session, else standard input."""
    if file is None and session:
        return Where(session)
    with ExitStack() as used:
        return Where(session, [*given_lines(file, used)])


def _messages(done: sessions.PruneResult | sessions.CompactResult) -> Answers:
    """Prints the messages to standard output, for a program; the reason goes to standard error."""
    if not options().as_json:
        output.note(done.reason, *_kept(output.tame(done)), *notes(done.notes))
    yield done, _context_text


def _kept(done: Any) -> list[str]:
    """Where the summary of a compaction was saved."""
    if not getattr(done, "path", None):
        return []
    waits = f"{done.change.id}  waits for the operator: " if done.change.held else "summary: "
    return [f"{waits}{done.path}"]


def _context_text(done: sessions.PruneResult | sessions.CompactResult) -> str:
    """One message a line. Lone surrogates become escapes: JSON can hold them, UTF-8 cannot."""
    lines = (json.dumps(dict(message), ensure_ascii=False) for message in done.messages)
    return in_json("\n".join(lines).encode("utf-8", "backslashreplace").decode())


def _flush_text(done: sessions.FlushCheck) -> str:
    head = f"{'flush now' if done.flush else 'no flush'}: {done.reason}"
    prompts = [dim(done.system_prompt), done.prompt] if done.flush else []
    return "\n".join([head, *prompts, *notes(done.notes)])


def _new_text(done: sessions.NewSession) -> str:
    said = f"{done.action}: {done.path or 'the session has no messages'}"
    return outcome(done, said, said)


_FEW = 3
"""How many messages the group shows when it is called alone."""

_SHOWN = 300
"""How many columns of a message a list shows."""


@command("log")
@click.argument("text")
@said_options
@dry_run_option
def log(ws: Workspace, text: str, **said: Any) -> Answer:
    """Store one message of a running chat.

    TEXT is the message; - reads it from standard input. Without --id, each call stores a new
    message.

    Example: clawgit chat log "Ship on Friday." --session agent:main:main
    """
    content = standard_input() if text == "-" else text
    return op.log(ws, content, **said), _logged_text


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
    return op.messages(ws, MessageQuery(limit=_FEW)), _messages_text


@command("ingest")
@click.argument("file", required=False)
@option("--openclaw", "Read the transcripts of OpenClaw.")
@option("--agent A", "The agent of OpenClaw.  [default: the one of this workspace]")
@option("--session S", "The session of lines that name none.")
@dry_run_option
def ingest(ws: Workspace, file: str | None, openclaw: bool, agent: str, session: str) -> Answers:
    """Import messages from transcripts or JSON lines.

    FILE holds lines {"role", "text", "time", "id", "session"}; - or no FILE means standard input. A
    message that is stored already is skipped. OpenClaw's files are only read, never changed.

    Example: clawgit chat ingest --openclaw
    """
    if (openclaw and (file or session)) or (agent and not openclaw):
        raise UsageError(
            "These options cannot be used together.", hint="clawgit chat ingest --help"
        )
    judge = Triager(ws).judge
    with ExitStack() as used:
        if openclaw:
            tell = used.enter_context(output.progress("reading"))
            done = ingesting.ingest_openclaw(ws, agent, judge, tell)
        else:
            lines = given_lines(file, used)
            done = ingesting.ingest_lines(ws, lines, session, judge)
    yield done, _ingested_text
    if not ws.dry_run:
        follow_up(ws, forward=False)


def _ingested_text(done: "ingesting.Ingested") -> str:
    rest = output.told(done, without="messages new read", nothing="")
    return f"{done.new:,} new of {done.read:,} messages read\n{rest}".rstrip()


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
