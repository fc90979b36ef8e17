"""Spec 5.5, rule by rule: what the Memory Compactor tells again, takes away and logs, and what it
never touches."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.contract import ChangeSet, Snapshot
from clawgit.agents.memory_compactor import fade, merge_alike, propose
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.corrections import CONFIRMED, Correction, corrections, render
from tests.agents.applied import applied
from tests.each import for_each

NOW = datetime(2026, 2, 14, 3, tzinfo=UTC)
HEAD = "4f2c1a9e31d07bc4a1f0a5c1d2e3f4a5b6c7d8e9"
DAY = "# 2026-01-03\n\n- Moved staging to the new host. #event <!-- claw:m7k2q9 conf=0.95 n=1 -->\n"


def shown(files: Mapping[str, str], **more: Any) -> Snapshot:
    settings = Settings()._replace(**more.pop("settings", {}))
    return Snapshot(NOW, settings, files, HEAD, "r1", **more)


def compacted(files: Mapping[str, str], **more: Any) -> dict[str, str]:
    return applied(files, propose(shown(files, **more)))


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
    old = "# Log\n\n## old · x\n\n- y"
    files = {"memory/2026-01-03.md": DAY, "MEMORY.md": f"# Memory\n\n{faint}"}
    files["COMPACTION_LOG.md"] = old
    done = propose(shown(files))
    log = applied(files, done)["COMPACTION_LOG.md"]
    assert log.startswith(f"{old}\n\n## ")
    ident = done.steps[0].evidence[0].partition("#")[2]
    assert log.partition(f"## {ident} · ")[2] == (
        "2026-02-14T03:00:00+00:00\n\n"
        "- memory/2026-01-03.md: older than 30 days; now in Archive/Chronicles/2026-January.md; "
        "whole in 4f2c1a9e31d0\n"
        "- “Maybe tea” (abc234), from MEMORY.md: confidence 0.20, last mentioned 2025-05-01; "
        "whole in 4f2c1a9e31d0\n"
    )
    assert done.steps[0].summary == "sum up 1 note, clear 1 entry away"
    removed = [(one.path, one.kind) for one in done.steps[0].proposed]
    assert removed == [("memory/2026-01-03.md", "removed"), ("MEMORY.md", "removed")]


def test_memories_tagged_correction_are_never_compacted() -> None:
    right = "- No, the port is 5433. #correction"
    noted = f"# Memory\n\n{right} <!-- claw:abc234 conf=0.10 n=1 last=2020-01-01 -->\n"
    made = compacted({"memory/2026-01-03.md": f"{DAY}{right}\n", "MEMORY.md": noted})
    assert made["memory/2026-01-03.md"] == f"# 2026-01-03\n\n{right}\n"
    assert made["MEMORY.md"] == noted
    assert "5433" not in made["Archive/Chronicles/2026-January.md"]
    assert "its #correction lines stay" in made["COMPACTION_LOG.md"]


def test_a_day_that_recent_memory_still_shows_is_never_touched() -> None:
    days = [f"memory/2026-02-{day}.md" for day in (13, 12, 11)]
    left = compacted(dict.fromkeys(days, "- x\n"), settings={"compaction_age_days": 1})
    assert [path for path in left if path.startswith("memory/")] == days[:2]


def test_a_note_that_cannot_be_told_stays_and_is_named() -> None:
    torn = propose(shown({"memory/2026-01-03.md": "- caf\udce9\n"}))
    assert (torn.steps, torn.skipped[0]) == ((), ("memory/2026-01-03.md", "it is not UTF-8"))
    torn = propose(shown({"memory/2026-01-03.md": "<pre>\nopen\n"}))
    assert (torn.steps, torn.skipped[0].why) == ((), "it ends inside open HTML or an open fence")


def _correction(ident: str, days: int, *, taken_in: bool = True) -> Correction:
    made = Correction(ident, NOW - timedelta(days=days), status=CONFIRMED, re_embedded=taken_in)
    return made._replace(correct="Port 5433", said="Port 5432")


def test_old_corrections_that_were_taken_in_move_to_the_archive() -> None:
    waits = _correction("bbb333", 20, taken_in=False)
    found = (_correction("aaa222", 20), waits, _correction("ccc444", 3))
    made = compacted({"CORRECTIONS.md": "# Corrections\n\n" + "\n".join(map(render, found))})
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
    "# A", "## B", "- x1", "- x2 #correction", "text x3", "", "  - x4", "> x5", "## 2026-01-09",
    "- x6 <!-- m -->",
)  # fmt: skip


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


# Spec 5.5.2: what goes from MEMORY.md, and which entries become one.


RULES = Settings()
TODAY = date(2026, 8, 1)
FAINT = "conf=0.60 n=1 first=2025-12-01 last=2025-12-01 src=inferred"


def _entry(text: str, facts: str = FAINT, ident: str = "abc234") -> str:
    return f"- {text} <!-- claw:{ident} {facts} -->\n"


def _faded(line: str) -> int:
    return len(entries(fade("MEMORY.md", f"# Memory\n\n{line}", RULES, TODAY)[0]))


def test_entries_below_point_three_and_silent_for_sixty_days_are_removed() -> None:
    text = f"# Memory\n\n{_entry('Maybe tea #knowledge')}- Stays\n"
    kept, [gone] = fade("MEMORY.md", text, RULES, TODAY)
    assert kept == "# Memory\n\n- Stays\n"
    assert (gone.path, gone.what) == ("MEMORY.md", "“Maybe tea #knowledge” (abc234)")
    assert gone.why == "confidence 0.20, last mentioned 2025-12-01"


@for_each(
    "facts, stays",
    [
        ("conf=0.60 n=1 last=2026-02-02 src=inferred", True),
        ("conf=0.60 n=1 last=2026-01-02 src=inferred", False),
        ("conf=0.10 n=1 last=2026-06-03 src=inferred", True),
        ("conf=0.10 n=1 last=2026-06-02 src=inferred", False),
    ],
)
def test_both_must_hold(facts: str, stays: bool) -> None:
    assert _faded(_entry("Maybe tea", facts)) is int(stays)


@for_each(
    "line",
    [
        _entry("Tea, not coffee #correction"),
        "- Written by hand\n",
        _entry("Old", f"{FAINT} status=superseded by=zzz999"),
        _entry("Wrong", f"{FAINT} status=corrected"),
        f"- Tea <!-- claw:abc234 {FAINT} -->\n  - with milk #correction\n",
    ],
)
def test_what_was_corrected_replaced_or_written_by_hand_stays(line: str) -> None:
    assert _faded(line) == 1


def _merged(*lines: str) -> str:
    return merge_alike("MEMORY.md", "# Memory\n\n" + "".join(lines), RULES)[0]


def test_near_duplicates_are_merged() -> None:
    one = _entry(
        "The nightly backup runs at 03:00. #knowledge",
        "conf=0.60 n=2 first=2026-05-01 last=2026-06-01 src=inferred ev=memory/a.md#L1",
    )
    two = _entry(
        "Nightly backup runs at 03:00 #knowledge",
        "conf=0.95 n=1 first=2026-04-01 last=2026-05-02 src=explicit ev=memory/b.md#L2",
        "def567",
    )
    kept, [gone] = merge_alike("MEMORY.md", f"# Memory\n\n{one}{two}- Tea\n", RULES)
    assert kept == (
        "# Memory\n\n- The nightly backup runs at 03:00. #knowledge <!-- claw:abc234 c=.9 n=3 "
        "first=2026-04-01"
        " last=2026-06-01 src=inferred ev=memory/a.md#L1 ev=memory/b.md#L2 -->\n- Tea\n"
    )
    assert gone.what == "“Nightly backup runs at 03:00 #knowledge” (def567)"
    assert "says the same as “The nightly backup runs at 03:00. #knowledge” (abc234)" in gone.why
    assert merge_alike("MEMORY.md", kept, RULES) == (kept, [])


SURE = "conf=0.95 n=1 first=2026-06-01 last=2026-06-01 src=explicit"
TEA = _entry("Tea at ten", SURE)


def _other(text: str, more: str = "") -> str:
    return _entry(text, SURE + more, "def567")


@for_each(
    "one, other",
    [
        (_entry("The port is 5432", SURE), _other("The port is 5433")),
        (_entry("Ana likes green tea", SURE), _other("Ana does not like green tea")),
        (TEA, _other("Tea at ten #correction")),
        (TEA, _other("Tea at ten", " status=superseded by=abc234")),
        (TEA, _other("Tea at ten", " expires=2026-09-01")),
        (f"## Harbor\n\n{_entry('It uses Redis', SURE)}\n", f"## Bay\n\n{_other('It uses Redis')}"),
        ("- Tea at ten\n", "- Tea at ten\n"),
    ],
)
def test_what_differs_in_what_matters_stays_two(one: str, other: str) -> None:
    assert _merged(one, other) == f"# Memory\n\n{one}{other}"


@for_each(
    "lines",
    [
        # another names it as its successor
        (
            _entry("Nightly backups reach the Frankfurt vault at 03:00", SURE),
            _other("Nightly backups reach the Frankfurt vault at 03:00."),
            _entry("Deploys run on Monday", f"{SURE} status=superseded by=def567", "old999"),
        ),
        # by hand, and with the marks of others
        (
            "- Tea at ten\n",
            f"- Tea at ten <!-- importance: 7 --> <!-- claw:abc234 {SURE} -->\n",
            _other("Tea at ten"),
        ),
    ],
)
def test_a_successor_and_what_others_wrote_or_marked_stay(lines: tuple[str, ...]) -> None:
    assert _merged(*lines) == "# Memory\n\n" + "".join(lines)
