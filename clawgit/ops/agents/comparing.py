"""`agent compare`: what an agent would write by its judges alone, and with a language model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from clawgit.agents import AGENTS, Agent
from clawgit.agents.contract import Call, Proposed, Skipped, Snapshot
from clawgit.domain.conversation.chat import USER, Message
from clawgit.domain.conversation.triage import surest, triage
from clawgit.domain.extraction.speaker import is_private
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.ops.agents.agents import brought, proposal
from clawgit.ops.agents.model import mind_of
from clawgit.ops.agents.snapshot import TreeFiles, files_now, nearness
from clawgit.ops.agents.steps import real_steps, refuse_unfounded
from clawgit.ops.change.history import revision
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.conversation.queue import Clock, exchange_before
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.workspace.layers import templates_of_layers
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.chat.protocol import SPOKEN, MessageQuery
from clawgit.stores.llm.contract import Used

DAYS = 7
Would = Proposed
"""The results of one of the two."""

_MOST_DAYS = 366
_MOST_CALLS = 60
"""How many of the newest messages the Recall Validator is called for."""


class ComparedSide(NamedTuple):
    """What one of the two would write, what it would skip and why, and its notes."""

    proposed: tuple[Proposed, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


class ComparedRow(NamedTuple):
    """What both write from the same evidence; null for one that writes nothing.

    `same`: they are identical.
    """

    evidence: str
    judges: Would | None
    model: Would | None
    same: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """Both results. Nothing was written, but the model's tokens were counted.

    `base` is the commit that both started from, "" for the files as they are.
    """

    agent: str
    since: datetime
    until: datetime
    base: str
    heard: int
    judges: ComparedSide
    model: ComparedSide
    rows: tuple[ComparedRow, ...]
    used: Used


def compare(workspace: Workspace, name: str, *, clock: Clock, days: int = DAYS) -> Compared:
    """Runs an agent twice over the operator's last days, and writes nothing.

    It starts from memory as it was before those days.
    """
    agent = AGENTS.get(name)
    if agent is None:
        raise UsageError(f"There is no agent {name!r}.", hint=f"One of: {', '.join(AGENTS)}.")
    if not 0 < days <= _MOST_DAYS:
        raise UsageError(
            f"--days must be from 1 to {_MOST_DAYS}.", hint=f"clawgit agent compare {name} --days 7"
        )
    until = clock().astimezone(workspace.zone)
    since = until - timedelta(days=days)
    run = runs.new_run()
    with state_of(workspace, clock()) as state:
        mind = mind_of(workspace, state, run, clock, name)
        if mind is None:
            raise NotFoundError(
                "No language model is set, so there is nothing to compare with.",
                hint=_hint(workspace),
            )
        seen = _seen(workspace, agent, since, until, run)
        by_judges = _side(agent, seen)
        by_model = _side(agent, seen._replace(mind=mind))
    heard = len(seen.calls) if agent.queue else len(seen.messages)
    rows = tuple(_paired(by_judges.proposed, by_model.proposed))
    return Compared(name, since, until, seen.head, heard, by_judges, by_model, rows, mind.used)


def _hint(workspace: Workspace) -> str:
    if any(setting.key == "llm_model" for setting in workspace.config.pending):
        return "llm_model waits for the operator: clawgit trust llm_model"
    return "clawgit config set llm_model 'command:claude -p', or ollama:…, anthropic:…, openai:…"


def _seen(
    workspace: Workspace, agent: Agent, since: datetime, until: datetime, run: str
) -> Snapshot:
    """What both are shown. An agent that reads messages starts from memory as it was before them:
    today's holds it all already.
    """
    seen = Snapshot(
        until,
        workspace.config.settings,
        files_now(workspace),
        run=run,
        nearness=nearness(workspace),
        layers=templates_of_layers(),
        tried=brought(workspace, agent.name, MappingProxyType({})),
        doubted=doubted(workspace),
    )
    if not (agent.hears or agent.queue):
        return seen
    if base := _commit_before(workspace, since):
        seen = seen._replace(files=TreeFiles(workspace.git, base), head=base)
    with open_chat(workspace) as chat:
        messages = chat.store.find(MessageQuery(since=since))
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
        if triggers or acts(message.text).corrects >= thresholds().corrects_pass:
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
    steps = real_steps(wanted)
    refuse_unfounded(agent.name, steps)
    proposed = tuple(change for step in steps for change in step.proposed)
    return ComparedSide(
        proposed, tuple(dict.fromkeys(wanted.skipped)), tuple(dict.fromkeys(wanted.notes))
    )


def _paired(judges: Sequence[Proposed], model: Sequence[Proposed]) -> Iterator[ComparedRow]:
    """Pairs changes with common evidence, in the judges' order; the model's others come last."""
    left = [*model]
    for mine in judges:
        theirs = next((change for change in left if _may_pair(mine, change)), None)
        if theirs is None:
            yield ComparedRow(_cited(mine), mine, None, same=False)
            continue
        left.remove(theirs)
        yield ComparedRow(_cited(mine), mine, theirs, same=_words_of(mine) == _words_of(theirs))
    for theirs in left:
        yield ComparedRow(_cited(theirs), None, theirs, same=False)


def _words_of(change: Proposed) -> tuple[str, str, str]:
    return change.path, change.kind, change.summary


def _may_pair(mine: Proposed, theirs: Proposed) -> bool:
    return bool({*mine.evidence} & {*theirs.evidence})


def _cited(change: Proposed) -> str:
    return change.evidence[0] if change.evidence else ""
