"""The language model, if the operator has named one; without it, rules are used.

Every call is stored in `state.db`: question, answer and cost. The meter reads it.
"""

import sqlite3
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from clawgit.stores.state import State

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


_KEPT = timedelta(days=14)
_LONGEST = 40_000
"""How many characters of a prompt, or of an answer, are stored."""


class ModelCall(NamedTuple):
    """One request to a model.

    `tokens` are those of question and answer, estimated if the model did not count.
    """

    time: datetime
    model: str
    prompt: str
    answer: str
    tokens: int
    ms: int
    trouble: str


class Meter(NamedTuple):
    """What the model did today, and what went wrong last, "" if its last call went well."""

    tokens: int = 0
    calls: int = 0
    trouble: str = ""


def reserve(
    state: State, run: str, model: str, prompt: str, now: datetime, tokens: int, cap: int
) -> int | None:
    """Opens a call that will take this many tokens; None if the day's limit has no room for it.

    Of two processes that ask at once, only one gets the last tokens.
    """
    day = now.date().isoformat()
    with state.write() as db:
        if _spent(db, day) + tokens > cap:
            return None
        db.execute("DELETE FROM model_call WHERE time < ?", (_seconds(now - _KEPT),))
        row = (run, day, _seconds(now), model, prompt[:_LONGEST], tokens)
        sql = (
            "INSERT INTO model_call (run, day, time, model, prompt, tokens) VALUES (?, ?, ?, ?, "
            "?, ?)"
        )
        return int(db.execute(sql, row).lastrowid or 0)


def close(state: State, call: int, answer: str, tokens: int, ms: int, trouble: str) -> None:
    """Records the result of a call."""
    with state.write() as db:
        row = (answer[:_LONGEST], tokens, ms, trouble, call)
        db.execute(
            "UPDATE model_call SET answer = ?, tokens = ?, ms = ?, trouble = ? WHERE id = ?", row
        )


def meter(state: State, now: datetime) -> Meter:
    """The model's use today; the day is that of `now`'s zone."""
    day = now.date().isoformat()
    [(tokens, count)] = state.query(
        "SELECT coalesce(sum(tokens), 0), count(*) FROM model_call WHERE day = ?", day
    )
    rows = state.query("SELECT trouble FROM model_call ORDER BY id DESC LIMIT 1")
    return Meter(int(tokens), int(count), str(rows[0][0]) if rows else "")


def calls_of(state: State, run: str) -> list[ModelCall]:
    """The calls of one run, as they were made."""
    sql = (
        "SELECT time, model, prompt, answer, tokens, ms, trouble FROM model_call WHERE run = ? "
        "ORDER BY id"
    )
    return [
        ModelCall(datetime.fromtimestamp(row[0], UTC), *row[1:]) for row in state.query(sql, run)
    ]


def _spent(db: sqlite3.Connection, day: str) -> int:
    return int(
        db.execute(
            "SELECT coalesce(sum(tokens), 0) FROM model_call WHERE day = ?", (day,)
        ).fetchone()[0]
    )


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
