"""What a runtime asks about a session: whether to flush or reset it, and what to send its model.
And the notes of a session that ended, and of the summary of a long one.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from itertools import count as numbers

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.tiers import NOTES, note_path
from clawgit.git.rules.history import Intent
from clawgit.git.transaction import Change
from clawgit.git.worktree import glance
from clawgit.safety.claimed_words import of_operator
from clawgit.safety.rules.masks import covered, struck
from clawgit.talk.chat import taken_from
from clawgit.talk.ingest import Conversation, Where, conversation, conversations
from clawgit.talk.rules.chat import recorded
from clawgit.talk.rules.session import (
    DAILY,
    IDLE,
    IDLE_MINUTES,
    NO_REPLY,
    RESERVE,
    RESET_HOUR,
    SessionMessage,
    cold_since,
    context,
    due,
    flush_prompts,
    prune,
    said_in,
    text_of,
    tokens_in,
    tokens_of,
    turns_in,
    why_not,
)
from clawgit.talk.rules.session_note import (
    SUMMARIES,
    About,
    compact,
    ending,
    is_note_of,
    note,
    note_name,
    slug_by_rules,
    summary_note,
)
from clawgit.talk.stores.chat.sqlite import SqliteChat
from clawgit.workspace.workspace import Workspace

WINDOW = 200_000
SUMMARY_TOKENS = 1000
KEPT_TURNS = 10
"""The last turns of a session that a compaction leaves whole."""


class FlushCheck(NamedTuple):
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
    dry_run: bool


class ResetCheck(NamedTuple):
    """`since`: when the session became due. `next`: when it, or its successor, will be due."""

    reset: bool
    reason: str
    last: datetime | None
    since: datetime | None
    next: datetime | None
    notes: tuple[str, ...]


class PruneResult(NamedTuple):
    """The messages for the model, in the shape in which they came; so many were shortened."""

    shortened: int
    reason: str
    session: str
    tokens_before: int
    tokens_after: int
    messages: tuple[Mapping[str, object], ...]
    notes: tuple[str, ...]


class CompactResult(NamedTuple):
    """The messages for the model: a summary, then those from `first_kept` on as they came."""

    change: Change
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
) -> FlushCheck:
    """Whether the agent should now write down what must last.

    A yes is recorded. A caller without a transcript passes the tokens, and how often the session
    was compacted.
    """
    talk = conversation(workspace, where)
    messages, cycle = context(talk.entries)
    cycle = cycle if compactions is None else str(compactions)
    count, counted_by = tokens_in(messages) if tokens is None else (tokens, "given")
    reason = why_not(count, window)
    if not reason and _is_asked(workspace, f"flush {talk.id}", cycle):
        reason = "it was already asked for since the last compaction"
    day = workspace.now.astimezone(workspace.local_zone).date()
    prompt, system_prompt = flush_prompts(day)
    threshold = window - RESERVE
    return FlushCheck(
        flush=not reason,
        reason=reason or f"{count:,} tokens are past {threshold:,}",
        session=talk.name,
        tokens=count,
        counted_by=counted_by,
        window=window,
        threshold=threshold,
        prompt=prompt,
        system_prompt=system_prompt,
        reply=NO_REPLY,
        path=note_path(day),
        notes=talk.notes,
        dry_run=workspace.dry_run,
    )


def reset_check(
    workspace: Workspace, where: Where, *, rule: str = DAILY, last: datetime | None = None
) -> ResetCheck:
    """Whether a session is due for a fresh start, by its last message or a given moment."""
    notes: tuple[str, ...] = ()
    if last is None:
        talk = conversation(workspace, where)
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
    why = f"{RESET_HOUR}:00 has passed since the last message"
    if reset.rule == IDLE:
        why = f"nothing was said for {IDLE_MINUTES} minutes"
    return ResetCheck(True, why, last, reset.at, next_reset, notes)


def pruned(workspace: Workspace, where: Where, *, window: int = WINDOW) -> PruneResult:
    """The messages for the model, with long results of tools cut.

    If they take more than half of the window, whole results are cleared.
    """
    talk = conversation(workspace, where)
    messages = kept = [*context(talk.entries).messages]
    cold = cold_since(messages)
    if cold and cold > workspace.now:
        # Nothing is cut while the prompt is cached: a cached prompt costs less than a shorter new
        # one.
        reason = f"the model's cache is warm until {cold.astimezone(workspace.local_zone):%H:%M:%S}"
    else:
        kept = prune(messages, window // 2)
        reason = "old results of tools are shortened"
    return PruneResult(
        shortened=sum(new is not old for new, old in zip(kept, messages, strict=True)),
        reason=reason,
        session=talk.name,
        tokens_before=tokens_of(*messages),
        tokens_after=tokens_of(*kept),
        messages=tuple(message.value for message in kept),
        notes=talk.notes,
    )


def compacted(workspace: Workspace, where: Where, *, keep: int = KEPT_TURNS) -> CompactResult:
    """The messages for the model, with the older part as a summary, which is kept as a note."""
    talk = conversation(workspace, where)
    messages = _told_apart(workspace, talk, context(talk.entries).messages)
    done = compact(messages, keep, SUMMARY_TOKENS)
    before, after = tokens_of(*messages), tokens_of(*done.messages)
    reason = "there is nothing older to sum up"
    if done.told:
        reason = f"{done.told:,} messages summed up, {before - after:,} of {before:,} tokens saved"
    path, change = None, Change(dry_run=workspace.dry_run)
    if done.summary:
        about = _about(workspace, talk, messages)
        path, change = save_summary(workspace, about, messages, done.summary)
    return CompactResult(
        change,
        compacted=done.told > 0,
        reason=reason,
        session=talk.name,
        summarised=done.told,
        kept_turns=turns_in(done.messages),
        first_kept=done.first_kept,
        tokens_before=before,
        tokens_after=after,
        saved=before - after,
        summary=done.summary,
        messages=tuple(message.value for message in done.messages),
        notes=talk.notes,
        path=path,
    )


# The notes of sessions: a session has one of its end, and one of its summary, each one commit


class NewSession(NamedTuple):
    """`session` is the id of the session that ended.

    `action`: written; held (it waits for the operator); known (it has a note already, by us or by
    OpenClaw); or empty (nothing was said).
    """

    change: Change
    action: str
    session: str
    key: str
    path: str | None
    messages: int
    notes: tuple[str, ...]


def new_session(workspace: Workspace, where: Where, *, source: str = "") -> NewSession:
    """Writes the note of the session that ends, under the day of its last message.

    Its transcript is only read.
    """
    about, said, notes = _ended(workspace, where, source)
    action, path, change = "empty", None, Change(dry_run=workspace.dry_run)
    if said:
        intent = _intent(
            workspace,
            about,
            f"keep the end of the session of {about.ended:%Y-%m-%d %H:%M}",
            f"A new session begins; these are the last {len(said)} messages of the one before.",
            f"/{said[-1].id}",
        )
        with workspace.transaction(intent, parkable=True) as tx:
            there = _note_of(workspace, about, NOTES, frames.SESSION)
            wanted = note_name(about, slug_by_rules(said))
            # With a number if another session of that day has the same name.
            more = (f"{wanted.removesuffix('.md')}-{number}.md" for number in numbers(2))
            free = (path for path in chain([wanted], more) if tx.read(path) is None)
            path = there or next(free)
            if there is None:
                tx.put(path, note(about, said))
        change = tx.outcome
        done = "held" if change.held else "written"
        action = "known" if there else done
    return NewSession(
        change,
        action=action,
        session=about.id,
        key=about.key,
        path=path,
        messages=len(said),
        notes=notes,
    )


def save_summary(
    workspace: Workspace, about: About, messages: Sequence[SessionMessage], summary: str
) -> tuple[str, Change]:
    """Writes the note of a session's summary; returns its path.

    A later summary of the session includes the earlier one, so it replaces it.
    """
    intent = _intent(
        workspace,
        about,
        f"sum up a session, up to {about.ended:%Y-%m-%d %H:%M}",
        "Its older messages leave the context; this is what was said in them.",
    )
    with workspace.transaction(intent, parkable=True) as tx:
        there = _note_of(workspace, about, SUMMARIES, frames.IN_SHORT)
        path = there or note_name(about, slug_by_rules(covered(messages, struck)), SUMMARIES)
        tx.put(path, summary_note(about, covered(summary, struck)))
    return path, tx.outcome


def _ended(
    workspace: Workspace, where: Where, source: str
) -> tuple[About, list[SessionMessage], tuple[str, ...]]:
    """The last session of that name in which anything was said, with its last messages and notes;
    the next one may have begun. If nothing was said in any of them, the latest one.
    """
    ended = []
    for talk in conversations(workspace, where):
        last, mark = ending(talk.entries)
        heard = _told_apart(workspace, talk, last)
        # Masked first: the note, its name and what a model is shown are all made of these.
        said = [message._replace(value=covered(message.value, struck)) for message in heard]
        about = _about(workspace, talk, said, mark)
        ended.append((about._replace(source=source or about.source), said, talk.notes))
        if said:
            return ended[-1]
    return ended[0]


def _about(
    workspace: Workspace, talk: Conversation, said: Sequence[SessionMessage], mark: str = ""
) -> About:
    last = max((message.time for message in said if message.time), default=workspace.now)
    ident = f"{talk.id}#{mark}" if mark else talk.id
    return About(talk.name, ident, talk.session.channel, last.astimezone(workspace.local_zone))


def _told_apart(
    workspace: Workspace, talk: Conversation, messages: Sequence[SessionMessage]
) -> list[SessionMessage]:
    """The messages, where somebody else's have another role."""
    accounts = [
        recorded(
            talk.session.id, talk.name, each.role, text_of(each), each.time or workspace.now,
            each.id,
        )
        for each in messages
    ]  # fmt: skip
    told = of_operator(workspace, [taken_from(workspace, each) for each in accounts])
    return [each._replace(role=account.role) for each, account in zip(messages, told, strict=True)]


def _intent(
    workspace: Workspace, about: About, summary: str, reason: str, last: str = ""
) -> Intent:
    return Intent(
        workspace.actor, "session", summary, reason, (f"chat:{about.id}{last}",), about.key
    )


def _note_of(workspace: Workspace, about: About, folder: str, title: str) -> str | None:
    """The note of that session in a folder, whoever wrote it."""
    paths = sorted(f"{folder}{file.name}" for file in (workspace.root / folder).glob("*.md"))
    of = (path for path in paths if is_note_of(glance(workspace.root, path), about.id, title))
    return next(of, None)


def _is_asked(workspace: Workspace, name: str, cycle: str) -> bool:
    """Whether a flush was asked for since the last compaction; if not, records that it is now.

    Of two calls at once only one gets the yes: the mark is set in a transaction.
    """
    with workspace.state() as state:
        marks = SqliteChat(state)
        if workspace.dry_run:
            return marks.mark(name) == cycle
        with marks.transaction():
            asked = marks.mark(name) == cycle
            if not asked:
                marks.set_mark(name, cycle)
            return asked
