"""`memory compact`, `promote` and `tidy` as they are typed."""

import pytest

from tests.front.cli.typed import call
from tests.soulful import Soulful


def test_compact_in_json_has_what_every_writing_verb_has(
    at_home: Soulful, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = at_home.git
    monkeypatch.setenv("CLAWGIT_NOW", "2026-06-20T09:00:00+00:00")
    for day in ("2025-12-31", "2026-01-03", "2026-05-20"):
        git.write(f"memory/{day}.md", f"# {day}\n\n- What {day} brought\n")
    git.commit_file("memory/2026-01-03.md", "- Tea\n- Not coffee. #correction\n", "days")
    done = call("memory", "compact", "--apply", "--remove", "--json").json
    assert (done["commit"], bool(done["id"]), done["applied"]) == (git.head(), True, True)
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


DECIDED = "Decision: we print the catalogue in Graz."


@pytest.fixture
def noted(at_home: Soulful) -> Soulful:
    text = f"# 2026-02-19\n\n- {DECIDED}\n- Decision: which contract?\n"
    at_home.git.commit_file("memory/2026-02-19.md", text, "a day")
    return at_home


def test_promote_shows_first_and_moves_with_apply(noted: Soulful) -> None:
    first, why, left, last = call("memory", "promote").out.splitlines()
    assert first.endswith(f"  decision      {DECIDED}")
    assert why.startswith(
        "      memory/2026-02-19.md:3 → MEMORY.md; decision: “Decision:” +0.45, marked as such +0.20"
    )
    assert (left, last) == ("stays  memory/2026-02-19.md:4: a question", "1 line would be promoted")
    start = noted.git.head()
    done = call("memory", "promote", "--apply", "--json").json
    [moved], [applied] = done["candidates"], done["applied"]
    assert moved == {
        "path": "memory/2026-02-19.md", "startLine": 3, "endLine": 3, "text": DECIDED,
        "category": "decision", "confidence": moved["confidence"], "hits": 0, "sessions": 0,
        "why": moved["why"], "action": "moved", "target": "MEMORY.md",
        "entryId": applied["entryId"],
    }  # fmt: skip
    assert applied["entryId"] in noted.git("show", "HEAD:MEMORY.md")
    assert noted.git("rev-list", "--count", f"{start}..HEAD").strip() == "1"
    assert call("memory", "promote", "--apply").out.endswith("Nothing to promote.\n")


def test_tidy_tells_how_much_moves_where(noted: Soulful) -> None:
    facts = "".join(f"- Billing fact {number}.\n" for number in range(230))
    noted.git.write("MEMORY.md", f"# Memory\n\n## Billing\n\n{facts}")
    first, moved, last = call("memory", "tidy").out.splitlines()
    assert first.startswith("MEMORY.md: 234 lines, ")
    assert moved.endswith(" → memory/billing.md")
    assert last.endswith(" pieces would be moved")
    done = call("memory", "tidy", "--apply", "--json").json
    assert done["limit"] == {"lines": 200, "characters": 20_000}
    assert done["enough"] is True
    assert done["moved"][0]["target"] == "memory/billing.md"
