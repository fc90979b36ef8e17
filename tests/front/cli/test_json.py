"""Each answer in JSON has the shape that the reference shows: its names, types and what is in it."""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW
from tests.each import for_each
from tests.front.cli.typed import call
from tests.soulful import Soulful

PAGE = (Path(__file__).parents[3] / "docs/reference.md").read_text("utf-8")
SECTIONS = re.findall(r"^##+ (.+)$", PAGE, re.MULTILINE)

Shape = Callable[[Any], bool]

_ATOMS: dict[str, Shape] = {
    "any": lambda _: True,
    "bool": lambda told: isinstance(told, bool),
    "int": lambda told: type(told) is int,
    "float": lambda told: type(told) in (int, float),
    **dict.fromkeys(("str", "path"), lambda told: isinstance(told, str)),
    **dict.fromkeys(("time", "date"), lambda told: bool(datetime.fromisoformat(told))),
}


def shapes_of(section: str) -> Iterator[Shape]:
    [about] = re.findall(rf"^##+ {section}$(.*?)^##", PAGE, re.MULTILINE | re.DOTALL)
    for block in about.split("```text\n")[1:]:
        words = block.partition("```")[0]
        yield _shape(re.findall(r'"\w+":|\w+|[^\w\s]', words))


def _shape(words: list[str]) -> Shape:
    """What the next words mean; they are taken off."""
    word = words.pop(0)
    if word == "{" and words[0].startswith('"'):
        found = _object(words)
    elif word == "{":
        found = _table(words)
    elif word == "[":
        found = _list(words)
    else:
        found = _ATOMS[word]
    if words[:1] != ["?"]:
        return found
    del words[0]
    return lambda told: told is None or found(told)


def _object(words: list[str]) -> Shape:
    fields: dict[str, Shape] = {}
    while (word := words.pop(0)) != "}":
        fields[word[1:-2]] = _shape(words)
    return lambda told: (
        told.keys() == fields.keys() and all(holds(told[name]) for name, holds in fields.items())
    )


def _table(words: list[str]) -> Shape:
    key, _, value = _shape(words), words.pop(0), _shape(words)
    del words[:2]
    return lambda told: all(key(name) and value(told[name]) for name in told)


def _list(words: list[str]) -> Shape:
    members = [_shape(words)]
    while (word := words.pop(0)) == ",":
        members.append(_shape(words))
    if word == "]":
        return lambda told: (
            [*map(len, (told, members))] == [len(told)] * 2
            and all(holds(one) for holds, one in zip(members, told, strict=True))
        )
    del words[0]
    return lambda told: isinstance(told, list) and all(map(members[0], told))


TOLD = """\
status
log
log --days
diff HEAD~1
undo HEAD --dry-run
restore MEMORY.md --at HEAD~1 --dry-run
why MEMORY.md:3
sync
context --message billing
context --explain
soul
soul diff
soul blame
soul propose --add Sing. --reason asked
soul proposals
soul log
soul log --changelog
soul snapshots --export versions
soul verify
connect cursor --dry-run
memory search "who uses PostgreSQL" --explain
memory add "Ana prefers tea." --evidence memory/2026-02-13.md#L3 --session s1
memory get MEMORY.md
memory list
memory list --count
memory status
memory promote --apply
memory tidy --apply
memory compact --apply --now 2026-06-20
memory index
corrections add "Billing uses SQLite."
corrections list
corrections archive
conflicts list
digest --since 2026-01-01
snapshot -m more
show HEAD
agent list
agent run conflict-detector
agent edit memory-miner --dry-run
run --once
run --once weekly-review
schedule show
workspace list
heartbeat "You forgot the hay."
triage "You forgot the hay."
session flush-check talk.jsonl --tokens 180000
session reset-check --last yesterday
session compact talk.jsonl --keep 1
session new talk.jsonl
chat log "Ship it." --session main
chat ingest talk.jsonl
chat search
hooks
init . --dry-run
doctor
config
trust
operator
secrets scan
backup save ../agent.backup
backup verify ../agent.backup
completion bash"""


@pytest.fixture
def lived(at_home: Soulful) -> Soulful:
    """A workspace in which each command has something to tell."""
    facts = "".join(f"- Fact {number}.\n" for number in range(230))
    at_home.git.write("MEMORY.md", f"{at_home.text('MEMORY.md')}\n## Billing\n\n{facts}")
    at_home.git.write("memory/2026-01-03.md", "# Day\n\n- Tea.\n- Not milk. #correction\n")
    at_home.git.commit_file("memory/2026-02-19.md", "# Day\n\n- Decision: ink.\n", "days")
    said = [{"role": role, "text": "Ink it is.", "time": NOW.isoformat()} for role in TALK]
    at_home.git.write("talk.jsonl", "".join(f"{json.dumps(one)}\n" for one in said))
    return at_home


TALK = ("user", "assistant") * 3


@pytest.mark.usefixtures("quick_workers", "lived")
@for_each("words", TOLD.splitlines())
def test_each_answer_has_the_shape_of_the_reference(words: str) -> None:
    names = [name for name in SECTIONS if f"{words} ".startswith(f"{name} ")]
    told = call(*shlex.split(words), "--json")
    assert told.err == "" or told.code == 0, told
    assert any(fits(told.json, shape) for shape in shapes_of(max(names, key=len))), told


def fits(told: Any, shape: Shape) -> bool:
    try:
        return shape(told)
    except (AttributeError, TypeError, ValueError):
        return False
