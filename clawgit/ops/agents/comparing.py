"""`agent compare`: what an agent would write of the last days by its judges alone, and what with
the language model.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from clawgit.agents import AGENTS, Agent
from clawgit.agents.contract import Call, Mind, Nearness, Proposed, Skipped, Snapshot
from clawgit.domain.conversation.chat import USER, Message
from clawgit.domain.conversation.triage import surest, triage
from clawgit.domain.extraction.speaker import is_private
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.agents.agents import brought, proposal, unshown
from clawgit.ops.agents.model import mind_of
from clawgit.ops.agents.snapshot import TreeFiles, files_now, nearness
from clawgit.ops.agents.steps import real_steps, refuse_unfounded
from clawgit.ops.change.history import revision
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.conversation.queue import Clock, exchange_before
from clawgit.ops.workspace.layers import templates_of_layers
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import runs
from clawgit.stores.chat.protocol import SPOKEN, Wanted
from clawgit.stores.llm.contract import Used
from clawgit.stores.state import repository_state

DAYS = 7
Would = Proposed
"""What one of the two would do."""

_MOST_DAYS = 366
_MOST_CALLS = 60
"""Messages that the Recall Validator is called for here; of more, the newest."""


class Side(NamedTuple):
    """What one of the two would write, what it would leave and why, and what it says of itself."""

    proposed: tuple[Proposed, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


class Row(NamedTuple):
    """What both make of the same evidence; null where one of them makes nothing of it. `same`:
    letter by letter.
    """

    evidence: str
    judges: Would | None
    model: Would | None
    same: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """Nothing of it was written; only the tokens of the model are counted. `base` is the commit
    that both began from, "" where it was the files as they are.
    """

    agent: str
    since: datetime
    until: datetime
    base: str
    heard: int
    judges: Side
    model: Side
    rows: tuple[Row, ...]
    used: Used


class _Scene(NamedTuple):
    """What both are shown."""

    files: TreeFiles
    base: str = ""
    messages: tuple[Message, ...] = ()
    calls: tuple[Call, ...] = ()
    near: Nearness | None = None


def compare(workspace: Workspace, name: str, *, clock: Clock, days: int = DAYS) -> Compared:
    """Runs an agent twice over the operator's own last days, from memory as it was before them, and
    writes nothing.
    """
    agent = AGENTS.get(name)
    if agent is None:
        raise UsageError(f"There is no agent {name!r}.", hint=f"One of: {', '.join(AGENTS)}.")
    if not 0 < days <= _MOST_DAYS:
        raise UsageError(
            f"--days must be from 1 to {_MOST_DAYS}.", hint=f"clawgit agent compare {name} --days 7"
        )
    until = clock().astimezone(workspace.zone) if workspace.zone else clock()
    since = until - timedelta(days=days)
    caller, run = workspace.caller, runs.new_run()
    with repository_state(workspace.place, caller.env, caller.home, clock()) as state:
        mind = mind_of(workspace, state, run, clock, name)
        if mind is None:
            raise NotFoundError(
                "No language model is set, so there is nothing to compare with.",
                hint=_hint(workspace),
            )
        scene = _scene(workspace, agent, since)._replace(near=nearness(workspace))
        by_judges = _side(agent, partial(_seen, workspace, agent, scene, until, run, None))
        by_model = _side(agent, partial(_seen, workspace, agent, scene, until, run, mind))
        by_model = by_model._replace(
            skipped=tuple(dict.fromkeys((*by_model.skipped, *unshown(mind))))
        )
    heard = len(scene.calls) if agent.queue else len(scene.messages)
    rows = tuple(_paired(by_judges.proposed, by_model.proposed))
    return Compared(name, since, until, scene.base, heard, by_judges, by_model, rows, mind.used)


def _hint(workspace: Workspace) -> str:
    if any(one.key == "llm_model" for one in workspace.config.pending):
        return "llm_model waits for the operator: clawgit trust llm_model"
    return "clawgit config set llm_model 'command:claude -p', or ollama:…, anthropic:…, openai:…"


def _scene(workspace: Workspace, agent: Agent, since: datetime) -> _Scene:
    """Who hears begins from memory as it was before: else all would be known already."""
    if not (agent.hears or agent.queue):
        return _Scene(files_now(workspace))
    base = _commit_before(workspace, since)
    files = TreeFiles(workspace.git, base) if base else files_now(workspace)
    with open_chat(workspace) as chat:
        spoken = [one for one in chat.store.find(Wanted(since=since)) if one.role in SPOKEN]
        if agent.hears:
            return _Scene(files, base, tuple(spoken))
        own = [one for one in spoken if one.role == USER and is_private(one.session)]
        return _Scene(
            files, base, calls=tuple(_calls(agent.queue, own, partial(exchange_before, chat)))
        )


def _calls(
    queue: str, messages: Sequence[Message], before: Callable[[Message], tuple[Message, ...]]
) -> Iterator[Call]:
    """Those that a pattern calls the agent for, or in which its judge hears something set right."""
    from clawgit.judges.acts import acts  # noqa: PLC0415 - weights, for one agent
    from clawgit.judges.thresholds import thresholds  # noqa: PLC0415

    found = []
    for message in messages:
        triggers = tuple(one for one in triage(message.text) if one.route == queue)
        if triggers or acts(message.text).corrects >= thresholds().corrects_pass:
            found.append((message, triggers))
    for message, triggers in found[-_MOST_CALLS:]:
        yield Call(message, triggers, before(message), surest(triggers))


def _commit_before(workspace: Workspace, since: datetime) -> str:
    """The last commit before that time; in a younger history its first one, "" without any."""
    try:
        return revision(workspace, since.isoformat(timespec="seconds"))
    except ClawgitError:
        roots = workspace.cgit.text("rev-list", "--max-parents=0", "HEAD", ok=(0, 128)).split()
        return roots[-1] if roots else ""


def _seen(
    workspace: Workspace, agent: Agent, scene: _Scene, until: datetime, run: str, mind: Mind | None
) -> Snapshot:  # fmt: skip
    return Snapshot(
        until, workspace.config.settings, scene.files, scene.base, run, scene.messages, scene.calls,
            mind=mind,
        nearness=scene.near, layers=templates_of_layers(),
        tried=brought(workspace, agent.name, MappingProxyType({})),
    )  # fmt: skip


def _side(agent: Agent, seen: Callable[[], Snapshot]) -> Side:
    wanted = proposal(agent.propose, seen())
    steps = real_steps(wanted)
    refuse_unfounded(agent.name, steps)
    proposed = tuple(one for step in steps for one in step.proposed)
    return Side(proposed, tuple(dict.fromkeys(wanted.skipped)), tuple(dict.fromkeys(wanted.notes)))


def _paired(judges: Sequence[Proposed], model: Sequence[Proposed]) -> Iterator[Row]:
    """By what they rest on, in the order of the judges; what the model alone has comes last."""
    left = [*model]
    for one in judges:
        other = next((each for each in left if _may_pair(one, each)), None)
        if other is not None:
            left.remove(other)
        same = other is not None and (one.path, one.kind, one.summary) == (
            other.path,
            other.kind,
            other.summary,
        )
        yield Row(_cited(one), one, other, same)
    for other in left:
        yield Row(_cited(other), None, other, same=False)


def _may_pair(one: Proposed, other: Proposed) -> bool:
    return bool({*one.evidence} & {*other.evidence})


def _cited(one: Proposed) -> str:
    return one.evidence[0] if one.evidence else ""
