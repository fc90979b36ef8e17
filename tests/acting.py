"""Agents of the tests' own, run by the real frame."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from clawgit.agents import Agent
from clawgit.agents.contract import ChangeSet, Draft, Propose, Proposed, Snapshot, Step
from clawgit.agents.frame.agents import run_agent
from clawgit.agents.frame.runs import AgentRun
from clawgit.run.heartbeat import Clock
from clawgit.workspace.workspace import Workspace
from tests.chatting import opened
from tests.conftest import NOW, Git, program
from tests.trusting import accept_settings

NAME = "memory-miner"
EVIDENCE = ("chat:main/m1",)


@dataclass(frozen=True, slots=True)
class Said:
    """What a model is asked for."""

    answer: str


class Acting(Agent):
    """An agent that does what it is told: `acts` is its propose."""

    __slots__ = ()

    @property
    def propose(self) -> Propose:
        return _ACTS[self.name]


_ACTS: dict[str, Propose] = {}


def run(
    workspace: Workspace, act: Propose, clock: Clock = lambda: NOW, **given: object
) -> AgentRun:
    """One run of an agent that does `act`; `hears` and `queue` say what it gets."""
    _ACTS[NAME] = act
    hears, queue = bool(given.pop("hears", False)), str(given.pop("queue", ""))
    agent = Acting(NAME, "acts", hears=hears, queue=queue)
    return run_agent(workspace, NAME, clock=clock, agents={NAME: agent}, **given)  # type: ignore[arg-type]


def step(draft: Draft, summary: str = "note it", path: str = "MEMORY.md", **fields: object) -> Step:
    """A step of all that a draft was edited by since the last."""
    told = {"verb": "mine", "reason": "It was said.", "evidence": EVIDENCE, **fields}
    proposed = (Proposed(path, "added", summary, EVIDENCE),)
    edits = draft.edits
    # The next step of the draft starts from there.
    draft.__init__({**draft})  # type: ignore[misc]
    return Step(summary=summary, edits=edits, proposed=proposed, **told)  # type: ignore[arg-type]


def noting(text: str, path: str = "MEMORY.md", **fields: object) -> Callable[[Snapshot], ChangeSet]:
    """An agent that sees to it that an entry stands in a file."""

    def act(seen: Snapshot) -> ChangeSet:
        draft = Draft(seen.files)
        if text in draft.read(path):
            return ChangeSet()
        note(draft, seen, text, path)
        return ChangeSet((step(draft, f"note {text}", path, **fields),))

    return act


def note(draft: Draft, seen: Snapshot, text: str, path: str = "MEMORY.md") -> None:
    ident = seen.fresh_id(text, draft.read(path))
    draft.put(path, f"{draft.read(path)}- {text} #event <!-- claw:{ident} ev={EVIDENCE[0]} -->\n")


def dying_at(times: int) -> Clock:
    """A clock that is asked for the last time then: what asks it ends there, as if it was
    killed."""
    left = times

    def clock() -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise KilledError
        return NOW + timedelta(seconds=times - left)

    return clock  # type: ignore[return-value]


def configured(ws: Git, *settings: str) -> Workspace:
    """A workspace whose settings the operator has accepted."""
    ws.write("CONFIG.md", "\n".join(("```yaml", *settings, "```\n")))
    accept_settings(ws.root)
    ws.commit_all("settings")
    return opened(ws.root)


def modelled(ws: Git, answer: object, *settings: str) -> Workspace:
    """One whose model is a program that always answers so; `asked` beside it has each prompt."""
    folder = ws.root.parent
    body = f"cat >> {folder}/asked\ncat <<'E'\n{json.dumps(answer)}\nE"
    model = program(folder / "model", body)
    return configured(ws, f"llm_model: 'command:{model}'", *settings)


class KilledError(BaseException):
    """No part of clawgit catches it."""
