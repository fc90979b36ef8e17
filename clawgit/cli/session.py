"""`session`: what a chat runtime asks at the moments of a session's life, and the note that one
leaves when it ends.
"""

import json
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.command import command, workspace
from clawgit.cli.options import dry_run_option, options, shared_options
from clawgit.cli.output import dim, notes, shown
from clawgit.domain.change.when import parse_when
from clawgit.errors import UsageError
from clawgit.ops.conversation import session as op
from clawgit.ops.conversation.session_new import NewSession, new_session
from clawgit.ops.conversation.session_reading import Where

if TYPE_CHECKING:
    from clawgit.config.settings import Settings
    from clawgit.ops.workspace.workspace import Workspace


_STDIN = "-"
_TOKENS = click.IntRange(min=0)

_window_option = click.option(
    "--window", type=click.IntRange(min=1), default=None, metavar="TOKENS",
    help="The context window of the model.  [default: 200000]",
)  # fmt: skip


def _number_option(name: str, target: str, least: int, text: str) -> Callable[[Any], Any]:
    """An option that stands before the setting of the same meaning."""
    words = f"{text}  [setting: {target}]"
    return click.option(
        name, target, type=click.IntRange(min=least), default=None, metavar="N", help=words
    )


def _transcript(function: Callable[..., Any]) -> Callable[..., Any]:
    """FILE and --session, which say where the transcript is."""
    named = click.option(
        "--session", default="", metavar="S", help="OpenClaw's session, by its key or id."
    )
    return click.argument("file", required=False)(named(function))


@click.group("session")
@shared_options
def session() -> None:
    """Tell when to flush, reset or shorten a session, and note one that ends.

    Example: clawgit session flush-check --session agent:main:main
    """


@command("flush-check")
@_transcript
@_window_option
@click.option(
    "--tokens",
    type=_TOKENS,
    default=None,
    metavar="N",
    help="How full the context is; else it is counted.",
)
@click.option(
    "--compactions", type=_TOKENS, default=None, metavar="N",
    help="How often the session was compacted; else its transcript tells.",
)  # fmt: skip
@_number_option("--reserve", "reserve_tokens_floor", 0, "What compaction keeps free.")
@_number_option("--soft", "soft_threshold_tokens", 0, "How much before that point the flush comes.")
@dry_run_option
def flush_check(
    file: str | None,
    session: str,
    window: int | None,
    tokens: int | None,
    compactions: int | None,
    dry_run: bool,
    **given: int | None,
) -> None:
    """Tell whether the agent must save its memory now, and how to ask it.

    The answer is yes once between two compactions; --dry-run asks without using that up. FILE is a
    transcript in JSON lines, - reads it from standard input.

    Example: clawgit session flush-check --session agent:main:main --json
    """
    with workspace() as opened:
        done = op.flush_check(
            opened, _where(file, session), _settings(opened, given), window=window or op.WINDOW,
                tokens=tokens,
            compactions=compactions, dry_run=dry_run,
        )  # fmt: skip
        output.emit(done, _flush_text, as_json=options().as_json)


@command("new")
@_transcript
@_number_option(
    "--messages", "session_note_messages", 1, "How many of the last messages go into the note."
)
@click.option(
    "--source",
    default="",
    metavar="S",
    help="Where it was held: telegram, webchat …; else as OpenClaw says.",
)
@dry_run_option
def new(file: str | None, session: str, source: str, dry_run: bool, **given: int | None) -> None:
    """Note the session that ends, as memory/DATE-SLUG.md.

    A session is noted once; a note that OpenClaw wrote itself is adopted. FILE is a transcript in
    JSON lines, - reads it from standard input.

    Example: clawgit session new --session agent:main:main
    """
    with workspace() as opened:
        count = _settings(opened, given).session_note_messages
        done = new_session(
            opened, _where(file, session), count=count, source=source, dry_run=dry_run
        )
        output.emit(done, _new_text, as_json=options().as_json)


@command("reset-check")
@_transcript
@click.option(
    "--last",
    default="",
    metavar="ISO",
    help="When the last message came; then no transcript is read.",
)
@click.option(
    "--mode", "session_reset", type=click.Choice(["daily", "idle", "daily+idle", "off"]),
    default=None,
    help="By which rule.  [setting: session_reset]",
)  # fmt: skip
@click.option(
    "--hour", "session_reset_hour", type=click.IntRange(0, 23), default=None, metavar="H",
    help="Hour of the operator's day.  [setting: session_reset_hour]",
)  # fmt: skip
@_number_option("--idle", "idle_minutes", 1, "Minutes of silence.")
def reset_check(file: str | None, session: str, last: str, **given: int | str | None) -> None:
    """Tell whether a session is due for a fresh start, and when it will be.

    FILE is a transcript in JSON lines, - reads it from standard input.

    Example: clawgit session reset-check --session agent:main:main --mode daily+idle
    """
    with workspace() as opened:
        where = Where() if last else _where(file, session)
        done = op.reset_check(
            opened, where, _settings(opened, given), last=_moment(last, opened) if last else None
        )
        output.emit(done, _reset_text, as_json=options().as_json)


@command("prune")
@_transcript
@_window_option
@click.option(
    "--room", type=_TOKENS, default=None, metavar="TOKENS",
    help="Above it the oldest results are cleared as a whole, 0 clears all of them; else half of "
         "the window.",
)  # fmt: skip
@click.option(
    "--mode",
    "pruning",
    type=click.Choice(["cache-ttl", "off"]),
    default=None,
    help="[setting: pruning]",
)
@_number_option("--ttl", "prune_ttl_seconds", 0, "Seconds that the model's cache lasts.")
@_number_option(
    "--keep", "prune_keep_assistants", 0, "Last answers before which alone results are shortened."
)
@_number_option(
    "--soft", "prune_soft_chars", 0, "Characters from which a result is cut in the middle."
)
@_number_option("--head", "prune_head_chars", 0, "Characters of its start that stay.")
@_number_option("--tail", "prune_tail_chars", 0, "Characters of its end that stay.")
@click.option(
    "--placeholder",
    "prune_placeholder",
    default=None,
    metavar="TEXT",
    help="[setting: prune_placeholder]",
)
def prune(
    file: str | None, session: str, window: int | None, room: int | None, **given: int | str | None
) -> None:
    """Print the messages for the model, old results of tools shortened.

    The transcript stays as it is. Without --json each message is a line of JSON. FILE is a
    transcript in JSON lines,
    - reads it from standard input.

    Example: clawgit session prune --session agent:main:main
    """
    with workspace() as opened:
        size, settings = window or op.WINDOW, _settings(opened, given)
        done = op.pruned(opened, _where(file, session), settings, window=size, room=room)
        _emit_messages(done)


@command("compact")
@_transcript
@_number_option("--keep", "compact_keep_turns", 0, "Last turns that stay whole.")
@click.option(
    "--budget",
    type=_TOKENS,
    default=None,
    metavar="TOKENS",
    help="Size of the summary.  [default: 1000]",
)
def compact(file: str | None, session: str, budget: int | None, **given: int | None) -> None:
    """Print the messages for the model, the older part as a summary.

    The transcript stays as it is. Without --json each message is a line of JSON. FILE is a
    transcript in JSON lines,
    - reads it from standard input.

    Example: clawgit session compact --session agent:main:main --keep 10
    """
    with workspace() as opened:
        size = op.SUMMARY_TOKENS if budget is None else budget
        done = op.compacted(opened, _where(file, session), _settings(opened, given), budget=size)
        _emit_messages(done)


for _one in (flush_check, new, reset_check, prune, compact):
    session.add_command(_one)


def _settings(opened: "Workspace", given: Mapping[str, Any]) -> "Settings":
    """The settings of the workspace, with those that were given on the line."""
    return opened.config.settings._replace(
        **{name: value for name, value in given.items() if value is not None}
    )


def _where(file: str | None, session: str) -> Where:

    if file not in (None, _STDIN):
        return Where(session, file=Path(str(file)).absolute())
    if file is None and session:
        return Where(session)
    if sys.stdin.isatty():
        raise UsageError(
            "Which session?", hint="--session KEY, a FILE, or lines of JSON on standard input"
        )
    return Where(session, lines=sys.stdin.buffer)


def _moment(text: str, opened: "Workspace") -> datetime:

    when = parse_when(text, opened.now, opened.zone)
    if when is None:
        raise UsageError(f"{text!r} is not a time.", hint="--last 2026-02-14T09:00:00+01:00")
    return when


def _emit_messages(done: op.PruneResult | op.CompactResult) -> None:
    """Messages are what a program goes on with; in words there is only what was done to them."""
    if not options().as_json:
        output.note("\n".join([done.reason, *notes(done.notes)]))
    output.emit(done, _messages_text, as_json=options().as_json)


def _messages_text(done: op.PruneResult | op.CompactResult) -> str:
    """Halves of characters, which JSON can hold and UTF-8 cannot, become escapes again."""
    lines = (json.dumps(dict(message), ensure_ascii=False) for message in done.messages)
    return "\n".join(lines).encode("utf-8", "backslashreplace").decode()


def _flush_text(done: op.FlushCheck) -> str:
    head = f"{'flush now' if done.flush else 'no flush'}: {done.reason}"
    asked = [dim(shown(done.system_prompt)), shown(done.prompt)] if done.flush else []
    return "\n".join([head, *asked, *notes(done.notes)])


def _reset_text(done: op.ResetCheck) -> str:
    then = [f"next: {done.next:%Y-%m-%d %H:%M %Z}".rstrip()] if done.next else []
    return "\n".join(
        [f"{'reset' if done.reset else 'no reset'}: {done.reason}", *then, *notes(done.notes)]
    )


def _new_text(done: NewSession) -> str:
    path = shown(done.path or "")
    said = {
        "written": f"{output.named(done.id, done.commit or '')}  {path}  "
        f"{dim(f'{done.messages} messages')}",
        "adopted": f"{path} was there, and is committed now",
        "known": f"{path} is there already",
        "empty": "nothing was said in it",
    }[done.action]
    if done.dry_run and done.preview:
        said = output.colored_diff(done.preview)
    elif done.held:
        said = f"{done.id}  waits for the operator: {path}"
    elif done.parked:
        said = (
            f"the note waits as {done.id}: it is written when git is done and HEAD is on a branch"
        )
    return "\n".join([said, *notes((*done.held, *done.alerts, *done.notes))])
