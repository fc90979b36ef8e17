"""What a runtime asks about a session: whether to flush or reset it, and what to send its model."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.conversation.session import (
    NO_REPLY,
    SUMMARY,
    SessionMessage,
    context,
    said_in,
    tokens_in,
    tokens_of,
)
from clawgit.domain.conversation.session_limits import (
    DAILY,
    IDLE,
    IDLE_MINUTES,
    RESET_HOUR,
    Limit,
    PruneRule,
    Summarise,
    cold_since,
    compact,
    daily_note,
    due,
    flush_prompts,
    prune,
    turns_in,
    why_not,
)
from clawgit.domain.conversation.session_note import (
    SUMMARIES,
    About,
    is_note_of,
    summary_name,
    summary_note,
)
from clawgit.domain.markdown import frames
from clawgit.domain.safety.covered import covered
from clawgit.domain.safety.masks import struck
from clawgit.ops.agents.model import session_mind
from clawgit.ops.change.described import Change, described, fields_of
from clawgit.ops.conversation.session_new import summary_by
from clawgit.ops.conversation.session_reading import Conversation, Where, conversation
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chat.sqlite import SqliteChat
from clawgit.stores.git.worktree import glance

WINDOW = 200_000
SUMMARY_TOKENS = 1000
KEPT_TURNS = 10
"""The last turns of a session that a compaction leaves whole."""

_GIVEN = "given"


class KeptSummary(NamedTuple):
    """`path` is the note, None where there was nothing to keep."""

    path: str | None
    change: Change


@dataclass(frozen=True, slots=True)
class SessionRules:
    """`reserve_tokens` are those still free when a flush is due."""

    reserve_tokens: int


@dataclass(frozen=True, slots=True)
class FlushCheck:
    """`flush` is true once between two compactions.

    `tokens` are given, or from the model's usage, or estimated; `path` is the file that the prompts
    name.
    """

    flush: bool
    reason: str
    session: str
    tokens: int
    counted_by: str
    window: int
    threshold: int
    prompt: str
    system_prompt: str
    reply: str
    path: str
    notes: tuple[str, ...]
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ResetCheck:
    """`since`: when the session became due. `next`: when it, or its successor, will be due."""

    reset: bool
    reason: str
    last: datetime | None
    since: datetime | None
    next: datetime | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PruneResult:
    """The messages for the model, in the shape in which they came; `pruned` if any was changed."""

    pruned: bool
    reason: str
    session: str
    trimmed: int
    cleared: int
    tokens_before: int
    tokens_after: int
    messages: tuple[Mapping[str, object], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactResult(Change):
    """The messages for the model: a summary, then those from `first_kept` on as they came."""

    compacted: bool
    reason: str
    session: str
    summarised: int
    kept_turns: int
    first_kept: str
    tokens_before: int
    tokens_after: int
    saved: int
    summary: str
    messages: tuple[Mapping[str, object], ...]
    notes: tuple[str, ...]
    path: str | None = None
    """The note that keeps the summary; None where nothing was saved."""


def flush_check(
    workspace: Workspace,
    where: Where,
    *,
    window: int = WINDOW,
    tokens: int | None = None,
    compactions: int | None = None,
    dry_run: bool = False,
) -> FlushCheck:
    """Whether the agent should now write down what must last.

    A yes is recorded. A caller without a transcript passes the tokens, and how often the session
    was compacted.
    """
    with conversation(workspace, where) as talk:
        messages, cycle = context(talk.entries)
    cycle = cycle if compactions is None else str(compactions)
    count, counted_by = tokens_in(messages) if tokens is None else (tokens, _GIVEN)
    limit = Limit(window)
    reason = why_not(count, limit, asked=False)
    if not reason and _is_asked(workspace, f"flush {talk.id}", cycle, dry_run=dry_run):
        reason = why_not(count, limit, asked=True)
    day = workspace.now.astimezone(workspace.local_zone).date()
    prompt, system_prompt = flush_prompts(day)
    return FlushCheck(
        flush=not reason,
        reason=reason or f"{count:,} tokens are past {limit.threshold:,}",
        session=talk.key or talk.id,
        tokens=count,
        counted_by=counted_by,
        window=window,
        threshold=limit.threshold,
        prompt=prompt,
        system_prompt=system_prompt,
        reply=NO_REPLY,
        path=daily_note(day),
        notes=talk.notes,
        dry_run=dry_run,
    )


def reset_check(
    workspace: Workspace, where: Where, *, rule: str = DAILY, last: datetime | None = None
) -> ResetCheck:
    """Whether a session is due for a fresh start, by its last message or a given moment."""
    notes: tuple[str, ...] = ()
    if last is None:
        with conversation(workspace, where) as talk:
            times = (message.time for message in map(said_in, talk.entries) if message)
            last = max(filter(None, times), default=None)
            notes = talk.notes
    now, zone = workspace.now, workspace.local_zone
    if last is None:
        return ResetCheck(False, "it has no message with a time", None, None, None, notes)
    last = last.astimezone(zone)
    reset = due(last, rule, zone)
    if reset.at.astimezone(UTC) > now:
        return ResetCheck(False, f"not due by the rule {rule}", last, None, reset.at, notes)
    # The next reset is counted from now, since a new session begins now.
    next_reset = due(now, rule, zone).at
    return ResetCheck(True, _reset_words(reset.rule), last, reset.at, next_reset, notes)


def pruned(
    workspace: Workspace,
    where: Where,
    *,
    window: int = WINDOW,
    room: int | None = None,
) -> PruneResult:
    """The messages for the model, with long results of tools cut.

    If they take more than `room` tokens, whole results are cleared; it is half of the window by
    default.
    """
    with conversation(workspace, where) as talk:
        messages = context(talk.entries).messages
    rule = PruneRule(window // 2 if room is None else room)
    cold = cold_since(messages)
    kept, trimmed, cleared = messages, 0, 0
    if cold and cold > workspace.now:
        # Nothing is cut while the prompt is cached: a cached prompt costs less than a shorter new
        # one.
        reason = f"the model's cache is warm until {cold.astimezone(workspace.local_zone):%H:%M:%S}"
    else:
        kept, trimmed, cleared = prune(messages, rule)
        reason = f"{trimmed:,} results cut in the middle, {cleared:,} cleared"
    return PruneResult(
        pruned=bool(trimmed or cleared),
        reason=reason,
        session=talk.key or talk.id,
        trimmed=trimmed,
        cleared=cleared,
        tokens_before=sum(map(tokens_of, messages)),
        tokens_after=sum(map(tokens_of, kept)),
        messages=tuple(message.value for message in kept),
        notes=talk.notes,
    )


def compacted(
    workspace: Workspace,
    where: Where,
    *,
    keep: int = KEPT_TURNS,
    budget: int = SUMMARY_TOKENS,
    summarise: Summarise | None = None,
    save: bool = False,
    dry_run: bool = False,
) -> CompactResult:
    """The messages for the model, with the older part as a summary.

    By default the summary is the language model's, if there is one. `save` writes it as a note; if
    OpenClaw's own compaction left a summary in the transcript, that one.
    """
    troubles: list[str] = []
    with conversation(workspace, where) as talk:
        messages = context(talk.entries).messages
    with session_mind(workspace) if summarise is None else nullcontext() as mind:
        tell = summarise or summary_by(mind, troubles.append)
        done = compact(messages, keep, budget, tell)
    before = sum(map(tokens_of, messages))
    after = sum(map(tokens_of, done.messages))
    reason = "there is nothing older to sum up"
    if done.told:
        reason = f"{done.told:,} messages summed up, {before - after:,} of {before:,} tokens saved"
    summary = (done.summary or _theirs(messages)) if save else ""
    kept = _kept(workspace, talk, messages, summary, dry_run=dry_run)
    return CompactResult(
        **fields_of(kept.change),
        compacted=done.told > 0,
        reason=reason,
        session=talk.key or talk.id,
        summarised=done.told,
        kept_turns=turns_in(done.messages),
        first_kept=done.first_kept,
        tokens_before=before,
        tokens_after=after,
        saved=before - after,
        summary=done.summary,
        messages=tuple(message.value for message in done.messages),
        notes=(*talk.notes, *troubles),
        path=kept.path,
    )


def _kept(
    workspace: Workspace,
    talk: Conversation,
    messages: Sequence[SessionMessage],
    summary: str,
    *,
    dry_run: bool,
) -> KeptSummary:
    if not summary:
        return KeptSummary(None, Change(dry_run=dry_run))
    last = max((message.time for message in messages if message.time), default=workspace.now)
    about = About(talk.key or talk.id, talk.id, talk.source, last.astimezone(workspace.local_zone))
    return save_summary(workspace, about, messages, summary, dry_run=dry_run)


def _theirs(messages: Sequence[SessionMessage]) -> str:
    """The summary that a compaction of OpenClaw's left in a transcript, "" if there is none."""
    told = (message.value.get("summary") for message in messages if message.role == SUMMARY)
    return next((text for text in told if isinstance(text, str)), "")


def rules() -> SessionRules:
    return SessionRules(WINDOW - Limit(WINDOW).threshold)


def _is_asked(workspace: Workspace, name: str, cycle: str, *, dry_run: bool) -> bool:
    """Whether a flush was asked for since the last compaction; if not, records that it is now.

    Of two calls at once only one gets the yes: the mark is set in a transaction.
    """
    with state_of(workspace) as state:
        marks = SqliteChat(state)
        if dry_run:
            return marks.mark(name) == cycle
        with marks.transaction():
            asked = marks.mark(name) == cycle
            if not asked:
                marks.set_mark(name, cycle)
            return asked


def _reset_words(rule: str) -> str:
    if rule == IDLE:
        return f"nothing was said for {IDLE_MINUTES} minutes"
    return f"{RESET_HOUR}:00 has passed since the last message"


def save_summary(
    workspace: Workspace,
    about: About,
    messages: Sequence[SessionMessage],
    summary: str,
    *,
    dry_run: bool = False,
) -> KeptSummary:
    """Writes the note of a session's summary by one commit.

    A later summary of the session includes the earlier one, so it replaces it.
    """
    text = covered(summary, struck)
    intent = Intent(
        actor=workspace.caller.actor,
        verb="session",
        summary=f"sum up a session, up to {about.ended:%Y-%m-%d %H:%M}",
        reason="Its older messages leave the context; this is what was said in them.",
        evidence=(f"chat:{about.id}",),
        session=about.key,
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run, parkable=True) as tx:
        path = _written_before(workspace, about) or summary_name(messages, about.ended)
        tx.put(path, summary_note(about, text))
    return KeptSummary(path, described(tx, dry_run=dry_run))


def _written_before(workspace: Workspace, about: About) -> str | None:
    folder = workspace.root / SUMMARIES
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    paths = (f"{SUMMARIES}{name}" for name in names if name.endswith(".md"))
    return next(
        (
            path
            for path in paths
            if is_note_of(glance(workspace.root, path), about.id, frames.IN_SHORT)
        ),
        None,
    )
