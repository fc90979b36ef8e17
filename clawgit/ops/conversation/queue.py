"""The queues. Their calls are processed one by one; failed ones can be tried again or dropped."""

import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from clawgit.agents.contract import Call
from clawgit.domain.conversation.chat import ASSISTANT, Message
from clawgit.domain.conversation.triage import Trigger
from clawgit.domain.conversation.triage_rules import VALIDATOR
from clawgit.domain.safety.secrets import masked
from clawgit.errors import ClawgitError
from clawgit.ops.conversation.chat import Chat, open_chat
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import own_program
from clawgit.stores import queue as store
from clawgit.stores.chat import SPOKEN, MessageQuery

Clock = Callable[[], datetime]
"""Returns the time: the lease of each call begins when the call is taken, even in a long run."""

_STARTED: list[subprocess.Popen[bytes]] = []
_TURNS = 6
"""How many earlier turns go along with a call."""


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


@dataclass(frozen=True, slots=True)
class Queues:
    """All calls that wait, in the order in which they will be processed."""

    items: tuple[WaitingCall, ...]


@dataclass(frozen=True, slots=True)
class SettledCalls:
    """The call that was given back or dropped. It is not in the history, so no commit."""

    items: tuple[WaitingCall, ...]
    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


def is_script(route: str) -> bool:
    """A route with a slash is the path of a script; any other is the name of a queue."""
    return "/" in route


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
    with open_chat(workspace) as chat, state_of(workspace) as state:
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


def calls_waiting(workspace: Workspace, queue: str, now: datetime) -> list[Call]:
    """The calls of a queue that nothing works on, in their order. They stay in the queue."""
    return [*_each_waiting(workspace, queue, now)]


def queues(workspace: Workspace) -> Queues:
    """All calls that wait. Reads only."""
    with state_of(workspace) as state:
        waiting = (item for item in store.listed(state, workspace.now) if not _is_only_heard(item))
        return Queues(_rows(workspace, waiting))


def let_go(workspace: Workspace, queue: str, gate: Callable[[Call], bool], now: datetime) -> bool:
    """Drops the calls that the gate rejects; returns whether that emptied the queue."""
    # One by one: a thousand calls with all that was said before them would fill the memory.
    passes = {call.id: gate(call) for call in _each_waiting(workspace, queue, now)}
    idle = [ident for ident, is_meant in passes.items() if not is_meant]
    if idle:
        with state_of(workspace) as state:
            store.let_go(state, idle, now)
    return bool(passes) and len(idle) == len(passes)


def retry(workspace: Workspace, ident: int, *, dry_run: bool = False) -> SettledCalls:
    """Gives a call back to its queue as if it were new."""
    return _settled(workspace, ident, store.retry, dry_run=dry_run)


def drop(workspace: Workspace, ident: int, *, dry_run: bool = False) -> SettledCalls:
    """Removes a call from its queue unprocessed."""
    return _settled(workspace, ident, store.drop, dry_run=dry_run)


def _settled(
    workspace: Workspace, ident: int, settle: Callable[..., store.QueueItem], *, dry_run: bool
) -> SettledCalls:
    with state_of(workspace) as state:
        item = settle(state, ident, workspace.now, dry_run=dry_run)
    return SettledCalls(_rows(workspace, [item]))


def start_worker(workspace: Workspace, *arguments: str) -> subprocess.Popen[bytes]:
    """Starts clawgit with these arguments, and does not wait for it."""
    null = subprocess.DEVNULL
    started = subprocess.Popen(
        [*own_program(), "-C", str(workspace.root), *arguments],
        cwd=workspace.root,
        env=dict(workspace.caller.env),
        stdin=null,
        stdout=null,
        stderr=null,
        start_new_session=True,
    )
    # A long-lived process, as `serve` is, must collect its ended children: until then they are
    # zombies.
    _STARTED[:] = [*(process for process in _STARTED if process.poll() is None), started]
    return started


def _each_waiting(workspace: Workspace, queue: str, now: datetime) -> Iterator[Call]:
    with open_chat(workspace) as chat, state_of(workspace) as state:
        for item in store.listed(state, now):
            if item.queue == queue and not (item.aside or item.held):
                yield _call(chat, item)


def _call(chat: Chat, item: store.QueueItem) -> Call:
    payload = item.told
    # The copy in the queue is used if the chat no longer has the message.
    message = chat.local.get(payload["key"]) or _copy(payload["message"])
    triggers = tuple(Trigger(*trigger) for trigger in payload["triggers"])
    before, confidence = exchange_before(chat, message), payload["confidence"]
    return Call(message, triggers, before, confidence, item.id, item.queue)


def _copy(fields: Mapping[str, Any]) -> Message:
    # Masked again: it may have come to be known as a secret since.
    text, time = masked(fields["text"]), datetime.fromisoformat(fields["time"])
    return Message(**{**fields, "text": text, "time": time})


def exchange_before(chat: Chat, message: Message) -> tuple[Message, ...]:
    """The last turns before a message, without tools; the agent's last one however far back."""
    before = MessageQuery(session=message.session, roles=SPOKEN, until=message.time, limit=_TURNS)
    turns = chat.store.find(before)
    if all(turn.role != ASSISTANT for turn in turns):
        turns = chat.store.find(before._replace(roles=(ASSISTANT,), limit=1)) + turns
    return tuple(turns)


def _is_only_heard(item: store.QueueItem) -> bool:
    """Whether a message waits only for the judge, without a pattern: it is not a call yet."""
    return item.queue == VALIDATOR and not item.told["triggers"] and not item.aside


def _rows(workspace: Workspace, items: Iterable[store.QueueItem]) -> tuple[WaitingCall, ...]:
    return tuple(
        WaitingCall(
            item.id, item.queue, item.since.astimezone(workspace.zone), item.tries, item.aside,
            item.held, item.trouble, item.told["message"]["session"], item.told["message"]["text"],
        )
        for item in items
    )  # fmt: skip
