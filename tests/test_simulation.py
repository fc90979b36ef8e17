"""A simulated life, in short and for a whole year: whatever people and agents do, nothing is
lost."""

import os
from pathlib import Path

import pytest

from bench.simulate_year import YEAR, Year, simulate, table
from bench.simulated_world import environment

_LONG = "Read this first. " * 60 + "\n"
"""Of what stays in a notebook, so that little room is left for what comes."""

_QUICK_TO_AGE = {
    "compaction_age_days": "5",
    "correction_archive_days": "6",
    "corrected_embedding_grace_days": "2",
}


def aged(root: Path, days: int) -> Year:
    root.mkdir()
    (root / "MEMORY.md").write_text(f"# Memory\n\n{_LONG * 15}", encoding="utf-8")
    env = environment(os.environ, **_QUICK_TO_AGE)
    return simulate(root, env, days=days, seed=8, acts_a_day=6)


def test_nothing_is_lost_in_days_in_which_everything_ages_quickly(tmp_path: Path) -> None:
    year = aged(tmp_path / "ws", 5)
    assert year.wrong == (), table(year)
    assert year.corrected > 0
    assert year.standings[-1].entries > 5


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_nothing_is_lost_in_three_weeks_in_which_everything_ages_quickly(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    year = aged(root, 21)
    assert year.wrong == (), table(year)
    assert "\n## Topics\n\n- " in (root / "MEMORY.md").read_text(encoding="utf-8")
    assert year.corrected > 4
    assert year.relapses > 3
    end = year.standings[-1]
    assert end.archived > 0
    assert end.chronicles > 0
    assert year.commits["conflict-detector"] > 0
    assert end.entries > 10


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_lost_in_a_year(tmp_path: Path, seed: int) -> None:
    year = simulate(tmp_path / "ws", environment(os.environ), YEAR, seed)
    assert year.wrong == (), table(year)
    assert year.corrected > 100
