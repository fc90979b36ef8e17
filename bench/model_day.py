"""What a day of 200 messages costs with a language model, in tokens by agent: `python -m
bench.model_day`.

No model is asked: each question is counted, with the agent's prompt and the shape of its answer,
and the answer that it gets is the emptiest one that fits. What a real answer adds comes on top; the
call's own estimate for it is counted.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import TypeAdapter

from clawgit.agents import AGENTS
from clawgit.agents.contract import Call, Snapshot
from clawgit.agents.llm import RULE
from clawgit.core.config.settings import Settings
from clawgit.core.resources import resource
from clawgit.core.tokens import estimate_tokens
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, told
from clawgit.talk.rules.triage import surest, triage

T = TypeVar("T")

MESSAGES = 200
_ANSWER = 500
"""Tokens that `stores.llm` expects of an answer."""

_CORPUS = Path(__file__).parent.parent / "tests" / "data" / "conversations-strangers.jsonl"
_SESSION = "agent:main:main"
_NOW = datetime(2026, 3, 18, 12, 0, tzinfo=UTC)
_PLAIN = 9
_TURNS = 6
AGENTS_OF_A_DAY = ("memory-miner", "soul-keeper", "recall-validator", "conflict-detector")


class Counting:
    """A mind that counts what it is asked, and answers as little as it may."""

    def __init__(self, role: str) -> None:
        self.role, self.calls, self.tokens, self.largest = role, 0, 0, 0

    def ask(self, instructions: str, told: Mapping[str, str], answer: type[T]) -> T:
        kind = TypeAdapter(answer)
        shape = kind.json_schema()
        quoted = "\n".join(f"<<mark {name}\n{text}\nmark>>" for name, text in told.items())
        asked = estimate_tokens(
            "\n\n".join([self.role, instructions, RULE, quoted, json.dumps(shape)])
        )
        self.calls += 1
        self.tokens += asked + _ANSWER
        self.largest = max(self.largest, asked)
        return kind.validate_python(emptiest(shape))


class Cost(NamedTuple):
    """What an agent asks in a day."""

    agent: str
    asked: Counting


def emptiest(shape: Mapping[str, Any]) -> Any:
    """The least that an answer of this shape may hold; of what may be said, the last: `none` stands
    there."""
    if "enum" in shape:
        return shape["enum"][-1]
    if shape.get("type") == "object":
        needed = shape.get("required", ())
        return {
            name: emptiest(one)
            for name, one in shape.get("properties", {}).items()
            if name in needed
        }
    empty: Mapping[str, Any] = {
        "array": [],
        "string": "",
        "integer": 0,
        "number": 0.0,
        "boolean": False,
    }
    return empty.get(shape.get("type", ""))


def day(path: Path = _CORPUS, count: int = MESSAGES) -> tuple[Message, ...]:
    """The first so many messages of strangers' conversations, as one session of one day."""
    found: list[Message] = []
    for line in path.read_text("utf-8").splitlines():
        for row in json.loads(line)["messages"]:
            time = datetime.fromisoformat(row["time"])
            found.append(told(_SESSION, row["role"], row["text"], time, str(len(found))))
    return tuple(found[:count])


def ordinary_day(folders: Sequence[Path], count: int = MESSAGES) -> tuple[Message, ...]:
    """A day as most are: nine ordinary messages, then one that sets something right or gives an
    order, and so on, each behind the turn that it answers; from sets as bench/outcomes.py reads
    them.
    """
    plain = [line.split("\t")[1:] for path in folders for line in _lines(path / "ordinary.tsv")]
    rows = (json.loads(line) for path in folders for line in _lines(path / "messages.jsonl"))
    told_ones = (
        [row["before"][-1][1] if row["before"] else "", row["text"]]
        for row in rows
        if row["act"] != "chats"
    )
    found: list[Message] = []
    for number, (before, text) in enumerate(plain):
        turns = [
            (before, text),
            *([next(told_ones, ["", ""])] if number % _PLAIN == _PLAIN - 1 else []),
        ]
        for turn in turns:
            for role, words in zip((ASSISTANT, USER), turn, strict=True):
                if words:
                    found.append(told(_SESSION, role, words, _NOW, str(len(found))))
    return tuple(found[:count])


def _lines(path: Path) -> list[str]:
    return (
        [line for line in path.read_text("utf-8").splitlines() if line.strip()]
        if path.is_file()
        else []
    )


def costs(messages: Sequence[Message]) -> Iterator[Cost]:
    for name in AGENTS_OF_A_DAY:
        yield Cost(name, _asked(name, messages))


def report(messages: Sequence[Message]) -> Iterator[str]:
    own = sum(one.role == USER for one in messages)
    yield (
        f"{len(messages)} messages, {own} of the operator's, {_tokens(messages):,} tokens as "
        "they were said"
    )
    yield ""
    yield f"{'tokens of a day':22}{'in questions':>22}{'largest question':>20}"
    total = 0
    for agent, asked in costs(messages):
        total += asked.tokens
        yield f"{agent:22}{f'{asked.tokens:,} in {asked.calls}':>22}{asked.largest:>20,}"
    yield f"{'together':22}{total:>22,}"
    yield f"a day may cost {Settings().llm_daily_tokens:,} (llm_daily_tokens)"


def _asked(name: str, messages: Sequence[Message]) -> Counting:
    """An agent's day: it reads all messages at once, or is called for each one that calls it."""
    agent, mind = AGENTS[name], Counting(_role(name))
    files = {
        "MEMORY.md": "# Memory\n\n- The office is in Berlin. #knowledge\n- The office has moved "
        "to Bonn. #knowledge\n",
        "SOUL.md": (resource("templates") / "workspace" / "SOUL.md").read_text("utf-8"),
        "USER.md": "# User\n\n- **Name:** Marta\n",
    }
    seen = Snapshot(messages[-1].time, Settings(), files, run="bench", mind=mind)
    if agent.queue:
        seen = seen._replace(calls=tuple(_calls(agent.queue, messages)))
    elif agent.hears:
        seen = seen._replace(messages=tuple(messages))
    agent.propose(seen)
    return mind


def _calls(queue: str, messages: Sequence[Message]) -> Iterator[Call]:
    for at, message in enumerate(messages):
        triggers = tuple(one for one in triage(message.text) if one.route == queue)
        if message.role == USER and triggers:
            yield Call(
                message, triggers, tuple(messages[max(0, at - _TURNS) : at]), surest(triggers)
            )


def _role(name: str) -> str:
    file = resource("templates") / "agents" / name / "SOUL.md"
    return file.read_text("utf-8") if file.is_file() else ""


def _tokens(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(one.text) for one in messages)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.model_day", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--messages", type=int, default=MESSAGES, help="how many messages the day has"
    )
    parser.add_argument(
        "folders", nargs="*", type=Path, help="sets with ordinary.tsv and messages.jsonl"
    )
    asked = parser.parse_args()
    spoken = (
        ordinary_day(asked.folders, asked.messages) if asked.folders else day(count=asked.messages)
    )
    print("\n".join(report(spoken)))


if __name__ == "__main__":
    main()
