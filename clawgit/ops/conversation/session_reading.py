"""Opens a session's transcript: OpenClaw's, or lines of JSON. All are only read."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.conversation.session import digest
from clawgit.domain.conversation.transcript import TranscriptEntry, branch, entry_of
from clawgit.errors import NotFoundError, UsageError, counted
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import openclaw
from clawgit.stores.transcripts import Session, open_transcripts, parsed

_FEW = 5


class Where(NamedTuple):
    """Which session.

    `session` names one of OpenClaw's by key or id; with lines it is only a label.
    """

    session: str = ""
    lines: Iterable[bytes] | None = None


class Conversation(NamedTuple):
    """One session: the entries of its current branch, and notes about lines that could not be read.
    `key` and `source` (its channel) are "" if unknown.
    """

    id: str
    key: str
    source: str
    entries: list[TranscriptEntry]
    notes: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.key or self.id


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
    with open_transcripts(_state(workspace, where.session)) as transcripts:
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
            yield _named(each.session, [*each.entries(faults)], faults)


def _piped(lines: Iterable[bytes], session: str) -> Conversation:
    read = [parsed(at, raw) for at, raw in enumerate(lines) if raw.strip()]
    entries = [entry_of(line.value, str(line.place)) for line in read if line.value is not None]
    faults = Counter(line.fault for line in read if line.fault)
    on_branch = [entries[at] for at in branch(entries)]
    return _named(Session(_told_id(entries), session), on_branch, faults)


def _told_id(entries: list[TranscriptEntry]) -> str:
    """The session's id from the first line of OpenClaw's transcripts, which is on no branch."""
    first = entries[0] if entries else None
    ident = first.said.get("id") if first and first.type == "session" else None
    return ident if isinstance(ident, str) else ""


def _named(session: Session, entries: list[TranscriptEntry], faults: Counter[str]) -> Conversation:
    """A session without an id is identified by how it begins."""
    ident = session.id or (digest(entries[0].said) if entries else session.key)
    notes = tuple(f"{counted(count, 'line')} {what}" for what, count in faults.items())
    return Conversation(ident, session.key, session.channel, entries, notes)


def agent_state(workspace: Workspace, name: str = "", usual: str = "") -> Path:
    """The state folder of an agent of OpenClaw: of the one that is named, else of the one that
    lives here, else of the `usual` one.
    """
    caller = workspace.caller
    installation = openclaw.find(caller.home, caller.env)
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


def _state(workspace: Workspace, session: str) -> Path:
    kind, _, rest = session.partition(":")
    # OpenClaw's keys are agent:NAME:…; for any other key, the agent is main.
    name = rest.partition(":")[0] if kind == "agent" else "main"
    return agent_state(workspace, usual=name)
