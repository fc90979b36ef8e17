"""Spec 5.5, rule by rule: what the Memory Compactor tells again, takes away and logs, and what it
never touches."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.contract import ChangeSet, Snapshot
from clawgit.agents.memory_compactor import propose
from clawgit.core.config.settings import Settings
from clawgit.talk.rules.corrections import CONFIRMED, Correction, corrections, render

NOW = datetime(2026, 2, 14, 3, tzinfo=UTC)
HEAD = "4f2c1a9e31d07bc4a1f0a5c1d2e3f4a5b6c7d8e9"
DAY = "# 2026-01-03\n\n- Moved staging to the new host. #event <!-- claw:m7k2q9 conf=0.95 n=1 -->\n"


def shown(files: Mapping[str, str], **more: Any) -> Snapshot:
    settings = Settings()._replace(**more.pop("settings", {}))
    return Snapshot(NOW, settings, files, HEAD, "r1", **more)


def after(files: Mapping[str, str], done: ChangeSet) -> dict[str, str]:
    """The files once the step has landed."""
    made = dict(files)
    for edit in (edit for step in done.steps for edit in step.edits):
        assert made.get(edit.path) == edit.before
        if edit.after is None:
            del made[edit.path]
        else:
            made[edit.path] = edit.after
    return made


def compacted(files: Mapping[str, str], **more: Any) -> dict[str, str]:
    return after(files, propose(shown(files, **more)))


def test_daily_files_older_than_the_threshold_become_a_chronicle_and_are_deleted() -> None:
    files = {
        "memory/2026-01-03.md": DAY,
        "memory/2026-01-03-api-design.md": "# API design\n\n- REST, not GraphQL. #decision\n",
        "memory/2025-12-31.md": "- Last day of the year\n",
        "memory/2026-01-15.md": "- Thirty days ago\n",
    }
    made = compacted(files)
    assert sorted(path for path in made if path != "COMPACTION_LOG.md") == [
        "Archive/Chronicles/2025-December.md", "Archive/Chronicles/2026-January.md",
        "memory/2026-01-15.md",
    ]  # fmt: skip
    assert made["Archive/Chronicles/2026-January.md"] == (
        "# 2026-January\n\n## 2026-01-03\n\n"
        "- Moved staging to the new host. #event <!-- claw:m7k2q9 conf=0.95 n=1 -->\n\n"
        "## 2026-01-03 · api design\n\n### API design\n\n- REST, not GraphQL. #decision\n"
    )


def test_every_removal_goes_to_the_log_with_the_commit_that_still_has_it() -> None:
    faint = "- Maybe tea <!-- claw:abc234 conf=0.60 n=1 last=2025-05-01 src=inferred -->\n"
    files = {
        "memory/2026-01-03.md": DAY,
        "MEMORY.md": f"# Memory\n\n{faint}",
        "COMPACTION_LOG.md": "# Log\n\n## old · x\n\n- y",
    }
    done = propose(shown(files))
    log = after(files, done)["COMPACTION_LOG.md"]
    assert log.startswith("# Log\n\n## old · x\n\n- y\n\n## ")
    ident = done.steps[0].evidence[0].partition("#")[2]
    assert log.partition(f"## {ident} · ")[2] == (
        "2026-02-14T03:00:00+00:00\n\n"
        "- memory/2026-01-03.md: older than 30 days; now in Archive/Chronicles/2026-January.md; "
        "whole in 4f2c1a9e31d0\n"
        "- “Maybe tea” (abc234), from MEMORY.md: confidence 0.20, last mentioned 2025-05-01; "
        "whole in 4f2c1a9e31d0\n"
    )
    assert done.steps[0].summary == "sum up 1 note, clear 1 entry away"
    assert [(one.path, one.kind) for one in done.steps[0].proposed] == [
        ("memory/2026-01-03.md", "removed"),
        ("MEMORY.md", "removed"),
    ]


def test_memories_tagged_correction_are_never_compacted() -> None:
    right = "- No, the port is 5433. #correction\n"
    files = {
        "memory/2026-01-03.md": f"{DAY}{right}",
        "MEMORY.md": f"# Memory\n\n{right.strip()} <!-- claw:abc234 conf=0.10 n=1 last=2020-01-01 "
        "-->\n",
    }
    made = compacted(files)
    assert made["memory/2026-01-03.md"] == f"# 2026-01-03\n\n{right}"
    assert made["MEMORY.md"] == files["MEMORY.md"]
    assert "5433" not in made["Archive/Chronicles/2026-January.md"]
    assert "its #correction lines stay" in made["COMPACTION_LOG.md"]


def test_a_day_that_recent_memory_still_shows_is_never_touched() -> None:
    files = {
        "memory/2026-02-13.md": "- y\n",
        "memory/2026-02-12.md": "- x\n",
        "memory/2026-02-11.md": "- z\n",
    }
    left = compacted(files, settings={"compaction_age_days": 1})
    assert [path for path in left if path.startswith("memory/")] == [
        "memory/2026-02-13.md",
        "memory/2026-02-12.md",
    ]


def test_with_an_age_of_0_days_no_day_is_compacted() -> None:
    files = {"memory/2025-11-01.md": DAY, "memory/2026-01-03.md": DAY}
    assert propose(shown(files, settings={"compaction_age_days": 0})) == ChangeSet()


def test_a_note_that_cannot_be_told_stays_and_is_named() -> None:
    torn = propose(shown({"memory/2026-01-03.md": "- caf\udce9\n"}))
    assert (torn.steps, torn.skipped[0]) == ((), ("memory/2026-01-03.md", "it is not UTF-8"))
    torn = propose(shown({"memory/2026-01-03.md": "<pre>\nopen\n"}))
    assert (torn.steps, torn.skipped[0].why) == ((), "it ends inside open HTML or an open fence")


def _correction(ident: str, days: int, *, taken_in: bool = True) -> Correction:
    time = NOW - timedelta(days=days)
    return Correction(
        ident, time, correct="Port 5433", said="Port 5432", re_embedded=taken_in, status=CONFIRMED,
    )  # fmt: skip


def test_old_corrections_that_were_taken_in_move_to_the_archive() -> None:
    found = (
        _correction("aaa222", 20),
        _correction("bbb333", 20, taken_in=False),
        _correction("ccc444", 3),
    )
    files = {"CORRECTIONS.md": "# Corrections\n\n" + "\n".join(map(render, found))}
    made = compacted(files)
    assert [one.id for one in corrections(made["CORRECTIONS.md"])] == ["bbb333", "ccc444"]
    [moved] = corrections(made["Archive/Corrections/2026-January.md"])
    assert (moved.id, moved.binds) == ("aaa222", True)
    assert (
        "- correction aaa222 “Port 5433”, from CORRECTIONS.md: finished, and older than 14 days; "
        "it still applies; now in Archive/Corrections/2026-January.md; whole in"
        in made["COMPACTION_LOG.md"]
    )
    assert propose(shown(made)) == ChangeSet()


LINES = (
    "# A",
    "## B",
    "- x1",
    "- x2 #correction",
    "text x3",
    "",
    "  - x4",
    "> x5",
    "## 2026-01-09",
    "- x6 <!-- m -->",
)


@given(
    st.dictionaries(st.integers(1, 14), st.lists(st.sampled_from(LINES), max_size=8), max_size=4)
)
def test_whatever_a_note_says_is_in_the_chronicle_or_still_in_its_file(
    days: dict[int, list[str]],
) -> None:
    files = {f"memory/2026-01-{day:02}.md": "\n".join(lines) + "\n" for day, lines in days.items()}
    made = compacted(files)
    chronicle = made.get("Archive/Chronicles/2026-January.md", "")
    for path, text in files.items():
        section = chronicle.partition(f"\n## {path[7:17]}\n")[2]
        for word in re.findall(r"x[1-6]", text):
            assert word in section or word in made.get(path, "")
    assert propose(shown(made)) == ChangeSet()
