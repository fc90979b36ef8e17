"""The agents by name; an agent's module is loaded when it runs."""

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clawgit.agents.contract import Propose


class Agent(NamedTuple):
    """One agent, with what it `does` in a line.

    `hears`: it reads the messages since its last run. It is called for each item of its `queue`.
    """

    name: str
    title: str
    does: str
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
        "memory-miner", "Memory Miner", "Keeps what conversations say that will matter.", hears=True
    ),
    Agent(
        "recall-validator",
        "Recall Validator",
        "Puts right what was remembered wrong.",
        queue="recall-validator",
    ),
    Agent("soul-keeper", "Soul Keeper", "Lets the soul grow by what is proven.", hears=True),
    Agent("conflict-detector", "Conflict Detector", "Finds entries that contradict each other."),
    Agent(
        "memory-compactor", "Memory Compactor", "Tells old days again in short, and clears away."
    ),
    Agent(
        "vector-hygiene",
        "Vector Hygiene",
        "Lets go of vectors of corrected or forgotten text.",
    ),
    Agent(
        "organizer",
        "Organizer",
        "Makes facts of what the notes say, and an index.",
    ),
    Agent(
        "decay-engine", "Decay Engine", "Archives facts that have run out; sums them up as lessons."
    ),
    Agent(
        "lesson-extractor",
        "Lesson Extractor",
        "Learns from what failed and then worked.",
    ),
)
"""All agents, in the order in which they are listed."""
