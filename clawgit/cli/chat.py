"""`chat`: the messages of all conversations, kept, taken in, listed and searched."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import (
    caller,
    clock,
    command,
    dry_run_option,
    options,
    shared_options,
    standard_input,
    workspace,
)
from clawgit.cli.output import dim, shown
from clawgit.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from clawgit.domain.conversation.chat import Message
    from clawgit.ops.conversation.chat import Exported, Logged, Messages
    from clawgit.ops.conversation.ingest import Ingested
    from clawgit.ops.workspace.workspace import Workspace

_STDIN = "-"
_LIMIT = 100
_MOST = 2**63 - 1
"""More than that no database counts."""
_SHOWN = 300
"""Characters of a message that a list shows."""

_session_option = click.option(
    "--session", default="", metavar="S", help="The session, by its name."
)
_role_option = click.option(
    "--role", default="", metavar="R", help="Who speaks: user, assistant, toolResult …"
)
_since_option = click.option(
    "--since", default="", metavar="WHEN", help="Not older: a day, a time, `yesterday` …"
)
_until_option = click.option("--until", default="", metavar="WHEN", help="Older than that.")
_limit_option = click.option(
    "-n",
    "limit",
    type=click.IntRange(min=1),
    default=_LIMIT,
    show_default=True,
    help="The newest of them.",
)


@click.group("chat")
@shared_options
def chat() -> None:
    """Keep every message, list them, search them.

    Example: clawgit chat search "staging certificate"
    """


@command("log")
@click.argument("text")
@click.option("--session", default="", metavar="S", help="The session it belongs to.")
@click.option("--role", default="user", show_default=True, metavar="R", help="Who speaks.")
@click.option(
    "--id",
    "ident",
    default="",
    metavar="I",
    help="The runtime's id of it; the same id again is no news.",
)
@click.option("--time", "when", default="", metavar="T", help="When it was said; else now.")
@dry_run_option
def log(text: str, session: str, role: str, ident: str, when: str, dry_run: bool) -> None:
    """Keep one message of a running chat.

    TEXT is the message, - reads it from standard input. Without --id each call is a message of its
    own.

    Example: clawgit chat log "Ship on Friday." --session agent:main:main
    """
    from clawgit.ops.conversation import chat as op  # noqa: PLC0415 - a command loads what it needs

    said = standard_input() if text == _STDIN else text
    with workspace() as opened:
        done = op.log(
            opened, said, session=session, role=role, ident=ident, time=when, dry_run=dry_run
        )
        output.emit(done, _logged_text, as_json=options().as_json)


@command("ingest")
@click.argument("file", required=False)
@click.option("--openclaw", is_flag=True, help="Read the transcripts of OpenClaw.")
@click.option(
    "--agent", default="", metavar="A", help="The agent of OpenClaw; else the one that lives here."
)
@click.option("--session", default="", metavar="S", help="The session of lines that name none.")
@click.option(
    "--watch", is_flag=True, help="Go on until Ctrl-C; one answer each time that something came."
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
    """Take in messages, of transcripts or of JSON lines.

    FILE holds lines {"role", "text", "time", "id", "session"}, - or none means standard input. What
    is there already is no news, whatever brought it. OpenClaw's files are read only.

    Example: clawgit chat ingest --openclaw
    """
    if (
        (openclaw and (file or session))
        or (not openclaw and (agent or watch))
        or (watch and dry_run)
    ):
        raise UsageError("These options do not go together.", hint="clawgit chat ingest --help")
    from clawgit.ops.conversation import ingest as op  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.conversation.heartbeat import judge  # noqa: PLC0415

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
        output.emit(done, _ingested_text, as_json=options().as_json)
        if not dry_run:
            _follow_up(opened)


@command("list")
@_session_option
@_role_option
@_since_option
@_until_option
@_limit_option
def list_(session: str, role: str, since: str, until: str, limit: int) -> None:
    """List messages, the newest at the end.

    Example: clawgit chat list --since yesterday --role user
    """
    _show("", session, role, since, until, limit)


@command("search")
@click.argument("query")
@_session_option
@_role_option
@_since_option
@_until_option
@_limit_option
def search(query: str, session: str, role: str, since: str, until: str, limit: int) -> None:
    """Find messages that hold all words of QUERY.

    The beginning of a word is enough.

    Example: clawgit chat search "staging certificate"
    """
    if not query.strip():
        raise UsageError("There is nothing to search for.", hint="clawgit chat list")
    _show(query, session, role, since, until, limit)


@command("export")
@click.argument("file")
def export(file: str) -> None:
    """Write all messages as JSON lines.

    FILE is where to, - standard output. `chat ingest` takes them in again without doubling one.

    Example: clawgit chat export messages.jsonl
    """
    from clawgit.ops.conversation import chat as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as opened:
        if file == _STDIN:
            for line in op.lines(opened):
                output.line(line)
            return
        done = op.export(opened, Path(file).absolute())
        output.emit(done, _exported_text, as_json=options().as_json)


for _command in (log, ingest, list_, search, export):
    chat.add_command(_command)


def _show(query: str, session: str, role: str, since: str, until: str, limit: int) -> None:
    from clawgit.ops.conversation import chat as op  # noqa: PLC0415 - a command loads what it needs
    from clawgit.stores.chat.protocol import Wanted  # noqa: PLC0415

    with workspace() as opened:
        found = op.messages(
            opened, Wanted(query, session, role, limit=min(limit, _MOST)), since, until
        )
        output.emit(found, _messages_text, as_json=options().as_json)


def _follow(opened: "Workspace", agent: str, interval: float) -> None:
    from clawgit.ops.conversation.heartbeat import judge  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.conversation.ingest import follow  # noqa: PLC0415

    output.note("following OpenClaw's transcripts; Ctrl-C ends it")
    try:
        for taken in follow(opened, _moments(interval), clock(), output.note, agent, judge):
            output.emit(taken, _ingested_text, as_json=options().as_json)
            _follow_up(replace(opened, caller=caller()))  # with the settings as they are now
    except KeyboardInterrupt:
        output.note("")


def _follow_up(opened: "Workspace") -> None:
    """What the new messages call for, after the answer. What waits for a server was sent before
    it.
    """
    from clawgit.ops.conversation.heartbeat import follow_up  # noqa: PLC0415 - a command loads what it needs

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


def _logged_text(done: "Logged") -> str:
    message = done.messages[0]
    ident = shown(" ".join(message.id.split()))
    return "\n".join([f"{'kept' if done.new else 'known already'}: {ident}", *_notes(done.notes)])


def _ingested_text(done: "Ingested") -> str:
    rows = [f"{done.new:,} new of {done.read:,} messages read"]
    rows += [
        f"{count:,} line{'' if count == 1 else 's'} {what}" for what, count in done.skipped.items()
    ]
    return "\n".join([*rows, *_notes(done.notes)])


def _messages_text(found: "Messages") -> str:
    return "\n".join([*map(_message_text, found.messages), *_notes(found.notes)]) or dim(
        "no message"
    )


def _message_text(message: "Message") -> str:
    text = " ".join(message.text[: _SHOWN * 2].split())
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
    mark = click.style("!", fg="yellow") if message.priority else " "
    head = (
        f"{dim(f'{message.time:%Y-%m-%d %H:%M}')} {mark} "
        f"{click.style(shown(message.role), fg='cyan')}"
    )
    return f"{head}  {shown(text)}"


def _exported_text(done: "Exported") -> str:
    return f"{done.count:,} message{'' if done.count == 1 else 's'} in {shown(str(done.file))}"


def _notes(notes: Iterable[str]) -> Iterator[str]:
    return (dim(f"note: {shown(note)}") for note in notes)
