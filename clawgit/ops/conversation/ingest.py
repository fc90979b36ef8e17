"""Messages taken in from elsewhere: from OpenClaw's transcripts, and from lines of JSON."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

from clawgit.domain.conversation.chat import DEFAULT_SESSION, Message, counted
from clawgit.domain.conversation.transcript import message_of, message_of_line
from clawgit.domain.safety.masks import MASK
from clawgit.errors import BusyError, NotFoundError
from clawgit.ops.conversation.chat import Chat, here, hidden_words, open_chat
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.chat.sqlite import Judge
from clawgit.stores.transcripts.reader import open_transcripts
from clawgit.stores.transcripts.source import (
    COMPRESSED,
    Position,
    Reading,
    Session,
    Transcript,
    UnreadableError,
    parsed,
)

_BATCH = 1000
_MOST_SHOWN = 1000
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
NO_MESSAGE = "without a role or a text"

Progress = Callable[[int, int], None]
"""Told how much has been read, of how much, in measures of the reader's own."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What was new; of very many, `messages` holds the last thousand. `skipped` counts lines by
    what is wrong.

    Nothing of it is in the history, so there is no commit.
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
    """What one ingest has taken in so far."""

    def __init__(self, chat: Chat, judge: Judge | None) -> None:
        self.latest: deque[Message] = deque(maxlen=_MOST_SHOWN)
        self.new = self.read = self.triaged = self.hidden = 0
        self.faults: Counter[str] = Counter()
        self.notes: list[str] = []
        self._chat = chat
        self._judge = judge

    def take(self, batch: list[Message], mark: tuple[str, str] | None = None) -> None:
        """A batch and the mark of how far it was read land together."""
        chat, oldest = self._chat, self._chat.oldest
        with chat.local.transaction():
            kept = [message for message in batch if oldest is None or message.time >= oldest]
            fresh = chat.local.put(kept, chat.due_since)
            if mark:
                chat.local.set_mark(*mark)
        self.hidden += _hidden(batch, fresh)
        self.read += len(batch)
        self.new += len(fresh)
        self.latest += fresh
        self.triaged += chat.judge(self._judge)

    def result(self, workspace: Workspace, *, dry_run: bool) -> Ingested:
        """Rounds the ingest off."""
        chat = self._chat
        self.triaged += chat.judge(self._judge)  # also what somebody left who was killed
        if not dry_run:
            if self.new:
                chat.retain()
            chat.forward()
        latest = [chat.local.get(message.key) or message for message in self.latest]
        notes = (*self.notes, *chat.notes, *hidden_words(self.hidden))
        skipped = {what: count for what, count in self.faults.items() if count}
        return Ingested(
            here(workspace, latest), self.new, self.read, self.triaged, skipped, chat.waiting, notes
        )


def _hidden(batch: list[Message], fresh: list[Message]) -> int:
    """How many messages were told with a secret, and are kept without it."""
    masked = [message for message in fresh if MASK.search(message.text)]
    if not masked:
        return 0
    told = Counter(mask for message in batch for mask in MASK.findall(message.text))
    return sum(any(not told[mask] for mask in MASK.findall(message.text)) for message in masked)


def ingest_lines(
    workspace: Workspace,
    lines: Iterable[bytes],
    session: str = "",
    judge: Judge | None = None,
    *,
    dry_run: bool = False,
) -> Ingested:
    """Takes in lines `{"role", "text", "time", "id", "session"}`, of which all but the first two
    can be missing.

    The same lines again change nothing, also those without an id.
    """
    ident, session = counted(), session or DEFAULT_SESSION
    with open_chat(workspace) as chat, chat.local.rehearsal() if dry_run else nullcontext():
        intake, rest = (
            _Intake(chat, None if dry_run else judge),
            (raw for raw in lines if raw.strip()),
        )
        while batch := [parsed(0, 0, raw) for raw in islice(rest, _BATCH)]:
            intake.faults.update(line.fault for line in batch if line.fault)
            values = [line.value for line in batch if line.value is not None]
            told = [message_of_line(value, session, ident, workspace.now) for value in values]
            intake.faults[NO_MESSAGE] += told.count(None)
            intake.take([message for message in told if message])
        return intake.result(workspace, dry_run=dry_run)


def ingest_openclaw(
    workspace: Workspace,
    agent: str = "",
    judge: Judge | None = None,
    progress: Progress | None = None,
    *,
    dry_run: bool = False,
) -> Ingested:
    """Takes in what is new in the transcripts of an agent: of the one named, else of the one that
    lives here.

    Transcripts are only read. Cut off at any moment, the next call goes on where this one ended.
    """
    state, note = _state_of(workspace, agent)
    with open_chat(workspace) as chat, open_transcripts(state) as found:
        intake = _Intake(chat, None if dry_run else judge)
        intake.notes += [note] * bool(note)
        with chat.local.rehearsal() if dry_run else nullcontext():
            for transcript, tell in _told(found.all, progress):
                try:
                    _take_in(transcript, chat, intake, tell)
                except UnreadableError as error:
                    intake.notes.append(error.message)
            intake.notes += found.notes
            return intake.result(workspace, dry_run=dry_run)


def follow(
    workspace: Workspace,
    moments: Iterable[None],
    clock: Callable[[], datetime],
    tell: Callable[[str], None],
    agent: str = "",
    judge: Callable[[Workspace], Judge] | None = None,
) -> Iterator[Ingested]:
    """Takes in what is new at each moment, and yields where there was something. A busy store is
    for the next.

    Who judges is asked for at each moment, too, since the operator may have changed his patterns.
    """
    for _ in moments:
        now = replace(workspace, caller=replace(workspace.caller, now=clock()))
        try:
            taken = ingest_openclaw(now, agent, judge(now) if judge else None)
        except BusyError as error:
            tell(error.message)
            continue
        if taken.new or taken.triaged:
            yield taken


def _take_in(
    transcript: Transcript, chat: Chat, intake: _Intake, tell: Callable[[int], None]
) -> None:
    name = f"read {transcript.source}"
    reading = Reading(transcript, Position.parse(chat.local.mark(name)))
    if not reading.is_news:
        return
    session, time, batch = _name_of(transcript.session, chat), _BEGINNING, list[Message]()
    for found in reading.entries():
        message = (
            message_of(found.entry, transcript.session.id, session, time) if found.entry else None
        )
        if message:
            time = message.time
            batch.append(message)
        if found.entry is None or len(batch) == _BATCH:
            # What cannot be unpacked today may be tomorrow: such a transcript is read from the
            # start again.
            mark = None if reading.faults[COMPRESSED] else (name, reading.position(found).render())
            intake.take(batch, mark)
            batch = []
            tell(found.end)
    intake.faults += reading.faults


def _name_of(session: Session, chat: Chat) -> str:
    """The name of a session, remembered for the time when OpenClaw has archived it and does not
    know it any more.
    """
    mark = f"session {session.id}"
    known = chat.local.mark(mark)
    if session.key and session.key != known:
        chat.local.set_mark(mark, session.key)
    return session.key or known or ""


def _told(
    transcripts: tuple[Transcript, ...], progress: Progress | None
) -> Iterator[tuple[Transcript, Callable[[int], None]]]:
    """Each transcript, and whom to tell how far it has been read."""
    total, before = sum(transcript.size() for transcript in transcripts) if progress else 0, 0
    for transcript in transcripts:
        tell = partial(_tell, progress, before, total)
        yield transcript, tell
        if progress:
            before += transcript.size()
            progress(before, total)


def _tell(progress: Progress | None, before: int, total: int, end: int) -> None:
    if progress:
        progress(before + end, total)


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(parent.glob("*/"))
    except OSError as error:
        raise UnreadableError(
            f"{parent} cannot be read: {error.strerror}.", hint="Check its owner and permissions."
        ) from error


def _state_of(workspace: Workspace, name: str) -> tuple[Path, str]:
    """The state folder of an agent, and a word to the user where it had to be guessed."""
    caller = workspace.caller
    found = openclaw.find(caller.home, caller.env)
    if found is None:
        raise NotFoundError(
            "There is no OpenClaw here.", hint="OPENCLAW_STATE_DIR names its state folder."
        )
    named = {agent.id: agent.state for agent in found.agents}
    on_disk = {folder.name: folder for folder in _folders(found.state / "agents")}
    states = on_disk | named
    if name:
        if name not in states:
            raise NotFoundError(
                f"OpenClaw has no agent {name}.", hint=f"It has: {', '.join(sorted(states))}"
            )
        return states[name], ""
    if own := found.agent_of(workspace.root):
        return own.state, ""
    if not states:
        raise NotFoundError(f"The OpenClaw in {found.state} has no agents.", hint="clawgit doctor")
    guess = "main" if "main" in states else next(iter(states))
    return states[
        guess
    ], f"No agent of OpenClaw lives in {workspace.root}; {guess} was read. --agent names another."
