"""The agents by name; an agent's module is loaded when it runs.

To add one: a module of its name with `propose` (see `contract.py`), a row in `AGENTS`, and one in
`git/rules/actors.py`. If it runs by the clock, a row in `run/schedule.py`; if it asks a model, its
prompt in `templates/agents/`; if it needs what only an action can do, a row in
`agents/frame/agents.py`.
"""

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
        "memory-miner",
        "Memory Miner",
        "Saves what will matter later from conversations.",
        hears=True,
    ),
    Agent(
        "recall-validator",
        "Recall Validator",
        "Corrects what was remembered wrongly.",
        queue="recall-validator",
    ),
    Agent("soul-keeper", "Soul Keeper", "Lets the soul grow, by evidence.", hears=True),
    Agent("conflict-detector", "Conflict Detector", "Finds entries that contradict each other."),
    Agent("memory-compactor", "Memory Compactor", "Sums up old days, and removes faint entries."),
    Agent("vector-hygiene", "Vector Hygiene", "Removes the vectors of corrected or stale text."),
    Agent("organizer", "Organizer", "Turns the notes into facts, and indexes them."),
    Agent("decay-engine", "Decay Engine", "Archives expired facts."),
    Agent("lesson-extractor", "Lesson Extractor", "Learns from what failed and then worked."),
)
"""All agents, in the order in which they are listed."""
