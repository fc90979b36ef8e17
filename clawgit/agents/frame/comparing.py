"""`agent compare`: what an agent would write by its judges alone, and with a language model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from clawgit.agents import AGENTS, Agent
from clawgit.agents.contract import Call, Proposed, Skipped, Snapshot
from clawgit.agents.frame.agents import proposal, snapshot_of
from clawgit.agents.frame.runs import mind_of
from clawgit.agents.frame.snapshot import TreeFiles, files_now
from clawgit.agents.llm import Used
from clawgit.core.errors import ClawgitError, NotFoundError, UsageError
from clawgit.history.log import revision
from clawgit.language.judges.judging import acts
from clawgit.run.heartbeat import Clock, exchange_before
from clawgit.talk.chat import open_chat
from clawgit.talk.rules.chat import USER, Message
from clawgit.talk.rules.deciding import LEAST
from clawgit.talk.rules.kept_line import is_private
from clawgit.talk.rules.triage import surest, triage
from clawgit.talk.stores.chat import SPOKEN, MessageQuery
from clawgit.workspace.stores import runs
from clawgit.workspace.workspace import Workspace

DAYS = 7
_MOST_CALLS = 60
"""How many of the newest messages the Recall Validator is called for."""


class ComparedSide(NamedTuple):
    """What one of the two would write, what it would skip and why, and its notes."""

    proposed: tuple[Proposed, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Both results. Nothing was written, but the model's tokens were counted.

    `base` is the commit that both started from, "" for the files as they are; `same` counts the
    changes that are identical.
    """

    agent: str
    since: datetime
    until: datetime
    base: str
    heard: int
    judges: ComparedSide
    model: ComparedSide
    same: int
    used: Used


def compare(workspace: Workspace, name: str, *, clock: Clock, days: int = DAYS) -> Compared:
    """Runs an agent twice over the operator's last days, and writes nothing.

    It starts from memory as it was before those days.
    """
    agent = AGENTS.get(name)
    if agent is None:
        raise UsageError(f"There is no agent {name!r}.", hint=f"One of: {', '.join(AGENTS)}.")
    until = clock().astimezone(workspace.zone)
    since = until - timedelta(days=days)
    run = runs.new_run()
    with workspace.state(clock()) as state:
        mind = mind_of(workspace, state, run, clock, name)
        if mind is None:
            raise NotFoundError(
                "No language model is set, so there is nothing to compare with.",
                hint="clawgit config set llm_model 'command:claude -p', then clawgit trust",
            )
        seen = _seen(workspace, agent, since, until, run)
        by_judges = _side(agent, seen)
        by_model = _side(agent, seen._replace(mind=mind))
    heard = len(seen.calls or seen.messages)
    same = len({each[:3] for each in by_judges.proposed} & {e[:3] for e in by_model.proposed})
    return Compared(name, since, until, seen.head, heard, by_judges, by_model, same, mind.used)


def _seen(
    workspace: Workspace, agent: Agent, since: datetime, until: datetime, run: str
) -> Snapshot:
    """What both are shown. An agent that reads messages starts from memory as it was before them:
    today's holds it all already.
    """
    seen = snapshot_of(workspace, files_now(workspace), run, until, {})
    if not (agent.hears or agent.queue):
        return seen
    if base := _commit_before(workspace, since):
        seen = seen._replace(files=TreeFiles(workspace.git, base), head=base)
    with open_chat(workspace) as chat:
        messages = chat.find(MessageQuery(since=since))
        spoken = tuple(message for message in messages if message.role in SPOKEN)
        if agent.hears:
            return seen._replace(messages=spoken)
        calls = _calls(agent.queue, spoken, partial(exchange_before, chat))
        return seen._replace(calls=tuple(calls))


def _calls(
    queue: str, messages: Sequence[Message], before: Callable[[Message], tuple[Message, ...]]
) -> Iterator[Call]:
    """The operator's messages that a pattern or the judge calls the agent for."""
    called = []
    for message in filter(_is_own, messages):
        triggers = tuple(trigger for trigger in triage(message.text) if trigger.route == queue)
        if triggers or acts(message.text).corrects >= LEAST:
            called.append((message, triggers))
    for message, triggers in called[-_MOST_CALLS:]:
        yield Call(message, triggers, before(message), surest(triggers))


def _is_own(message: Message) -> bool:
    return message.role == USER and is_private(message.session)


def _commit_before(workspace: Workspace, since: datetime) -> str:
    """The last commit before that time, else the first commit of all; "" if there is none."""
    try:
        return revision(workspace, since.isoformat(timespec="seconds"))
    except ClawgitError:
        roots = workspace.cgit.text("rev-list", "--max-parents=0", "HEAD", ok=(0, 128)).split()
        return roots[-1] if roots else ""


def _side(agent: Agent, shown: Snapshot) -> ComparedSide:
    wanted = proposal(agent.propose, shown)
    skipped, notes = dict.fromkeys(wanted.skipped), dict.fromkeys(wanted.notes)
    return ComparedSide(wanted.proposed, tuple(skipped), tuple(notes))
