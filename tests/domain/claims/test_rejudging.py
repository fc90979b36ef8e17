"""Conflicts of former rules, judged again."""

from clawgit.domain.claims.conflicts import all_conflicts, conflicts
from clawgit.domain.claims.rejudging import former, rejudged

OLD = """\
# CONFLICTS.md: where two memories disagree

## k3x9ab · 2026-02-14T07:00:00+00:00

- A: Branch: feature/a
- A source: memory/2026-02-01.md#h1111111, by hand
- A date: 2026-02-01
- B: Branch: feature/b
- B source: memory/2026-02-02.md#h2222222, by hand
- B date: 2026-02-02
- Rule: value (feature/a against feature/b); no side is a correction
- Outcome: flagged: the operator decides

## k3x9cd · 2026-02-14T07:00:00+00:00

- A: The standup is at 9:30.
- A source: MEMORY.md#h3333333, by hand
- A date: unknown
- B: The standup is at 10:00.
- B source: MEMORY.md#h4444444, by hand
- B date: unknown
- Rule: date (9:30 against 10:00); a side has no date
- Outcome: flagged: the operator decides

## k3x9ef · 2026-02-14T07:00:00+00:00

- A: Old.
- B: New.
- Rule: value (old against new)
- Outcome: B wins: A is superseded
"""
FILES = {
    "CONFLICTS.md": OLD,
    "MEMORY.md": "# Memory\n\n- The standup is at 9:30.\n- The standup is at 10:00.\n",
    "memory/2026-02-01.md": "- Branch: feature/a\n",
    "memory/2026-02-02.md": "- Branch: feature/b\n",
}


def test_what_contradicts_nothing_is_archived_and_the_rest_names_its_spans() -> None:
    found = rejudged(FILES)
    assert [one.id for one in found.dropped] == ["k3x9ab"]
    assert [one.id for one in found.kept] == ["k3x9cd"]
    assert set(found.files) == {"CONFLICTS.md", "Archive/Conflicts/2026.md"}
    kept = conflicts(found.files["CONFLICTS.md"])
    assert [one.id for one in kept] == ["k3x9cd", "k3x9ef"]
    assert kept[0].rule.startswith("time (“9:30” against “10:00”; ")
    assert kept[0].open
    [gone] = conflicts(found.files["Archive/Conflicts/2026.md"])
    assert gone.outcome == "closed: judged again, and no contradiction"
    assert len(all_conflicts({**FILES, **found.files})) == 3


def test_twice_is_once_and_what_was_decided_stays() -> None:
    files = {**FILES, **rejudged(FILES).files}
    assert former(files["CONFLICTS.md"]) == ()
    assert rejudged(files).files == {}
    assert "k3x9ef" in files["CONFLICTS.md"]


def test_without_a_log_there_is_nothing_to_judge() -> None:
    assert rejudged({"MEMORY.md": "- x\n"}).files == {}
