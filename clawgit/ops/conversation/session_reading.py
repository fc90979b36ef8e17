"""Opens a session's transcript: OpenClaw's, a file, or piped lines. All are only read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.conversation.session import digest
from clawgit.domain.conversation.transcript import TranscriptEntry, branch, entry_of
from clawgit.errors import NotFoundError, UsageError, counted
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.transcripts import (
    Position,
    Session,
    Transcript,
    TranscriptLine,
    TranscriptReading,
    UnreadableTranscriptError,
    open_transcripts,
    parsed,
)

_FEW = 5


class Where(NamedTuple):
    """Which session.

    `session` names one of OpenClaw's by key or id; with a file or lines it is only a label.
    """

    session: str = ""
    file: Path | None = None
    lines: Iterable[bytes] | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session: the entries of its current branch, which can be read once.

    `faults` counts the lines that could not be read on the way. `key` and `source` (its channel)
    are "" if unknown.
    """

    id: str
    key: str
    source: str
    entries: Iterator[TranscriptEntry]
    faults: Counter[str]

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(f"{counted(count, 'line')} {what}" for what, count in self.faults.items())


@contextmanager
def conversation(workspace: Workspace, where: Where) -> Iterator[Conversation]:
    """The session that is meant; if several have the name, the one written to last."""
    with conversations(workspace, where) as talks:
        yield next(talks)


@contextmanager
def conversations(workspace: Workspace, where: Where) -> Iterator[Iterator[Conversation]]:
    """All sessions with that name, the latest first, and at least one."""
    if where.lines is not None:
        yield iter([_piped(where.lines, where.session)])
    elif where.file is not None:
        yield iter([_in_file(where.file, where.session)])
    else:
        if not where.session:
            raise UsageError(
                "Which session?", hint="--session KEY, a FILE, or lines on standard input"
            )
        with open_transcripts(_state(workspace, where.session)) as transcripts:
            yield map(_read, reversed(_with_name(transcripts.all, where.session)))


def _with_name(transcripts: Sequence[Transcript], name: str) -> list[Transcript]:
    """The transcripts of a session; NotFoundError if there are none."""
    sessions = [(transcript, transcript.session) for transcript in transcripts]
    named = [transcript for transcript, session in sessions if name in (session.key, session.id)]
    if named:
        return named
    latest = [session.key or session.id for _, session in sessions][-_FEW:]
    hint = "clawgit doctor"
    if latest:
        hint = f"The latest are: {', '.join(dict.fromkeys(latest))}"
    raise NotFoundError(f"OpenClaw has no session {name}.", hint=hint)


def _in_file(file: Path, session: str) -> Conversation:
    try:
        with file.open("rb") as lines:
            return _piped(lines, session)
    except OSError as error:
        raise NotFoundError(
            f"{file} cannot be read: {error.strerror}.", hint="Name a transcript."
        ) from error


def _read(transcript: Transcript) -> Conversation:
    session = transcript.session
    reading = TranscriptReading(transcript, Position())
    return _named(session, reading.entries(), reading.faults)


def _piped(lines: Iterable[bytes], session: str) -> Conversation:
    parsed_lines = [parsed(at, raw) for at, raw in enumerate(lines) if raw.strip()]
    entries: list[TranscriptEntry] = []
    faults: Counter[str] = Counter()
    for line in parsed_lines:
        if line.value is not None:
            entries.append(entry_of(line.value, str(line.place)))
        if line.fault:
            faults[line.fault] += 1
    head = parsed_lines[0] if parsed_lines else None
    on_branch = (entries[at] for at in branch(entries))
    return _named(Session(_told_id(head), session), on_branch, faults)


def _told_id(head: TranscriptLine | None) -> str:
    """The session's id from the first line of OpenClaw's transcripts, which is on no branch."""
    if head is None or not head.value or head.value.get("type") != "session":
        return ""
    ident = head.value.get("id")
    return ident if isinstance(ident, str) else ""


def _named(
    session: Session, entries: Iterator[TranscriptEntry], faults: Counter[str]
) -> Conversation:
    """A session without an id is identified by how it begins."""
    first = next(entries, None)
    begun = chain([first], entries) if first else iter(())
    ident = session.id or (digest(first.said) if first else session.key)
    return Conversation(ident, session.key, session.channel, begun, faults)


def agent_state(workspace: Workspace, name: str = "", usual: str = "") -> tuple[Path, str]:
    """The state folder of an agent of OpenClaw: of the one that is named, else of the one that
    lives here, else of the `usual` one or of main; and a note if it had to be guessed.
    """
    caller = workspace.caller
    installation = openclaw.find(caller.home, caller.env)
    if installation is None:
        raise NotFoundError(
            "There is no OpenClaw here.", hint="Set OPENCLAW_STATE_DIR to its state folder."
        )
    own = installation.agent_of(workspace.root)
    if own and not name:
        return own.state, ""
    on_disk = {folder.name: folder for folder in _folders(installation.state / "agents")}
    # The config wins: an agent's state may have moved, and an old folder of its name may be left.
    states = on_disk | {agent.id: agent.state for agent in installation.agents}
    wanted = name or usual or ("main" if "main" in states else next(iter(states), "main"))
    if wanted not in states:
        known = ", ".join(sorted(states))
        hint = f"It has: {known}" if known else "clawgit doctor"
        raise NotFoundError(f"OpenClaw has no agent {wanted}.", hint=hint)
    note = f"No agent of OpenClaw lives in {workspace.root}; {wanted} was read."
    return states[wanted], "" if name else f"{note} --agent names another."


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(parent.glob("*/"))
    except OSError as error:
        raise UnreadableTranscriptError(
            f"{parent} cannot be read: {error.strerror}.", hint="Check its owner and permissions."
        ) from error


def _state(workspace: Workspace, session: str) -> Path:
    kind, _, rest = session.partition(":")
    # OpenClaw's keys are agent:NAME:…; for any other key, the agent is main.
    name = rest.partition(":")[0] if kind == "agent" else "main"
    return agent_state(workspace, usual=name)[0]
