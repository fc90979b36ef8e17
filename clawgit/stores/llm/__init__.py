"""The language model, if the operator has named one; without it, rules are used."""

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

COMMAND = "command:"
"""How `llm_model` begins if it names a program."""


_LONGEST_WORDS = 200


class ModelLimits(NamedTuple):
    """Seconds of one request, requests of one question, seconds between them, answer's length.

    The `longest` answer is in characters. `wait` sleeps.
    """

    seconds: float = 120
    requests: int = 3
    pause: float = 20
    longest: int = 400_000
    wait: Callable[[float], None] = time.sleep


class Question(NamedTuple):
    """What a model is asked: our instructions, the fenced texts of others, the answer's schema."""

    instructions: str
    quoted: str
    schema: Mapping[str, Any]


class ModelAnswer(NamedTuple):
    """An answer as it came: a text with JSON in it, and the tokens if the model counts them."""

    text: str
    tokens: int | None = None


class Used(NamedTuple):
    """What the language model did for a run; its name is "" if none is set."""

    model: str = ""
    tokens: int = 0
    calls: int = 0


class UnansweredError(Exception):
    """No answer, and why. `again`: the same may be asked once more, after `pause` seconds.

    `gone`: no other question will be answered either.
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
        self.words, self.hint, self.again, self.gone = words, hint, again, gone
        self.pause, self.tokens = pause, tokens


def label(name: str) -> str:
    """The name of a model to show; of a command only the program, since arguments may have a
    key.
    """
    if not name.startswith(COMMAND):
        return name
    return COMMAND + next(iter(name.removeprefix(COMMAND).split()), "")


def brief(error: Exception) -> str:
    """What an error says, on one line of bounded length."""
    return " ".join(str(error).split())[:_LONGEST_WORDS]
