"""Agents: each is one pure function, `propose(Snapshot) -> ChangeSet`, in a file of its name.

All files are shaped alike: what the agent is for; its limits, and its question to a model; then
`propose`, which reads the snapshot, drafts, and has `Draft.step` make the commit with the words of
its log; below it, what that takes. To add one, copy `vector_hygiene.py` if it only tells,
`decay_engine.py` if it moves lines, and add a row to `_IN_ORDER`: its name, what it does, when it
runs. It may have a role, which a model that it asks reads first, in
`templates/agents/NAME/SOUL.md`; if it needs what only an action can do, it has a row of `EXTRAS` in
`frame/agents.py`.

An agent is a rule, which every room may call; its `frame` is called by `run`, `front`,
`memory/editing.py` and commands.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple

if TYPE_CHECKING:
    from clawgit.agents.contract import Propose


class Agent(NamedTuple):
    """One agent, with what it `does` in a line.

    `when` it runs is a time or the setting that says one; without it the agent runs on demand.
    `only`: it runs by the clock where this setting is on. `hears`: it reads the messages since its
    last run. It is called for each item of its `queue`.
    """

    name: str
    does: str
    when: str = ""
    only: str = ""
    hears: bool = False
    queue: str = ""

    @property
    def propose(self) -> "Propose":
        name = f"clawgit.agents.{self.name.replace('-', '_')}"
        propose: Propose = __import__(name, fromlist=["propose"]).propose
        return propose


_IN_ORDER = (
    Agent(
        "memory-miner",
        "Saves what will matter later from conversations.",
        when="cron_memory_miner",
        hears=True,
    ),
    Agent("recall-validator", "Corrects what was remembered wrongly.", queue="recall-validator"),
    Agent("soul-keeper", "Lets the soul grow, by evidence.", when="cron_soul_keeper", hears=True),
    Agent(
        "conflict-detector",
        "Finds entries that contradict each other.",
        when="cron_conflict_detector",
    ),
    Agent(
        "memory-compactor",
        "Sums up old days, and removes faint entries.",
        when="cron_compactor_weekly",
    ),
    Agent("vector-hygiene", "Removes the vectors of corrected or stale text.", when="Sunday 03:30"),
    Agent(
        "organizer", "Turns the notes into facts, and indexes them.", when="04:30", only="organizer"
    ),
    Agent("decay-engine", "Archives expired facts.", when="04:30", only="organizer"),
    Agent(
        "lesson-extractor",
        "Learns from what failed and then worked.",
        when="04:30",
        only="organizer",
    ),
)

AGENTS: Mapping[str, Agent] = MappingProxyType({agent.name: agent for agent in _IN_ORDER})
"""All agents, in the order in which they are listed, and in which those of one time run."""
