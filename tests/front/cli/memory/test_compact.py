"""`memory compact` as it is typed: it previews, it applies, and it has nothing to do the second
time."""

import pytest

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
