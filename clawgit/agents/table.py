"""The agents by name; an agent's module is loaded when it runs."""

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

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
        module = importlib.import_module(f"clawgit.agents.{self.name.replace('-', '_')}")
        propose: Propose = module.propose
        return propose


def _named(*agents: Agent) -> Mapping[str, Agent]:
    return MappingProxyType({agent.name: agent for agent in agents})


AGENTS: Mapping[str, Agent] = _named(
    Agent(
        "memory-miner",
        "Saves what will matter later from conversations.",
        when="cron_memory_miner",
        hears=True,
    ),
    Agent(
        "recall-validator",
        "Corrects what was remembered wrongly.",
        queue="recall-validator",
    ),
    Agent(
        "soul-keeper",
        "Lets the soul grow, by evidence.",
        when="cron_soul_keeper",
        hears=True,
    ),
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
    Agent(
        "vector-hygiene",
        "Removes the vectors of corrected or stale text.",
        when="Sunday 03:30",
    ),
    Agent(
        "organizer",
        "Turns the notes into facts, and indexes them.",
        when="04:30",
        only="organizer",
    ),
    Agent("decay-engine", "Archives expired facts.", when="04:30", only="organizer"),
    Agent(
        "lesson-extractor",
        "Learns from what failed and then worked.",
        when="04:30",
        only="organizer",
    ),
)
"""All agents, in the order in which they are listed, and in which those of one time run."""
