"""What speaks to a model, whichever it is, and how it says that there is no answer."""

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

COMMAND = "command:"
"""How `llm_model` begins where it names a program."""


class Limits(NamedTuple):
    """Seconds that one request may take, requests of one question, the longest pause between them,
    and the longest answer in characters. `wait` sleeps.
    """

    seconds: float = 120
    requests: int = 3
    pause: float = 20
    longest: int = 400_000
    wait: Callable[[float], None] = time.sleep


class Question(NamedTuple):
    """What a model is asked: our words, the fenced texts of others, and the shape of the answer as
    JSON Schema.
    """

    instructions: str
    quoted: str
    schema: Mapping[str, Any]


class Said(NamedTuple):
    """An answer as it came: a text with JSON in it, and the tokens of both ways where the model
    tells them.
    """

    text: str
    tokens: int | None = None


class Used(NamedTuple):
    """What the language model did for a run; its name is "" where none is set."""

    model: str = ""
    tokens: int = 0
    calls: int = 0


class UnansweredError(Exception):
    """No answer, in words. `again` says that the same may be asked once more, after `pause`
    seconds; `gone` that no other question will be answered either.
    """

    def __init__(
        self,
        words: str,
        hint: str = "",
        *,
        again: bool = False,
        gone: bool = False,
        pause: float = 0,
        tokens: int = 0,
    ) -> None:
        super().__init__(words)
        self.words, self.hint, self.again, self.gone, self.pause, self.tokens = (
            words,
            hint,
            again,
            gone,
            pause,
            tokens,
        )


class Speaker(Protocol):
    """One way to a model."""

    def say(self, question: Question) -> Said:
        """UnansweredError where there is no answer."""


def label(name: str) -> str:
    """A command by its program alone: its arguments may hold a key."""
    if not name.startswith(COMMAND):
        return name
    return COMMAND + next(iter(name.removeprefix(COMMAND).split()), "")
