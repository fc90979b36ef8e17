"""One message of a running chat is stored, triaged, and queued for the agents that it calls. And
the queues: their calls are processed one by one; failed ones can be tried again or dropped.
"""

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from clawgit.agents.contract import Call
from clawgit.core import NamedTuple
from clawgit.core.disk.program import ProgramError, run_program
from clawgit.core.errors import ClawgitError, Committed, ConfigError, MissingExtraError
from clawgit.core.resources import own_program
from clawgit.git.lock import lock_holder
from clawgit.safety.rules.secrets import masked
from clawgit.talk.chat import Chat, is_triaged, log, open_chat
from clawgit.talk.rules.chat import ASSISTANT, Message
from clawgit.talk.rules.kept_line import is_private
from clawgit.talk.rules.triage import Trigger, routes, surest
from clawgit.talk.rules.triage_rules import VALIDATOR
from clawgit.talk.stores import queue as store
from clawgit.talk.stores.chat import SPOKEN, MessageQuery
from clawgit.talk.triage import Triaged, patterns_of, triage
from clawgit.workspace.reach import expanded
from clawgit.workspace.workspace import Workspace

Clock = Callable[[], datetime]
"""Returns the time: the lease of each call begins when the call is taken, even in a long run."""

_STARTED: list[subprocess.Popen[bytes]] = []
_TURNS = 6
"""How many earlier turns go along with a call."""

_RANKS = {"high": 2, "medium": 1}
_RUNS = f"run-{VALIDATOR}.lock"
_LISTENS = 0
"""The rank of a message that no pattern calls for: it comes after all others."""

_NOTHING = Triaged(priority=False, triggers=(), elapsed_ms=0.0)


class Queued(NamedTuple):
    """A call that was put into a queue."""

    queue: str
    confidence: str | None
    item: int | None


class Heartbeat(NamedTuple):
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
    change: Committed = Committed()


def heartbeat(workspace: Workspace, text: str, **said: str) -> Heartbeat:
    """Stores a message and queues what it calls for. What is `said` of it, `log` explains.

    Only the user's messages are triaged, once and while they are fresh. It waits for nothing:
    `follow_up` starts the agents.
    """
    triager = Triager(workspace)
    # A slow server must not hold up the chat: `follow_up` sends what waits.
    done = log(workspace, text, **said, judge=triager.judge, forward=False)
    message = done.messages[0]
    triaged = triager.found(message) if is_triaged(message, workspace.now) else _NOTHING
    queued = triager.queued.get(message.key, ())
    return Heartbeat(
        message, done.new, triaged.priority, triaged.triggers, triaged.elapsed_ms,
        triaged.cut_off, queued, done.waiting, (*done.notes, *triaged.notes),
    )  # fmt: skip


def follow_up(workspace: Workspace, clock: Clock, *, forward: bool = True) -> tuple[str, ...]:
    """Runs the scripts that are called and named by CONFIG.md, and starts the Recall Validator. The
    miner runs by the clock: its calls only say that messages wait.

    With `forward` it also sends what waits for a server. Returns what went wrong.
    """
    with workspace.state() as state:
        due = store.waiting(state, clock())
    named = {pattern.route for pattern in patterns_of(workspace).usable}
    troubles: list[str] = []
    for queue in due:
        # One that runs looks once more before it ends.
        if queue == VALIDATOR and not lock_holder(workspace.place.shared / _RUNS):
            start_worker(workspace, "agent", "run", VALIDATOR, "--if-waiting")
        elif "/" in queue and queue in named:  # the path of a script, and no name of a queue
            troubles += work_off(
                workspace, queue, partial(run_script, workspace, queue), clock
            ).troubles
    return (*troubles, *(_forward(workspace) if forward else ()))


def _forward(workspace: Workspace) -> tuple[str, ...]:
    """Sends what waits for a server.

    The message is stored here, so a wrong `chat_store` is only a note.
    """
    if workspace.settings.chat_store == "sqlite":
        return ()
    try:
        with open_chat(workspace) as chat:
            chat.forward()
            return chat.notes
    except (ConfigError, MissingExtraError) as error:
        return (error.with_hint,)


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
        triaged = self._found[message.key] = self.found(message)
        meant = routes(triaged.triggers)
        calls = [(queue, called, surest(called)) for queue, called in meant.items()]
        # In a group or a job others than the operator may speak, so only phrases are judged.
        if VALIDATOR not in meant and is_private(message.session):
            calls.append((VALIDATOR, [], None))
        queued = []
        for queue, called, confidence in calls:
            rank = _RANKS.get(confidence or "", _LISTENS)
            item = store.put(db, queue, payload_of(message, called, confidence), rank, message.time)
            queued.append(Queued(queue, confidence, item))
        self.queued[message.key] = tuple(queued)
        return triaged.priority


_LONGEST_TEXT = 16_000
"""How many characters of a message it is given."""


class ScriptError(ClawgitError):
    """A script that does not exist, fails, or takes too long."""

    kind = "script_failed"


def run_script(workspace: Workspace, route: str, call: Call, seconds: float = 10.0) -> None:
    """Gives a call to a script; a relative path starts at the workspace. ScriptError if it fails,
    or takes longer.
    """
    path = expanded(workspace, route)
    try:
        ran = run_program(
            [os.fspath(path)],
            _json_of(call),
            folder=workspace.root,
            env=workspace.env,
            seconds=seconds,
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


# The queues


class Taken(NamedTuple):
    """The next call of a queue; null if none waits. It leaves the queue once it was handed out."""

    call: Call | None


class Worked(NamedTuple):
    """How many calls were processed, and what went wrong with others."""

    done: int
    troubles: tuple[str, ...]


class WaitingCall(NamedTuple):
    """A call that waits.

    `aside`: it failed three times. `held`: it is being processed.
    """

    id: int
    queue: str
    since: datetime
    tries: int
    aside: bool
    held: bool
    trouble: str
    session: str
    text: str


class Queues(NamedTuple):
    """The calls that wait, in the order in which they will be processed; or the one that was given
    back or dropped. They are not in the history, so there is no commit.
    """

    items: tuple[WaitingCall, ...]
    change: Committed = Committed()


def payload_of(
    message: Message, triggers: Iterable[Trigger], confidence: str | None
) -> dict[str, object]:
    """A call as a queue stores it; the turns before it are looked up when it is processed."""
    fields = {**message._asdict(), "time": message.time.isoformat()}
    return {
        "message": fields,
        "key": message.key,
        "confidence": confidence,
        "triggers": [*map(list, triggers)],
    }


def work_off(
    workspace: Workspace,
    queue: str,
    work: Callable[[Call], None],
    clock: Clock,
    most: int | None = None,
) -> Worked:
    """Processes the calls of a queue. After a ClawgitError of `work` the call is tried again later.

    If the process dies, the call comes back when its lease ends; so `work` may start twice.
    """
    count, troubles = 0, list[str]()
    with open_chat(workspace) as chat, workspace.state() as state:
        while most is None or count + len(troubles) < most:
            claimed = store.claim(state, queue, clock())
            if claimed is None:
                break
            try:
                work(_call(chat, claimed))
            except ClawgitError as error:
                store.fail(state, claimed, error.message, clock())
                troubles.append(f"{queue}: {error.message}")
            else:
                store.done(state, claimed)
                count += 1
    return Worked(count, tuple(troubles))


def take(workspace: Workspace, queue: str, tell: Callable[[Taken], None], clock: Clock) -> None:
    """Passes the next call of a queue to `tell`, or that none waits.

    After that it leaves the queue.
    """
    if work_off(workspace, queue, lambda call: tell(Taken(call)), clock, most=1).done == 0:
        tell(Taken(None))


def queues(workspace: Workspace) -> Queues:
    """All calls that wait. Reads only."""
    with workspace.state() as state:
        # A message that waits only for the judge, without a pattern, is not a call yet.
        waiting = (
            item
            for item in store.listed(state, workspace.now)
            if item.queue != VALIDATOR or item.told["triggers"] or item.aside
        )
        return Queues(_rows(workspace, waiting))


def let_go(workspace: Workspace, queue: str, gate: Callable[[Call], bool], now: datetime) -> None:
    """Drops the calls that the gate rejects."""
    # One by one: a thousand calls with all that was said before them would fill the memory.
    idle = [call.id for call in calls_waiting(workspace, queue, now) if not gate(call)]
    if idle:
        with workspace.state() as state:
            store.let_go(state, idle, now)


def settle(workspace: Workspace, ident: int, *, drop: bool = False) -> Queues:
    """Gives a call back to its queue as if it were new, or removes it unprocessed."""
    with workspace.state() as state:
        item = store.settle(state, ident, workspace.now, drop=drop, dry_run=workspace.dry_run)
    return Queues(_rows(workspace, [item]))


def start_worker(workspace: Workspace, *arguments: str) -> None:
    """Starts clawgit with these arguments, and does not wait for it."""
    null = subprocess.DEVNULL
    started = subprocess.Popen(
        own_program("-C", str(workspace.root), *arguments),
        cwd=workspace.root,
        env=dict(workspace.env),
        stdin=null,
        stdout=null,
        stderr=null,
        start_new_session=True,
    )
    # A long-lived process, as `serve` is, must collect its ended children: until then they are
    # zombies.
    _STARTED[:] = [*(process for process in _STARTED if process.poll() is None), started]


def calls_waiting(workspace: Workspace, queue: str, now: datetime) -> Iterator[Call]:
    """The calls of a queue that nothing works on, in their order. They stay in the queue."""
    with open_chat(workspace) as chat, workspace.state() as state:
        for item in store.listed(state, now):
            if item.queue == queue and not (item.aside or item.held):
                yield _call(chat, item)


def _call(chat: Chat, item: store.QueueItem) -> Call:
    payload = item.told
    # The copy in the queue is used if the chat no longer has the message.
    message = chat.local.get(payload["key"]) or _copy(payload["message"])
    triggers = tuple(Trigger(*told[:5]) for told in payload["triggers"] if told[4])
    before, confidence = _exchange_before(chat, message), payload["confidence"]
    return Call(message, triggers, before, confidence, item.id, item.queue)


def _copy(fields: Mapping[str, Any]) -> Message:
    # Masked again: it may have come to be known as a secret since.
    text, time = masked(fields["text"]), datetime.fromisoformat(fields["time"])
    return Message(**{**fields, "text": text, "time": time})


def _exchange_before(chat: Chat, message: Message) -> tuple[Message, ...]:
    """The last turns before a message, without tools; the agent's last one however far back."""
    before = MessageQuery(session=message.session, roles=SPOKEN, until=message.time, limit=_TURNS)
    turns = chat.find(before)
    if all(turn.role != ASSISTANT for turn in turns):
        turns = chat.find(before._replace(roles=(ASSISTANT,), limit=1)) + turns
    return tuple(turns)


def _rows(workspace: Workspace, items: Iterable[store.QueueItem]) -> tuple[WaitingCall, ...]:
    return tuple(
        WaitingCall(
            item.id, item.queue, item.since.astimezone(workspace.zone), item.tries, item.aside,
            item.held, item.trouble, item.told["message"]["session"], item.told["message"]["text"],
        )
        for item in items
    )  # fmt: skip
