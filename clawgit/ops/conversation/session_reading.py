"""Where a session's transcript comes from: OpenClaw, a file, or lines that somebody pipes in. All
are only read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.conversation.session import digest
from clawgit.domain.conversation.transcript import Entry, branch, entry_of
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.transcripts.jsonl import JsonlTranscript
from clawgit.stores.transcripts.reader import open_transcripts
from clawgit.stores.transcripts.source import Line, Position, Reading, Session, Transcript, parsed

_FEW = 5


class Where(NamedTuple):
    """`session` names one of OpenClaw's by key or id; with a file or lines it is only what the
    session is called.
    """

    session: str = ""
    file: Path | None = None
    lines: Iterable[bytes] | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session: its entries on the current branch, to be gone through once; `faults` counts the
    lines that could not be read on the way. `key` and `source` (its channel) are "" where nothing
    tells them.
    """

    id: str
    key: str
    source: str
    entries: Iterator[Entry]
    faults: Counter[str]

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(
            f"{count:,} line{'' if count == 1 else 's'} {what}"
            for what, count in self.faults.items()
        )


@contextmanager
def conversation(workspace: Workspace, where: Where) -> Iterator[Conversation]:
    """The session that is meant; of several under one name the one that was written to last."""
    with conversations(workspace, where) as found:
        yield next(found)


@contextmanager
def conversations(workspace: Workspace, where: Where) -> Iterator[Iterator[Conversation]]:
    """All sessions of that name, the latest first, and at least one."""
    if where.lines is not None:
        yield iter([_piped(where.lines, where.session)])
    elif where.file is not None:
        yield iter([_in_file(where.file, where.session)])
    else:
        if not where.session:
            raise UsageError(
                "Which session?", hint="--session KEY, a FILE, or lines on standard input"
            )
        with open_transcripts(_state(workspace, where.session)) as found:
            named = [one for one in found.all if where.session in (one.session.key, one.session.id)]
            if not named:
                known = [one.session.key or one.session.id for one in found.all][-_FEW:]
                hint = (
                    f"The latest are: {', '.join(dict.fromkeys(known))}"
                    if known
                    else "clawgit doctor"
                )
                raise NotFoundError(f"OpenClaw has no session {where.session}.", hint=hint)
            yield map(_read, reversed(named))


def _in_file(file: Path, session: str) -> Conversation:
    transcript = JsonlTranscript(file, Session("", session))
    try:
        head = next(transcript.lines(0), None)
    except OSError as error:
        raise NotFoundError(
            f"{file} cannot be read: {error.strerror}.", hint="Name a transcript."
        ) from error
    return _read(transcript._replace(session=Session(_told_id(head), session)))


def _read(transcript: Transcript) -> Conversation:
    session = transcript.session
    reading = Reading(transcript, Position())
    entries = (found.entry for found in reading.entries() if found.entry)
    return _named(session, entries, reading.faults)


def _piped(lines: Iterable[bytes], session: str) -> Conversation:
    read = [parsed(at, at + 1, raw) for at, raw in enumerate(lines) if raw.strip()]
    entries = [entry_of(line.value, str(line.start)) for line in read if line.value is not None]
    on_branch = (
        entry for places in branch(entries) or () for entry in entries[places.start : places.stop]
    )
    told = Session(_told_id(read[0] if read else None), session)
    return _named(told, on_branch, Counter(line.fault for line in read if line.fault))


def _told_id(head: Line | None) -> str:
    """The session's id, as the first line of OpenClaw's transcripts tells it; that line is on no
    branch.
    """
    told = (
        head.value.get("id")
        if head and head.value and head.value.get("type") == "session"
        else None
    )
    return told if isinstance(told, str) else ""


def _named(session: Session, entries: Iterator[Entry], faults: Counter[str]) -> Conversation:
    """A session without an id is known by how it begins."""
    first = next(entries, None)
    begun = chain([first], entries) if first else iter(())
    ident = session.id or (digest(first.said) if first else session.key)
    return Conversation(ident, session.key, session.channel, begun, faults)


def _state(workspace: Workspace, session: str) -> Path:
    """The state folder of the agent that lives here; where none does, of the one that the session's
    key names.
    """
    caller = workspace.caller
    found = openclaw.find(caller.home, caller.env)
    if found is None:
        raise NotFoundError(
            "There is no OpenClaw here.", hint="Give a FILE, or name its folder: OPENCLAW_STATE_DIR"
        )
    if own := found.agent_of(workspace.root):
        return own.state
    kind, _, rest = session.partition(":")
    name = rest.partition(":")[0] if kind == "agent" else "main"
    state = next((agent.state for agent in found.agents if agent.id == name), None)
    if state is None:
        raise NotFoundError(
            f"OpenClaw has no agent {name}.", hint=", ".join(agent.id for agent in found.agents)
        )
    return state
