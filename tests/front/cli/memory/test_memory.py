"""`memory` as it is typed, by an agent's shell and by the operator at a terminal."""

import pytest

from tests.front.cli.typed import piped, typed
from tests.soulful import Soulful

said, answer = typed("memory")


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


def test_tidy_tells_how_much_moves_where(at_home: Soulful) -> None:
    facts = "".join(f"- Billing fact {number}.\n" for number in range(230))
    at_home.git.write("MEMORY.md", f"# Memory\n\n## Billing\n\n{facts}")
    first, moved, last = said("tidy").splitlines()
    assert first.startswith("MEMORY.md: 234 lines, ")
    assert moved.endswith(" → memory/billing.md")
    assert last.endswith(" pieces would be moved")
