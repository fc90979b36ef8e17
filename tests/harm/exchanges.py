"""Exchanges in six languages by writers who saw no rule: 216 that nobody chose a rule by, and 432
that helped to choose; and 146 close to a correction, by one who saw the rules. What each allows
stands beside it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from clawgit.agents.contract import Call
from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.corrections import CORRECTIONS, statement
from tests.agents.recalling import USER, call

FOLDER = Path(__file__).parent.parent / "data" / "harm"
UNREAD, CHOSEN_BY, CLOSE = "unread", "chosen-by", "close"


class Exchange(NamedTuple):
    """`allowed` is what the entry may say afterwards, `corrects` whether it is a correction."""

    number: int
    lang: str
    kind: str
    entries: tuple[tuple[str, str], ...]
    assistant: str
    message: str
    corrects: bool
    allowed: tuple[str, ...]

    @property
    def files(self) -> dict[str, str]:
        return {**files_of([self]), "USER.md": USER}

    @property
    def call(self) -> Call:
        return call(self.message, self.assistant, ident=f"m{self.number}")


def exchanges(name: str) -> list[Exchange]:
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [_exchange(number, json.loads(line)) for number, line in enumerate(lines)]


def _exchange(number: int, row: dict[str, object]) -> Exchange:
    held = tuple((_path(each["path"]), each["text"]) for each in row["entries"])  # type: ignore[attr-defined]
    return Exchange(
        number,
        str(row["lang"]),
        str(row["kind"]),
        held,
        str(row["assistant"]),
        str(row["message"]),
        bool(row["corrects"]),
        tuple(row["allowed"]),  # type: ignore[arg-type]
    )


def _path(path: str) -> str:
    return path if path.startswith("memory/") or path == "MEMORY.md" else f"memory/{path}"


def files_of(told: Sequence[Exchange]) -> dict[str, str]:
    """A memory that holds the entries of these exchanges."""
    files: dict[str, str] = {}
    for path, text in dict.fromkeys(held for each in told for held in each.entries):
        files[path] = f"{files.get(path, '# Memory' + chr(10))}\n- {text}\n"
    return files


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """What entries said → what they say now, where an entry was reworded."""
    done: dict[str, str] = {}
    for path, text in before.items():
        if path in ("USER.md", CORRECTIONS) or after[path] == text:
            continue
        old, new = ([statement(entry) for entry in entries(each)] for each in (text, after[path]))
        done |= {was: now for was, now in zip(old, new, strict=False) if was != now}
    return done
