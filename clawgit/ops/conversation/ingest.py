"""Imports messages from OpenClaw's transcripts, and from lines of JSON."""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from clawgit.domain.change.actors import is_named
from clawgit.domain.conversation.chat import DEFAULT_SESSION, Message, counted
from clawgit.domain.conversation.transcript import message_of, message_of_line
from clawgit.domain.safety.secrets import MASK
from clawgit.ops.conversation.chat import Chat, here, hidden_words, open_chat, taken_from
from clawgit.ops.conversation.session_reading import agent_state
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chat.sqlite import Judge
from clawgit.stores.transcripts import (
    COMPRESSED,
    Session,
    Transcript,
    UnreadableTranscriptError,
    open_transcripts,
    parsed,
)

_BATCH = 1000
_MOST_SHOWN = 1000
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
NO_MESSAGE = "without a role or a text"

Progress = Callable[[int, int], None]
"""Called with how many transcripts were read, and of how many."""


@dataclass(frozen=True, slots=True)
class Ingested:
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
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


class _Intake:
    """What one ingest has imported so far."""

    def __init__(self, workspace: Workspace, chat: Chat, judge: Judge | None) -> None:
        self._workspace = workspace
        self.latest: deque[Message] = deque(maxlen=_MOST_SHOWN)
        self.new = self.read = self.hidden = 0
        self.faults: Counter[str] = Counter()
        self.notes: list[str] = []
        self._chat = chat
        self._judge = judge

    def take(self, batch: list[Message], mark: tuple[str, str] | None = None) -> None:
        """Stores a batch, together with the mark of how far it was read."""
        chat, oldest = self._chat, self._chat.oldest
        batch = [taken_from(self._workspace, message) for message in batch]
        with chat.local.transaction():
            kept = [message for message in batch if oldest is None or message.time >= oldest]
            fresh, _ = chat.take(kept, self._judge)
            # A runtime still brings what an agent read on its own.
            if mark and not is_named(self._workspace.caller.actor):
                chat.local.set_mark(*mark)
        self.hidden += _hidden(batch, fresh)
        self.read += len(batch)
        self.new += len(fresh)
        self.latest += fresh

    def result(self, *, dry_run: bool) -> Ingested:
        """Finishes the ingest."""
        chat = self._chat
        if not dry_run:
            if self.new:
                chat.retain()
            chat.forward()
        latest = [chat.local.get(message.key) or message for message in self.latest]
        notes = (*self.notes, *chat.notes, *hidden_words(self.hidden))
        return Ingested(
            here(self._workspace, latest), self.new, self.read, chat.triaged, dict(+self.faults),
            chat.waiting, notes,
        )  # fmt: skip


def _hidden(batch: list[Message], fresh: list[Message]) -> int:
    """How many messages came with a secret, and are stored without it."""
    # A mask that the message already had is no secret that was removed here.
    came = {message.text for message in batch}
    return sum(message.text not in came for message in fresh if MASK.search(message.text))


def ingest_lines(
    workspace: Workspace,
    lines: Iterable[bytes],
    session: str = "",
    judge: Judge | None = None,
    *,
    dry_run: bool = False,
) -> Ingested:
    """Takes in lines `{"role", "text", "time", "id", "session"}`; the last three are optional.

    The same lines again change nothing, even without ids.
    """
    ident = counted()
    present = filter(bytes.strip, lines)
    with open_chat(workspace) as chat, chat.local.rehearsal() if dry_run else nullcontext():
        intake = _Intake(workspace, chat, None if dry_run else judge)
        while batch := [parsed(0, raw) for raw in islice(present, _BATCH)]:
            intake.faults.update(line.fault for line in batch if line.fault)
            values = [line.value for line in batch if line.value is not None]
            named = session or DEFAULT_SESSION
            told = (message_of_line(value, named, ident, workspace.now) for value in values)
            messages = [*filter(None, told)]
            intake.faults[NO_MESSAGE] += len(values) - len(messages)
            intake.take(messages)
        return intake.result(dry_run=dry_run)


def ingest_openclaw(
    workspace: Workspace,
    agent: str = "",
    judge: Judge | None = None,
    progress: Progress | None = None,
    *,
    dry_run: bool = False,
) -> Ingested:
    """Takes in what is new in the transcripts of an agent: the one named, or the local one.

    Transcripts are only read. After a crash the next call goes on where this one ended.
    """
    state = agent_state(workspace, agent)
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
            return intake.result(dry_run=dry_run)


def _take_in(transcript: Transcript, chat: Chat, intake: _Intake) -> None:
    name = f"read {transcript.source}"
    leaf, state = json.loads(chat.local.mark(name) or '["", ""]')
    if state == transcript.state:
        return
    faults: Counter[str] = Counter()
    session = _name_of(transcript.session, chat)
    time, is_last = _BEGINNING, False
    entries = transcript.entries(faults, leaf)
    while not is_last:
        batch = [*islice(entries, _BATCH)]
        is_last = len(batch) < _BATCH
        messages = []
        for entry in batch:
            leaf = entry.id
            if message := message_of(entry, transcript.session.id, session, time):
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
