"""`session`: checks and edits of a chat session, for a chat runtime. The settings say how."""

import json
import sys
from pathlib import Path

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option, together
from clawgit.cli.given import options
from clawgit.cli.lazy import group
from clawgit.cli.opening import workspace
from clawgit.cli.output import counted, dim, notes, shown
from clawgit.domain.safety.visible import in_json
from clawgit.errors import UsageError
from clawgit.ops.change.history import moment
from clawgit.ops.conversation import session as op
from clawgit.ops.conversation.session_new import NewSession, new_session
from clawgit.ops.conversation.session_reading import Where

_STDIN = "-"
_TOKENS = click.IntRange(min=0)

_window_option = click.option(
    "--window", type=click.IntRange(min=1), default=op.WINDOW, metavar="TOKENS",
    help="The context window of the model.  [default: 200000]",
)  # fmt: skip
_transcript = together(
    click.argument("file", required=False),
    click.option(
        "--session", default="", metavar="S", help="A session of OpenClaw, by its key or id."
    ),
)
"""Where the transcript is."""


@group("session")
def session() -> None:
    """Check when to flush or reset a session; note its end.

    Example: clawgit session flush-check --session agent:main:main
    """
    with workspace() as opened:
        output.emit(op.rules(opened), _rules_text)


@command("flush-check")
@_transcript
@_window_option
@click.option(
    "--tokens", type=_TOKENS, metavar="N", help="Tokens in the context now.  [default: counted]"
)
@click.option(
    "--compactions", type=_TOKENS, metavar="N",
    help="How often the session was compacted.  [default: read from the transcript]",
)  # fmt: skip
@dry_run_option
def flush_check(
    file: str | None, session: str, window: int, tokens: int | None, compactions: int | None,
    dry_run: bool,
) -> None:  # fmt: skip
    """Check whether the agent should save its memory now.

    Also prints the prompt that asks for it. The answer is yes only once between two compactions; a
    --dry-run does not count. FILE is a transcript in JSON lines; - reads standard input.

    Example: clawgit session flush-check --session agent:main:main --json
    """
    with workspace() as opened:
        done = op.flush_check(
            opened, _where(file, session), opened.config.settings, window=window, tokens=tokens,
            compactions=compactions, dry_run=dry_run,
        )  # fmt: skip
        output.emit(done, _flush_text)


@command("new")
@_transcript
@click.option(
    "--source",
    default="",
    metavar="S",
    help="The channel: telegram, webchat …  [default: as OpenClaw says]",
)
@dry_run_option
def new(file: str | None, session: str, source: str, dry_run: bool) -> None:
    """Write a note about a session that ends.

    The note is memory/DATE-SLUG.md. A session gets one note; a note that OpenClaw wrote itself is
    committed as it is. FILE is a transcript in JSON lines; - reads standard input.

    Example: clawgit session new --session agent:main:main
    """
    with workspace() as opened:
        done = new_session(opened, _where(file, session), source=source, dry_run=dry_run)
        output.emit(done, _new_text)


@command("reset-check")
@_transcript
@click.option(
    "--last",
    default="",
    metavar="ISO",
    help="Time of the last message; then no transcript is read.",
)
def reset_check(file: str | None, session: str, last: str) -> None:
    """Check whether or when a session is due for a reset.

    The setting session_reset says by which rule. FILE is a transcript in JSON lines; - reads
    standard input.

    Example: clawgit session reset-check --session agent:main:main
    """
    with workspace() as opened:
        where = Where() if last else _where(file, session)
        last_time = moment(opened, last)
        done = op.reset_check(opened, where, opened.config.settings, last=last_time)
        output.emit(done, _reset_text)


@command("prune")
@_transcript
@_window_option
@click.option(
    "--room", type=_TOKENS, default=None, metavar="TOKENS",
    help="Size above which the oldest results are cleared; 0 clears all of them.  "
         "[default: half of the window]",
)  # fmt: skip
def prune(file: str | None, session: str, window: int, room: int | None) -> None:
    """Print the messages, with old tool results shortened.

    The transcript is not changed. Without --json, each message is a line of JSON. FILE is a
    transcript in JSON lines; - reads standard input.

    Example: clawgit session prune --session agent:main:main
    """
    with workspace() as opened:
        where, settings = _where(file, session), opened.config.settings
        _emit_messages(op.pruned(opened, where, settings, window=window, room=room))


@command("compact")
@_transcript
@click.option(
    "--keep", type=_TOKENS, default=op.KEPT_TURNS, metavar="N",
    help="How many of the last turns stay whole.  [default: 10]",
)  # fmt: skip
@click.option("--no-save", is_flag=True, help="Only print; do not save the summary.")
@dry_run_option
def compact(file: str | None, session: str, keep: int, *, no_save: bool, dry_run: bool) -> None:
    """Print the messages, with the older ones summed up.

    The summary is saved as a note in memory/summaries/, one per session. The transcript is not
    changed. Without --json, each message is a line of JSON. FILE is a transcript in JSON lines, -
    reads standard input.

    Example: clawgit session compact --session agent:main:main --keep 10
    """
    with workspace() as opened:
        done = op.compacted(
            opened, _where(file, session), keep=keep, budget=op.SUMMARY_TOKENS, save=not no_save,
            dry_run=dry_run,
        )  # fmt: skip
        _emit_messages(done)


def _where(file: str | None, session: str) -> Where:
    """Where the transcript is: FILE, else --session, else standard input."""
    if file not in (None, _STDIN):
        return Where(session, file=Path(str(file)).absolute())
    if file is None and session:
        return Where(session)
    if sys.stdin.isatty():
        raise UsageError(
            "Which session?",
            hint="--session KEY, a FILE, or lines of JSON on standard input",
        )
    return Where(session, lines=sys.stdin.buffer)


def _emit_messages(done: op.PruneResult | op.CompactResult) -> None:
    """Prints the messages to standard output, for a program; the reason goes to standard error."""
    if not options().as_json:
        output.note(done.reason, *_kept(done), *notes(done.notes))
    output.emit(done, _messages_text, verbatim=True)


def _kept(done: op.PruneResult | op.CompactResult) -> list[str]:
    """Where the summary of a compaction was saved."""
    if not isinstance(done, op.CompactResult) or done.path is None:
        return []
    if done.held:
        return [f"{done.id}  waits for the operator: {shown(done.path)}"]
    return [f"summary: {shown(done.path)}"]


def _messages_text(done: op.PruneResult | op.CompactResult) -> str:
    """One message a line. Lone surrogates become escapes: JSON can hold them, UTF-8 cannot."""
    lines = (json.dumps(dict(message), ensure_ascii=False) for message in done.messages)
    return in_json("\n".join(lines).encode("utf-8", "backslashreplace").decode())


def _rules_text(rules: op.SessionRules) -> str:
    resets = {
        "daily": f"daily at {rules.reset_hour}:00",
        "idle": f"after {counted(rules.idle_minutes, 'idle minute')}",
        "daily+idle": f"daily at {rules.reset_hour}:00, or after "
        f"{counted(rules.idle_minutes, 'idle minute')}",
    }
    flush = f"when fewer than {rules.reserve_tokens:,} tokens are free" if rules.flush else "off"
    return "\n".join(
        [
            f"reset    {resets.get(rules.reset, 'off')}",
            f"flush    {flush}",
            f"pruning  {rules.pruning}",
        ]
    )


def _flush_text(done: op.FlushCheck) -> str:
    head = f"{'flush now' if done.flush else 'no flush'}: {done.reason}"
    prompts = [dim(shown(done.system_prompt)), shown(done.prompt)] if done.flush else []
    return "\n".join([head, *prompts, *notes(done.notes)])


def _reset_text(done: op.ResetCheck) -> str:
    head = f"{'reset' if done.reset else 'no reset'}: {done.reason}"
    next_reset = [f"next: {done.next:%Y-%m-%d %H:%M %Z}".rstrip()] if done.next else []
    return "\n".join([head, *next_reset, *notes(done.notes)])


def _new_text(done: NewSession) -> str:
    path = shown(done.path or "")
    name = output.named(done.id, done.commit or "")
    outcome = {
        "written": f"{name}  {path}  {dim(f'{done.messages} messages')}",
        "adopted": f"{path} already existed and is committed now",
        "known": f"{path} already exists",
        "empty": "the session has no messages",
    }[done.action]
    if done.dry_run and done.preview:
        outcome = output.colored_diff(done.preview)
    elif done.held:
        outcome = f"{done.id}  waits for the operator: {path}"
    elif done.parked:
        outcome = (
            f"the note waits as {done.id}: it is written when git is done and HEAD is on a branch"
        )
    return "\n".join([outcome, *notes((*done.held, *done.alerts, *done.notes))])
