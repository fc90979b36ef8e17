"""Reads OpenClaw's transcripts, and lines of JSON: imports their messages, and opens a session."""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.errors import Committed, NotFoundError, UsageError, counted
from clawgit.git.rules.actors import is_named
from clawgit.safety.rules.secrets import MASK
from clawgit.talk.chat import Chat, here, hidden_words, open_chat, taken_from
from clawgit.talk.rules.chat import DEFAULT_SESSION, Message, numbered
from clawgit.talk.rules.session import digest
from clawgit.talk.rules.transcript import (
    TranscriptEntry,
    branch,
    entry_of,
    message_of,
    message_of_line,
)
from clawgit.talk.stores.chat.sqlite import Judge
from clawgit.talk.stores.transcripts import (
    COMPRESSED,
    Session,
    Transcript,
    UnreadableTranscriptError,
    open_transcripts,
    parsed,
)
from clawgit.workspace.stores import openclaw
from clawgit.workspace.workspace import Workspace

_BATCH = 1000
_MOST_SHOWN = 1000
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
NO_MESSAGE = "without a role or a text"

Progress = Callable[[int, int], None]
"""Called with how many transcripts were read, and of how many."""


class Ingested(NamedTuple):
    """What was new; `messages` holds the last thousand. `skipped` counts lines by what is wrong.

    Messages are not in the history, so there is no commit.
    """

    messages: tuple[Message, ...]
    new: int
    read: int
    triaged: int
    skipped: Mapping[str, int]
    waiting: int
    notes: tuple[str, ...]
    change: Committed = Committed()


class _Intake:
    """What one ingest has imported so far."""

    def __init__(self, workspace: Workspace, chat: Chat, judge: Judge | None) -> None:
        self._workspace, self._chat, self._judge = workspace, chat, judge
        self.latest: deque[Message] = deque(maxlen=_MOST_SHOWN)
        self.new = self.read = self.hidden = 0
        self.faults: Counter[str] = Counter()
        self.notes: list[str] = []

    def take(self, batch: list[Message], mark: tuple[str, str] | None = None) -> None:
        """Stores a batch, together with the mark of how far it was read."""
        chat = self._chat
        oldest = chat.oldest
        batch = [taken_from(self._workspace, message) for message in batch]
        with chat.local.transaction():
            kept = [message for message in batch if oldest is None or message.time >= oldest]
            fresh, _ = chat.take(kept, self._judge)
            # A runtime still brings what an agent read on its own.
            if mark and not is_named(self._workspace.actor):
                chat.local.set_mark(*mark)
        # A mask that a message came with is no secret that was removed here.
        came = {message.text for message in batch}
        self.hidden += sum(each.text not in came for each in fresh if MASK.search(each.text))
        self.read += len(batch)
        self.new += len(fresh)
        self.latest += fresh

    def result(self) -> Ingested:
        """Finishes the ingest."""
        chat = self._chat
        if not self._workspace.dry_run:
            if self.new:
                chat.retain()
            chat.forward()
        latest = [chat.local.get(message.key) or message for message in self.latest]
        notes = (*self.notes, *chat.notes, *hidden_words(self.hidden))
        return Ingested(
            here(self._workspace, latest), self.new, self.read, chat.triaged, dict(+self.faults),
            chat.waiting, notes,
        )  # fmt: skip


def ingest_lines(
    workspace: Workspace, lines: Iterable[bytes], session: str = "", judge: Judge | None = None
) -> Ingested:
    """Takes in lines `{"role", "text", "time", "id", "session"}`; the last three are optional.

    The same lines again change nothing, even without ids.
    """
    ident, dry_run = numbered(), workspace.dry_run
    present, named = filter(bytes.strip, lines), session or DEFAULT_SESSION
    with open_chat(workspace) as chat, chat.local.rehearsal() if dry_run else nullcontext():
        intake = _Intake(workspace, chat, None if dry_run else judge)
        while batch := [parsed(0, raw) for raw in islice(present, _BATCH)]:
            messages = list[Message]()
            for line in batch:
                message = line.value and message_of_line(line.value, named, ident, workspace.now)
                if message:
                    messages.append(message)
                if fault := line.fault or ("" if message else NO_MESSAGE):
                    intake.faults[fault] += 1
            intake.take(messages)
        return intake.result()


def ingest_openclaw(
    workspace: Workspace,
    agent: str = "",
    judge: Judge | None = None,
    progress: Progress | None = None,
) -> Ingested:
    """Takes in what is new in the transcripts of an agent: the one named, or the local one.

    Transcripts are only read. After a crash the next call goes on where this one ended.
    """
    state, dry_run = agent_state(workspace, agent), workspace.dry_run
    with open_chat(workspace) as chat, open_transcripts(state) as transcripts:
        intake = _Intake(workspace, chat, None if dry_run else judge)
        with chat.local.rehearsal() if dry_run else nullcontext():
            for at, transcript in enumerate(transcripts.all, 1):
                try:
                    _take_in(transcript, chat, intake)
                except UnreadableTranscriptError as error:
                    intake.notes.append(error.message)
                if progress:
                    progress(at, len(transcripts.all))
            intake.notes += transcripts.notes
            return intake.result()


def _take_in(transcript: Transcript, chat: Chat, intake: _Intake) -> None:
    name, session = f"read {transcript.source}", transcript.session
    leaf, state = json.loads(chat.local.mark(name) or '["", ""]')
    if state == transcript.state:
        return
    faults: Counter[str] = Counter()
    key, time, is_last = _name_of(session, chat), _BEGINNING, False
    entries = transcript.entries(faults, leaf)
    while not is_last:
        batch = [*islice(entries, _BATCH)]
        is_last = len(batch) < _BATCH
        messages = []
        for entry in batch:
            leaf = entry.id
            if message := message_of(entry, session.id, key, time):
                # An entry without a time has that of the message before it.
                time = message.time
                messages.append(message)
        reached = json.dumps([leaf, transcript.state if is_last else ""])
        # A transcript that cannot be unpacked now may be readable later, so it is then read from
        # the start.
        intake.take(messages, None if faults[COMPRESSED] else (name, reached))
    intake.faults += faults


def _name_of(session: Session, chat: Chat) -> str:
    """The name of a session. It is remembered: OpenClaw forgets it once the session is archived."""
    mark = f"session {session.id}"
    known = chat.local.mark(mark)
    if session.key and session.key != known:
        chat.local.set_mark(mark, session.key)
    return session.key or known or ""


# A session, opened: OpenClaw's, or lines of JSON

_FEW = 5


class Where(NamedTuple):
    """Which session.

    `session` names one of OpenClaw's by key or id; with lines it is only a label.
    """

    session: str = ""
    lines: Iterable[bytes] | None = None


class Conversation(NamedTuple):
    """One session: the entries of its current branch, and notes about lines that could not be
    read.
    """

    session: Session
    entries: list[TranscriptEntry]
    notes: tuple[str, ...]

    @property
    def id(self) -> str:
        """A session without an id is identified by how it begins."""
        return self.session.id or (
            digest(self.entries[0].said) if self.entries else self.session.key
        )

    @property
    def name(self) -> str:
        return self.session.key or self.id


def conversation(workspace: Workspace, where: Where) -> Conversation:
    """The session that is meant; if several have the name, the one written to last."""
    return next(conversations(workspace, where))


def conversations(workspace: Workspace, where: Where) -> Iterator[Conversation]:
    """All sessions with that name, the latest first, and at least one."""
    if where.lines is not None:
        yield _piped(where.lines, where.session)
        return
    if not where.session:
        raise UsageError("Which session?", hint="--session KEY, a FILE, or lines on standard input")
    # OpenClaw's keys are agent:NAME:…; for any other key, the agent is main.
    kind, _, rest = where.session.partition(":")
    usual = rest.partition(":")[0] if kind == "agent" else "main"
    with open_transcripts(agent_state(workspace, usual=usual)) as transcripts:
        named = [each for each in transcripts.all if where.session in each.session[:2]]
        if not named:
            latest = [each.session.key or each.session.id for each in transcripts.all[-_FEW:]]
            told = f"The latest are: {', '.join(dict.fromkeys(latest))}"
            raise NotFoundError(
                f"OpenClaw has no session {where.session}.",
                hint=told if latest else "clawgit doctor",
            )
        for each in reversed(named):
            faults: Counter[str] = Counter()
            entries = [*each.entries(faults)]
            yield Conversation(each.session, entries, _told(faults))


def _piped(lines: Iterable[bytes], session: str) -> Conversation:
    read = [parsed(at, raw) for at, raw in enumerate(lines) if raw.strip()]
    entries = [entry_of(line.value, str(line.place)) for line in read if line.value is not None]
    named = Session(_told_id(entries), session)
    faults = Counter(line.fault for line in read if line.fault)
    return Conversation(named, [entries[at] for at in branch(entries)], _told(faults))


def _told_id(entries: list[TranscriptEntry]) -> str:
    """The session's id from the first line of OpenClaw's transcripts, which is on no branch."""
    first = entries[0] if entries else None
    ident = first.said.get("id") if first and first.type == "session" else None
    return ident if isinstance(ident, str) else ""


def _told(faults: Counter[str]) -> tuple[str, ...]:
    return tuple(f"{counted(count, 'line')} {what}" for what, count in faults.items())


def agent_state(workspace: Workspace, name: str = "", usual: str = "") -> Path:
    """The state folder of an agent of OpenClaw: of the one that is named, else of the one that
    lives here, else of the `usual` one.
    """
    installation = openclaw.find(workspace.caller)
    if installation is None:
        raise NotFoundError(
            "There is no OpenClaw here.", hint="Set OPENCLAW_STATE_DIR to its state folder."
        )
    own = installation.agent_of(workspace.root)
    if own and not name:
        return own.state
    on_disk = {folder.name: folder for folder in (installation.state / "agents").glob("*/")}
    # The config wins: an agent's state may have moved, and an old folder of its name may be left.
    states = on_disk | {agent.id: agent.state for agent in installation.agents}
    wanted = name or usual
    if wanted not in states:
        known = ", ".join(sorted(states))
        missing = f"no agent {wanted}" if wanted else f"no agent that lives in {workspace.root}"
        raise NotFoundError(
            f"OpenClaw has {missing}.", hint=f"It has: {known}" if known else "clawgit doctor"
        )
    return states[wanted]
