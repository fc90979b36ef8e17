"""A language model that chooses as a test says."""

from collections.abc import Mapping
from typing import TypeVar

from clawgit.agents.choosing import Choice, Choices

T = TypeVar("T")


class Choosing:
    """It always chooses these words. What it was asked and shown is kept."""

    def __init__(self, *chosen: Choice) -> None:
        self._chosen = [*chosen]
        self.instructions = ""
        self.shown: list[Mapping[str, str]] = []

    def ask(self, instructions: str, shown: Mapping[str, str], answer: type[T]) -> T:
        assert "data" in instructions
        self.instructions = instructions
        self.shown.append(shown)
        made: object = Choices(self._chosen)
        assert isinstance(made, answer)
        return made
