"""`chat`: stores, imports, lists and searches the messages of all conversations."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.columns import width
from clawgit.cli.command import command
from clawgit.cli.conversation.triage import said_options
from clawgit.cli.opening import standard_input, workspace
from clawgit.cli.options import dry_run_option, limit_option, together
from clawgit.cli.output import dim, notes, shown
from clawgit.errors import UsageError
from clawgit.ops.conversation import chat as op
from clawgit.stores.chat.protocol import MessageQuery

if TYPE_CHECKING:
    from clawgit.domain.conversation.chat import Message


_STDIN = "-"
_LIMIT = 100
_FEW = 3
"""How many messages the group shows when it is called alone."""
_MOST = 2**63 - 1
"""No database counts higher."""
_SHOWN = 300
"""How many characters of a message a list shows."""

_wanted_options = together(
    click.option("--session", default="", metavar="S", help="The session, by its name."),
    click.option(
        "--role", default="", metavar="R", help="Who speaks: user, assistant, toolResult …"
    ),
    click.option(
        "--since",
        default="",
        metavar="WHEN",
        help="From this day or time on: 2026-02-14, yesterday …",
    ),
    click.option("--until", default="", metavar="WHEN", help="Up to this day or time."),
    limit_option(_LIMIT, "At most this many, the newest."),
)


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


@command("list")
@_wanted_options
def list_(**wanted: Any) -> None:
    """List messages, the newest at the end.

    Example: clawgit chat list --since yesterday --role user
    """
    _show("", **wanted)


@command("search")
@click.argument("query")
@_wanted_options
def search(query: str, **wanted: Any) -> None:
    """Find messages that contain all words of QUERY.

    The beginning of a word is enough.

    Example: clawgit chat search "staging certificate"
    """
    if not query.strip():
        raise UsageError("There is nothing to search for.", hint="clawgit chat list")
    _show(query, **wanted)


@command("export")
@click.argument("file")
def export(file: str) -> None:
    """Export all messages as JSON lines.

    FILE is the file to write; - is standard output. `chat ingest` imports them again, without
    duplicates.

    Example: clawgit chat export messages.jsonl
    """
    with workspace() as opened:
        if file == _STDIN:
            for line in op.lines(opened):
                output.line(line)
            return
        done = op.export(opened, Path(file).absolute())
        output.emit(done, _exported_text)


def state() -> None:
    """The last messages: what `chat` shows when it is called alone."""
    _show("", limit=_FEW)


def _show(
    query: str, *, session: str = "", role: str = "", since: str = "", until: str = "", limit: int
) -> None:
    with workspace() as opened:
        roles = (role,) if role else ()
        wanted = MessageQuery(query, session, roles, limit=min(limit, _MOST))
        page = op.messages(opened, wanted, since, until)
        output.emit(page, _messages_text)


def _logged_text(done: op.Logged) -> str:
    message = done.messages[0]
    ident = shown(" ".join(message.id.split()))
    return "\n".join([f"{'stored' if done.new else 'already stored'}: {ident}", *notes(done.notes)])


def _messages_text(page: op.Messages) -> str:
    widest = max((width(shown(message.role)) for message in page.messages), default=0)
    rows = [_message_text(message, widest) for message in page.messages]
    return "\n".join([*rows, *notes(page.notes)]) or dim("no message")


def _message_text(message: "Message", widest: int) -> str:
    text = " ".join(message.text[: _SHOWN * 2].split())
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
    mark = output.warning("!") if message.priority else " "
    role = output.key(shown(message.role)) + " " * (widest - width(shown(message.role)))
    head = f"{dim(f'{message.time:%Y-%m-%d %H:%M}')} {mark} {role}"
    return f"{head}  {shown(text)}"


def _exported_text(done: op.ExportedChat) -> str:
    return f"{output.counted(done.count, 'message')} in {shown(str(done.file))}"
