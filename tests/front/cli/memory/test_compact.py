"""`memory compact` as it is typed: it previews, it applies, and it has nothing to do the second
time."""

import json

import pytest

from clawgit.front.cli.root import run
from tests.front.cli.typed import typed
from tests.soulful import Soulful, soulful

__all__ = ["soulful"]


@pytest.fixture
def here(soulful: Soulful, monkeypatch: pytest.MonkeyPatch) -> Soulful:
    monkeypatch.chdir(soulful.git.root)
    monkeypatch.setenv("CLAWGIT_NOW", "2026-06-20T09:00:00+00:00")
    for day in ("2025-12-31", "2026-01-03", "2026-05-20"):
        soulful.git.write(f"memory/{day}.md", f"# {day}\n\n- What {day} brought\n")
    soulful.git.write("memory/2026-01-03.md", "- Tea\n- Not coffee. #correction\n")
    soulful.git.commit_all("days")
    return soulful


said, answer = typed("memory", "compact")


def test_its_json_has_what_every_writing_verb_has(here: Soulful) -> None:
    done = answer("--apply", "--remove")
    assert (done["commit"], bool(done["id"]), done["applied"]) == (here.git.head(), True, True)
    assert done["dry_run"] is False
    assert done["changed"] == [
        "COMPACTION_LOG.md", "memory/2025-12-31.md", "memory/2026-01-03.md",
        "memory/archive/2025-Q4.md",
        "memory/archive/2026-Q1.md",
    ]  # fmt: skip
    assert done["notes"][1] == {
        "path": "memory/2026-01-03.md", "day": "2026-01-03", "archive": "memory/archive/2026-Q1.md",
        "new": True, "kept": True,
    }  # fmt: skip
    assert done["removed"] == ["memory/2025-12-31.md", "memory/2026-01-03.md"]


# `memory promote` and `memory tidy` as they are typed.


DECIDED = "We decided to print the catalogue in Graz."


@pytest.fixture
def noted(soulful: Soulful, monkeypatch: pytest.MonkeyPatch) -> Soulful:
    soulful.git.write(
        "memory/2026-02-19.md", f"# 2026-02-19\n\n- {DECIDED}\n- Decision: which contract?\n"
    )
    soulful.git.commit_all("a day")
    monkeypatch.chdir(soulful.git.root)
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-20T09:00:00+00:00")
    return soulful


def test_promote_shows_first_and_moves_with_apply(
    noted: Soulful, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["memory", "promote"]) == 0
    first, why, left, last = capsys.readouterr().out.splitlines()
    assert first.endswith(f"  decision      {DECIDED}")
    assert why.startswith(
        "      memory/2026-02-19.md:3 → MEMORY.md; decision: “decided” +0.45, marked as such +0.20"
    )
    assert (left, last) == ("stays  memory/2026-02-19.md:4: a question", "1 line would be promoted")
    start = noted.git.head()
    assert run(["memory", "promote", "--apply", "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert done["candidates"] == [
        {
            "path": "memory/2026-02-19.md",
            "startLine": 3,
            "endLine": 3,
            "text": DECIDED,
            "category": "decision",
            "confidence": done["candidates"][0]["confidence"],
            "hits": 0,
            "sessions": 0,
            "why": done["candidates"][0]["why"],
            "action": "moved",
            "target": "MEMORY.md",
            "entryId": done["applied"][0]["entryId"],
        }
    ]
    assert [one["entryId"] in noted.git("show", "HEAD:MEMORY.md") for one in done["applied"]] == [
        True
    ]
    assert noted.git("rev-list", "--count", f"{start}..HEAD").strip() == "1"
    assert run(["memory", "promote", "--apply"]) == 0
    assert capsys.readouterr().out.endswith("Nothing to promote.\n")


def test_tidy_tells_how_much_moves_where(
    noted: Soulful, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = "".join(f"- Billing fact {number}.\n" for number in range(230))
    noted.git.write("MEMORY.md", f"# Memory\n\n## Billing\n\n{facts}")
    assert run(["memory", "tidy"]) == 0
    first, moved, last = capsys.readouterr().out.splitlines()
    assert first.startswith("MEMORY.md: 234 lines, ")
    assert moved.endswith(" → memory/billing.md")
    assert last.endswith(" pieces would be moved")
    assert run(["memory", "tidy", "--apply", "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert done["limit"] == {"lines": 200, "characters": 20_000}
    assert done["enough"] is True
    assert done["moved"][0]["target"] == "memory/billing.md"
