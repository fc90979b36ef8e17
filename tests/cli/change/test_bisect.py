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
    assert said(capsys, "bisect", "billing uses") == (
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
    lost = said(capsys, "bisect", "not mysql")
    assert lost.startswith(
        "Not in memory now\n    - Billing uses PostgreSQL, not MySQL. #decision\n\nRemoved by\n"
    )
    assert f"To bring it back:\n    clawgit undo {gone[:12]}\n" in lost
    found = answer(capsys, "bisect", "not mysql")
    assert (found["state"], found["change"]["sha"], found["change"]["kind"]) == (
        "removed",
        gone,
        "removed",
    )


def test_a_check_tells_each_state_beside_the_answer(
    told: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bisect", "--run", "echo no such luck >&2; ! grep -q MySQL MEMORY.md"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("The check fails since\nklmnopqr  2026-02-14 09:12  soul-keeper\n")
    assert out.endswith("To take it back: clawgit undo klmnopqr\n")
    assert "bad   klmnopqr  2026-02-14 09:12  name the other: no such luck" in err
    assert run(["bisect", "--run", "! grep -q MySQL MEMORY.md", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in found["found"]] == ["klmnopqr"]
    assert [state["verdict"] for state in found["tested"]] == ["bad", "good"]


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [([], 2, "usage"), (["tea", "--run", "true"], 2, "usage"), (["tea", "--good", "HEAD"], 2, "usage"),
     (["no such words"], 1, "not_found"), (["--run", "true"], 1, "not_found"),
     (["--run", "true", "--bad", "nowhere"], 1, "not_found")],
)  # fmt: skip
@pytest.mark.usefixtures("told")
def test_an_error_has_a_kind_a_hint_and_a_code(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, kind: str
) -> None:
    assert run(["bisect", *arguments, "--json"]) == code
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["kind"] == kind
    assert error["hint"]
