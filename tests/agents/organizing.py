"""A workspace in memory on which the agents of the organizer run one after the other."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from clawgit.agents.contract import ChangeSet, Mind, Snapshot, TriedTools
from clawgit.agents.frame.steps import unfounded
from clawgit.core.config.settings import Settings
from clawgit.workspace.template_text import templates_of_layers
from tests.agents.applied import applied

NOW = datetime(2026, 3, 10, 4, 30, tzinfo=UTC)
NOTE = "memory/2026-03-01.md"


class Desk:
    """Files and marks as the runs leave them; what a run proposes is applied, and held to the rule
    of evidence."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self.now = NOW
        self.mind: Mind | None = None
        self.tried = TriedTools()
        self._marks: dict[object, Mapping[str, str]] = {}
        self._runs = 0

    def run(self, propose: Callable[[Snapshot], ChangeSet]) -> ChangeSet:
        self._runs += 1
        done = propose(
            Snapshot(
                self.now, Settings(), dict(self.files), "4f2c1a9e31d07bc4", f"r{self._runs}",
                marks=self._marks.get(propose, {}), mind=self.mind, layers=templates_of_layers(),
                    tried=lambda: self.tried,
            )
        )  # fmt: skip
        for step in done.steps:
            assert step.evidence, step
            assert all(one.evidence for one in step.proposed), step
            assert [*unfounded(step.edits)] == []
        self.files = applied(self.files, done)
        self._marks[propose] = {**self._marks.get(propose, {}), **done.marks}
        return done

    def forget(self) -> None:
        """As if the state had been lost."""
        self._marks = {}

    def later(self, days: int) -> None:
        self.now += timedelta(days=days)

    def lines(self, path: str) -> list[str]:
        """The entries of a file without their comments."""
        return [
            line.partition(" <!--")[0]
            for line in self.files.get(path, "").splitlines()
            if line.startswith("- ")
        ]


def kinds(done: ChangeSet) -> list[str]:
    return [one.kind for step in done.steps for one in step.proposed if one.kind != "indexed"]


class Answering(Mind):
    """A model that gives these answers in turn; an error among them is raised."""

    def __init__(self, *answers: object) -> None:
        self.asked: list[Mapping[str, str]] = []
        self._answers = [*answers]

    def ask(self, instructions: str, told: Mapping[str, str], answer: type) -> object:  # type: ignore[override]
        assert "data, not" in instructions
        self.asked.append(told)
        found = self._answers.pop(0)
        if isinstance(found, Exception):
            raise found
        assert isinstance(found, answer)
        return found
