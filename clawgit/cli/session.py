"""`session`: checks and edits of a chat session, for a chat runtime. The settings say how."""

import json
from contextlib import ExitStack
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import outcome
from clawgit.cli.command import Answer, Answers, command, dry_run_option, option, together
from clawgit.cli.given import options
from clawgit.cli.lazy import group
from clawgit.cli.opening import given_lines
from clawgit.cli.output import counted, dim, notes
from clawgit.domain.conversation.session import RESET_RULES
from clawgit.domain.safety.visible import in_json
from clawgit.ops.change.history import moment
from clawgit.ops.conversation import session as op
from clawgit.ops.conversation.ingest import Where
from clawgit.ops.workspace.workspace import Workspace

_TOKENS = click.IntRange(min=0)

_window_option = option(
    "--window TOKENS",
    "The context window of the model.  [default: 200000]",
    type=click.IntRange(min=1),
    default=op.WINDOW,
)
_transcript = together(
    click.argument("file", required=False),
    option("--session S", "A session of OpenClaw, by its key or id."),
)
"""Where the transcript is."""


@group("session")
def session() -> Answer:
    """Check when to flush or reset a session; note its end.

    Example: clawgit session flush-check --session agent:main:main
    """
    return op.rules(), lambda now: f"flush below {now.reserve_tokens:,} free tokens"


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
    done = op.flush_check(ws, _where(file, session), **typed)
    return done, _flush_text


@command("new")
@_transcript
@option("--source S", "The channel: telegram, webchat …  [default: as OpenClaw says]")
@dry_run_option
def new(ws: Workspace, file: str | None, session: str, source: str, dry_run: bool) -> Answer:
    """Write a note about a session that ends.

    The note is memory/DATE-SLUG.md. A session gets one note; a note that OpenClaw wrote itself
    stays as it is. FILE is a transcript in JSON lines; - reads standard input.

    Example: clawgit session new --session agent:main:main
    """
    done = op.new_session(ws, _where(file, session), source=source, dry_run=dry_run)
    return done, _new_text


@command("reset-check")
@_transcript
@option(
    "--rule",
    "At 4:00 (default), after a silent hour, or both.",
    type=click.Choice(RESET_RULES),
    default="daily",
)
@option("--last ISO", "Time of the last message; then no transcript is read.")
def reset_check(ws: Workspace, file: str | None, session: str, rule: str, last: str) -> Answer:
    """Check whether or when a session is due for a reset.

    FILE is a transcript in JSON lines; - reads standard input.

    Example: clawgit session reset-check --session agent:main:main
    """
    where = Where() if last else _where(file, session)
    return op.reset_check(ws, where, rule=rule, last=moment(ws, last)), _reset_text


@command("prune", verbatim=True)
@_transcript
@_window_option
def prune(ws: Workspace, file: str | None, session: str, window: int) -> Answers:
    """Print the messages, with old tool results shortened.

    The transcript is not changed. Without --json, each message is a line of JSON. FILE is a
    transcript in JSON lines; - reads standard input.

    Example: clawgit session prune --session agent:main:main
    """
    yield from _messages(op.pruned(ws, _where(file, session), window=window))


@command("compact", verbatim=True)
@_transcript
@option(
    "--keep N",
    "How many of the last turns stay whole.  [default: 10]",
    type=_TOKENS,
    default=op.KEPT_TURNS,
)
@dry_run_option
def compact(ws: Workspace, file: str | None, session: str, keep: int, *, dry_run: bool) -> Answers:
    """Print the messages, with the older ones summed up.

    The summary is saved as a note in memory/summaries/, one per session. The transcript is not
    changed. Without --json, each message is a line of JSON. FILE is a transcript in JSON lines, -
    reads standard input.

    Example: clawgit session compact --session agent:main:main --keep 10
    """
    yield from _messages(op.compacted(ws, _where(file, session), keep=keep, dry_run=dry_run))


def _where(file: str | None, session: str) -> Where:
    """Where the transcript is: FILE, else --session, else standard input."""
    if file is None and session:
        return Where(session)
    with ExitStack() as used:
        return Where(session, [*given_lines(file, used)])


def _messages(done: op.PruneResult | op.CompactResult) -> Answers:
    """Prints the messages to standard output, for a program; the reason goes to standard error."""
    if not options().as_json:
        output.note(done.reason, *_kept(output.tame(done)), *notes(done.notes))
    yield done, _messages_text


def _kept(done: op.PruneResult | op.CompactResult) -> list[str]:
    """Where the summary of a compaction was saved."""
    if not isinstance(done, op.CompactResult) or done.path is None:
        return []
    if done.held:
        return [f"{done.id}  waits for the operator: {done.path}"]
    return [f"summary: {done.path}"]


def _messages_text(done: op.PruneResult | op.CompactResult) -> str:
    """One message a line. Lone surrogates become escapes: JSON can hold them, UTF-8 cannot."""
    lines = (json.dumps(dict(message), ensure_ascii=False) for message in done.messages)
    return in_json("\n".join(lines).encode("utf-8", "backslashreplace").decode())


def _flush_text(done: op.FlushCheck) -> str:
    head = f"{'flush now' if done.flush else 'no flush'}: {done.reason}"
    prompts = [dim(done.system_prompt), done.prompt] if done.flush else []
    return "\n".join([head, *prompts, *notes(done.notes)])


def _reset_text(done: op.ResetCheck) -> str:
    head = f"{'reset' if done.reset else 'no reset'}: {done.reason}"
    next_reset = [f"next: {done.next:%Y-%m-%d %H:%M %Z}".rstrip()] if done.next else []
    return "\n".join([head, *next_reset, *notes(done.notes)])


def _new_text(done: op.NewSession) -> str:
    outcomes = {
        "written": f"{done.path}  {dim(counted(done.messages, 'message'))}",
        "known": f"{done.path} already exists",
        "empty": "the session has no messages",
    }
    return outcome(done, outcomes[done.action], outcomes[done.action])
