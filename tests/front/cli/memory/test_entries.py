"""`memory list`, `edit` and `rm` as they are typed."""

import re

import pytest

from clawgit.front.cli.root import run
from tests.front.cli.memory.test_memory import answer, here, said
from tests.front.cli.typed import Terminal
from tests.soulful import Soulful, soulful

__all__ = ["here", "soulful"]


@pytest.fixture
def noted(here: Soulful, monkeypatch: pytest.MonkeyPatch) -> Soulful:
    monkeypatch.setattr("sys.stdin", Terminal())
    assert run(["memory", "add", "Ana prefers tea.", "--tag", "skill"]) == 0
    here.git.write("memory/2026-02-13.md", "- Met Ana. " + "It was a long day. " * 9 + "\n")
    here.git.commit_all("a day")
    return here


def ident(noted: Soulful) -> str:
    found = re.search(r"Ana prefers tea.*claw:(\w+)", noted.text("MEMORY.md"))
    assert found is not None
    return found[1]


def test_a_list_goes_by_file(noted: Soulful, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    key = ident(noted)
    rows = said("list").splitlines()
    assert rows[0] == "MEMORY.md"
    assert f"  {key}    2026-02-20  Ana prefers tea. #skill" in rows
    assert rows[rows.index("memory/2026-02-13.md") - 1] == ""
    assert said("list", "--tag", "decision", "--file", "memory") == "no entry matches\n"


def test_a_list_in_json_has_the_shape_of_the_reference(
    noted: Soulful, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    found = answer("list", "--tag", "skill")
    assert found == {
        "entries": [
            {
                "key": ident(noted),
                "id": ident(noted),
                "text": "Ana prefers tea. #skill",
                "tag": "skill",
                "tags": ["skill"],
                "first": "2026-02-20",
                "last": "2026-02-20",
                "path": "MEMORY.md",
                "line": found["entries"][0]["line"],
                "day": "2026-02-20",
                "confidence": 0.95,
                "mentions": 1,
                "source": "explicit",
                "status": "active",
                "evidence": [],
            }
        ],
        "more": False,
    }
