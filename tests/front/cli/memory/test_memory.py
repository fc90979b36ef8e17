"""`memory` as it is typed, by an agent's shell and by the operator at a terminal."""

from pathlib import Path

import pytest

from tests.front.cli.typed import Terminal, call, piped, typed
from tests.soulful import Soulful

said, answer = typed("memory")


def test_add_answers_with_the_entry_and_what_became_of_it(at_home: Soulful) -> None:
    made = answer(
        "add", "Ana prefers tea.", "--evidence", "memory/2026-02-13.md#L3", "--session", "s1"
    )
    assert made == {
        "entry": {
            "key": made["entry"]["id"], "id": made["entry"]["id"],
            "text": "Ana prefers tea. #knowledge", "tag": "knowledge", "tags": ["knowledge"],
            "day": "2026-02-20", "path": "MEMORY.md", "line": 7, "confidence": 0.6, "mentions": 1,
            "first": "2026-02-20", "last": "2026-02-20", "source": "inferred", "status": "active",
            "evidence": ["memory/2026-02-13.md#L3"],
        },
        "action": "added", "reason": "new in MEMORY.md", "commit": at_home.git.head(),
        "id": made["id"], "changed": ["MEMORY.md"], "snapshots": [], "alerts": [], "parked": False,
        "held": [], "warnings": [], "dry_run": False, "preview": "", "of": "", "note": "",
        "moved": [],
    }  # fmt: skip
    again = answer("add", "ana prefers tea", "--source", "explicit")
    assert (again["action"], again["entry"]["mentions"]) == ("merged", 2)
    assert again["entry"]["confidence"] == 0.65, "a program that cites no message concluded it"


def test_what_is_counted_has_the_documented_shape(at_home: Soulful) -> None:
    page = (Path(__file__).parents[4] / "docs" / "reference.md").read_text()
    for command, counted in (
        ("memory list", answer("list", "--count")),
        ("log", call("log", "--days", "--json").json),
    ):
        section = page.partition(f" {command}\n\n    clawgit {command} ")[2].partition("\n#")[0]
        assert all(f'  "{key}": ' in section for key in counted), command


def test_a_fact_from_standard_input(at_home: Soulful, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, "Ana trinkt grünen\nTee.\n".encode())
    assert answer("add", "-")["entry"]["text"] == "Ana trinkt grünen Tee. #knowledge"
    for data, message in (
        (b"", "There is nothing to remember."),
        (b"caf\xe9", "The text is not UTF-8."),
        (b"x" * 2_000_000, "An entry is one fact; this has 1,048,576 characters."),
    ):
        piped(monkeypatch, data)
        assert answer("add", "-", code=2)["error"]["message"] == message


def test_get_gives_lines(at_home: Soulful) -> None:
    assert answer("get", "MEMORY.md", "--from", "3", "--lines", "1") == {
        "path": "MEMORY.md", "text": "- Billing uses PostgreSQL. #decision\n", "from": 3,
        "lines": 1, "note": "",
    }  # fmt: skip
    whole = "# Memory\n\n- Billing uses PostgreSQL. #decision\n"
    assert said("get", "MEMORY.md", "--at", "HEAD") == whole
    for place in ("MEMORY.md:3", "MEMORY.md#L3-L3", "MEMORY.md:3-3"):
        assert said("get", place) == "- Billing uses PostgreSQL. #decision\n"
    assert said("get", "MEMORY.md:1-2") == "# Memory\n"
    assert answer("get", "MEMORY.md:1", "--lines", "3")["lines"] == 3
    assert answer("get", "MEMORY.md:1", "--from", "3")["from"] == 3
    assert answer("get", "memory/2026-01-01.md")["text"] == ""
    assert said("get", "memory/2026-01-01.md") == ""
    assert answer("get", "CONFIG.md", code=2)["error"]["kind"] == "usage"
    assert answer("get", "MEMORY.md", "--from", "0", code=2)["error"]["kind"] == "usage"


# `memory list` as it is typed.


def test_a_list_in_json_has_the_shape_of_the_reference(
    at_home: Soulful, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal())
    made = answer("add", "Ana prefers tea.", "--tag", "skill")["entry"]
    assert answer("list", "--tag", "skill") == {
        "entries": [{
            "key": made["id"], "id": made["id"], "text": "Ana prefers tea. #skill",
            "tag": "skill", "tags": ["skill"], "first": "2026-02-20", "last": "2026-02-20",
            "path": "MEMORY.md", "line": made["line"], "day": "2026-02-20",
            "confidence": 0.95, "mentions": 1, "source": "explicit", "status": "active",
            "evidence": [],
        }],
        "more": False,
    }  # fmt: skip
    assert f"claw:{made['id']}" in at_home.text("MEMORY.md").splitlines()[made["line"] - 1]
