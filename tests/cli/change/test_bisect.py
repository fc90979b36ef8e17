"""`bisect` as it is typed."""

import json

import pytest

from clawgit.cli.root import run
from tests.cli.change.test_history import answer, said, told
from tests.conftest import Git

__all__ = ["told"]


def test_it_names_the_change_and_the_way_back(
    told: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    start = told("rev-parse", "HEAD~").strip()
    assert said(capsys, "why", "--when", "billing uses") == (
        "MEMORY.md:3\n"
        "    - Billing uses PostgreSQL, not MySQL. #decision\n"
        "\n"
        "Added by\n"
        f"{start[:8]}  2026-02-13 08:00  Olga Operator  added  MEMORY.md:3\n"
        "    start\n"
        "    - Billing uses PostgreSQL. #decision\n"
        "\n"
        "Its other changes\n"
        "\n"
        "klmnopqr  2026-02-14 09:12  soul-keeper  changed  MEMORY.md:3\n"
        "    name the other\n"
        "    The operator asked.\n"
        "    evidence: memory/2026-02-13.md#L3\n"
        "    - Billing uses PostgreSQL, not MySQL. #decision\n"
    )
    told.write("MEMORY.md", "# Memory\n")
    gone = told.commit_all("lose it")
    lost = said(capsys, "why", "--when", "not mysql")
    assert lost.startswith(
        "Not in memory now\n    - Billing uses PostgreSQL, not MySQL. #decision\n\nRemoved by\n"
    )
    assert f"To bring it back:\n    clawgit undo {gone[:12]}\n" in lost
    found = answer(capsys, "why", "--when", "not mysql")
    assert (found["state"], found["change"]["sha"], found["change"]["kind"]) == (
        "removed",
        gone,
        "removed",
    )


@pytest.mark.usefixtures("told")
def test_words_that_were_never_there_are_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["why", "--when", "no such words", "--json"]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["kind"], bool(error["hint"])) == ("not_found", True)
