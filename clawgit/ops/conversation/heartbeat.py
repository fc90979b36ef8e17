"""Stores one message of a running chat, triages it, and queues it for the agents that it calls."""

import json
import os
import sqlite3
from dataclasses import dataclass
from functools import partial

from clawgit.agents.contract import Call
from clawgit.domain.conversation.chat import USER, Message
from clawgit.domain.conversation.triage import Trigger, routes, surest
from clawgit.domain.conversation.triage_rules import RECALL_FAILURE, SOFT_CORRECTION, VALIDATOR
from clawgit.domain.extraction.quoting import is_private
from clawgit.errors import ClawgitError, ConfigError, MissingExtraError
from clawgit.ops.conversation.chat import is_triaged, log, open_chat
from clawgit.ops.conversation.queue import (
    Clock,
    is_script,
    payload_of,
    start_worker,
    work_off,
)
from clawgit.ops.conversation.triage import Triaged, patterns_of, triage
from clawgit.ops.workspace.reach import expanded
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import queue as store
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.program import ProgramError, run_program

_RANKS = {"high": 2, "medium": 1}
_RUNS = f"run-{VALIDATOR}.lock"
_LISTENS = 0
"""The rank of a message that no pattern calls for: it comes after all others."""

_UNSURE = "medium"
"""The confidence of a pattern whose words match but probably not in its meaning."""

_VALIDATED = (RECALL_FAILURE, SOFT_CORRECTION)
_NOTHING = Triaged(priority=False, triggers=(), elapsed_ms=0.0)


@dataclass(frozen=True, slots=True)
class Queued:
    """A call that was put into a queue."""

    queue: str
    confidence: str | None
    item: int | None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The message as stored, and the agents it calls. A message that was known calls none again.

    The Recall Validator judges every message of the operator; one without a hit has no confidence.
    Messages are not in the history, so there is no commit.
    """

    message: Message
    new: bool
    priority: bool
    triggers: tuple[Trigger, ...]
    elapsed_ms: float
    cut_off: tuple[str, ...]
    queued: tuple[Queued, ...]
    waiting: int
    notes: tuple[str, ...]
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowedUp:
    """What went wrong with the scripts that were called. Our own agents run in the background."""

    troubles: tuple[str, ...]


def heartbeat(
    workspace: Workspace,
    text: str,
    *,
    session: str = "",
    role: str = USER,
    ident: str = "",
    time: str = "",
    dry_run: bool = False,
) -> Heartbeat:
    """Stores a message and queues what it calls for.

    Only the user's messages are triaged, once and while they are fresh. It waits for nothing:
    `follow_up` starts the agents.
    """
    triager = Triager(workspace)
    # A slow server must not hold up the chat: `follow_up` sends what waits.
    done = log(
        workspace, text, session=session, role=role, ident=ident, time=time,
        judge=triager.judge, forward=False, dry_run=dry_run,
    )  # fmt: skip
    message = done.messages[0]
    triaged = triager.found(message) if is_triaged(message, workspace.now) else _NOTHING
    queued = triager.queued.get(message.key, ())
    # A dry run has judged nothing, so what would be queued is not known yet.
    if dry_run and done.new:
        queued = tuple(
            Queued(queue, surest(called), None)
            for queue, called in routes(triaged.triggers).items()
        )
    return Heartbeat(
        message, done.new, triaged.priority, triaged.triggers, triaged.elapsed_ms,
        triaged.cut_off, queued, done.waiting, (*done.notes, *triaged.notes),
    )  # fmt: skip


def follow_up(
    workspace: Workspace,
    clock: Clock,
    *,
    start: bool = True,
    forward: bool = True,
) -> tuple[str, ...]:
    """Runs the scripts that are called and named by CONFIG.md, and starts the Recall Validator. The
    miner runs by the clock: its calls only say that messages wait.

    With `forward` it also sends what waits for a server. Returns what went wrong.
    """
    with state_of(workspace) as state:
        due = store.waiting(state, clock())
    named = {pattern.route for pattern in patterns_of(workspace).usable}
    troubles: list[str] = []
    for queue in due:
        # One that runs looks once more before it ends.
        if queue == VALIDATOR and start and not lock_holder(workspace.place.shared / _RUNS):
            start_worker(workspace, "agent", "run", VALIDATOR, "--if-waiting")
        elif is_script(queue) and queue in named:
            troubles += work_off(
                workspace, queue, partial(run_script, workspace, queue), clock
            ).troubles
    return (*troubles, *(_forward(workspace) if forward else ()))


def _forward(workspace: Workspace) -> tuple[str, ...]:
    """Sends what waits for a server.

    The message is stored here, so a wrong `chat_store` is only a note.
    """
    if workspace.config.settings.chat_store == "sqlite":
        return ()
    try:
        with open_chat(workspace) as chat:
            chat.forward()
            return chat.notes
    except (ConfigError, MissingExtraError) as error:
        return (f"{error.message} {error.hint}",)


class Triager:
    """Triages the messages of one call, and remembers the results."""

    def __init__(self, workspace: Workspace) -> None:
        self.queued: dict[str, tuple[Queued, ...]] = {}
        self._patterns = patterns_of(workspace)
        self._found: dict[str, Triaged] = {}

    def found(self, message: Message) -> Triaged:
        """The triage of a message; it is not repeated for a message that `judge` has seen."""
        return self._found.get(message.key) or triage(message.text, self._patterns)

    def judge(self, message: Message, db: sqlite3.Connection) -> bool:
        """Queues what a message calls for, in the transaction that stores it.

        Returns whether it has priority.
        """
        triaged = self._found[message.key] = triage(message.text, self._patterns)
        meant = routes(triaged.triggers)
        calls = [(queue, called, surest(called)) for queue, called in meant.items()]
        # Triggers that seem to mean something else here: the validator's judge decides.
        unsure = [one for one in triaged.triggers if not one.route and one.kind in _VALIDATED]
        # In a group or a job others than the operator may speak, so only hits are judged.
        if VALIDATOR not in meant and (unsure or is_private(message.session)):
            calls.append((VALIDATOR, unsure, _UNSURE if unsure else None))
        queued = []
        for queue, called, confidence in calls:
            rank = _RANKS.get(confidence or "", _LISTENS)
            item = store.put(db, queue, payload_of(message, called, confidence), rank, message.time)
            queued.append(Queued(queue, confidence, item))
        self.queued[message.key] = tuple(queued)
        return triaged.priority


SECONDS = 10.0
"""How long a script may take."""

_LONGEST_TEXT = 16_000
"""How many characters of a message it is given."""

_MOST_WORDS = 64 * 1024 * 1024
"""How many bytes of its output are read."""


class ScriptError(ClawgitError):
    """A script that does not exist, fails, or takes too long."""

    kind = "script_failed"


def run_script(workspace: Workspace, route: str, call: Call, seconds: float = SECONDS) -> None:
    """Gives a call to a script; a relative path starts at the workspace.

    ScriptError if it fails.
    """
    path = expanded(workspace, route)
    try:
        ran = run_program(
            [os.fspath(path)],
            _json_of(call),
            folder=workspace.root,
            env=workspace.caller.env,
            seconds=seconds,
            most=_MOST_WORDS,
        )
    except ProgramError as error:
        raise ScriptError(
            f"{route} {error}.",
            hint="Try it by hand; it should start what takes long in the background.",
        ) from error
    if ran.code:
        words = f": {ran.words}" if ran.words else "."
        raise ScriptError(f"{route} ended with {ran.code}{words}", hint=f"Try it: {path}")


def _json_of(call: Call) -> bytes:
    payload = {
        "queue": call.queue,
        "confidence": call.confidence,
        "triggers": [trigger._asdict() for trigger in call.triggers],
        "message": _shape(call.message),
        "exchange": [_shape(message) for message in call.exchange],
    }
    return json.dumps(payload, ensure_ascii=False).encode()


def _shape(message: Message) -> dict[str, object]:
    shape = {
        name: value for name, value in message._asdict().items() if name not in ("live", "record")
    }
    return {**shape, "text": message.text[:_LONGEST_TEXT], "time": message.time.isoformat()}
