"""`conflicts` as it is typed."""

import io
import json

import pytest

from clawgit.front.cli.root import run
from tests.soulful import Soulful, soulful

__all__ = ["soulful"]

LOG = """\
# Conflicts

## k3x9ab · 2026-02-14T07:00:00+00:00

- A: The standup is at 9:30.
- A source: MEMORY.md#h1111111, by hand
- A date: unknown
- B: The standup is at 10:00.
- B source: MEMORY.md#mbbbbb, explicit, chat:s/2
- B date: 2026-02-13
- Rule: date (9:30 against 10:00); a side has no date
- Outcome: flagged: the operator decides
"""


@pytest.fixture
def here(soulful: Soulful, monkeypatch: pytest.MonkeyPatch) -> Soulful:
    soulful.git.write("CONFLICTS.md", LOG)
    soulful.git.write(
        "MEMORY.md", "- The standup is at 9:30.\n- The standup is at 10:00. <!-- claw:mbbbbb -->\n"
    )
    soulful.git.commit_all("found")
    monkeypatch.chdir(soulful.git.root)
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-20T09:00:00+00:00")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return soulful


def test_conflicts_are_listed_and_resolved(
    here: Soulful, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["conflicts", "list"]) == 0
    assert capsys.readouterr().out == (
        "k3x9ab  2026-02-14\n"
        "   a  The standup is at 9:30.  MEMORY.md\n"
        "   b  The standup is at 10:00.  MEMORY.md 2026-02-13\n"
        "   rule  date (9:30 against 10:00); a side has no date\n"
        "   now   flagged: the operator decides\n"
        "\n→ clawgit conflicts resolve k3x9ab --keep a"
        "\n→ clawgit conflicts resolve k3x9ab --keep b"
        "\n→ clawgit conflicts resolve k3x9ab --keep both\n"
    )
    assert run(["conflicts", "resolve", "k3x9ab", "--keep", "b", "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["commit"], done["changed"]) == (here.git.head(), ["CONFLICTS.md", "MEMORY.md"])
    assert run(["conflicts", "list"]) == 0
    assert capsys.readouterr().out == "no conflict is open\n"


def test_the_shape_of_a_conflict_in_json(here: Soulful, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conflicts", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "conflicts": [
            {
                "id": "k3x9ab",
                "time": "2026-02-14T07:00:00+00:00",
                "a": {"text": "The standup is at 9:30.", "path": "MEMORY.md", "key": "h1111111",
                "source": "by hand",
                      "day": None},
                "b": {"text": "The standup is at 10:00.", "path": "MEMORY.md", "key": "mbbbbb",
                      "source": "explicit, chat:s/2", "day": "2026-02-13"},
                "rule": "date (9:30 against 10:00); a side has no date",
                "outcome": "flagged: the operator decides",
                "line": 3,
            }
        ],
        "next": [
            f"clawgit conflicts resolve k3x9ab --keep {side}" for side in ("a", "b", "both")
        ],
    }  # fmt: skip
