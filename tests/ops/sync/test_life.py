"""Machines that all write, and meet now and then: at the end they hold the same, and nothing of
anybody is lost.
"""

from pathlib import Path

import pytest

from tests.conftest import Git
from tests.ops.sync.life import Life
from tests.ops.sync.machines import Machine, ids_of, machines, meet


def assert_converged(life: Life) -> None:
    clones = life.clones
    meet(clones, 3)
    assert {clone.tree() for clone in clones} == {clones[0].tree()}
    assert [ids_of(clone) for clone in clones] == [ids_of(clones[0])] * len(clones)
    text = "\n".join(clones[0].texts())
    assert sorted(word for word in life.said - life.gone if word not in text) == []
    for clone in clones:
        assert clone.left_over() == ""
        assert clone("fsck", "--strict", "--no-dangling") == ""
    # Nobody has anything left to say.
    assert {done.state for done in meet(clones, 1)} == {"in_sync"}


@pytest.fixture
def trio(ws: Git, tmp_path: Path) -> list[Machine]:
    (ws.root / ".git/clawgit").mkdir()
    return machines(ws, tmp_path, 3)[1]


def test_three_machines(trio: list[Machine]) -> None:
    life = Life(1, trio)
    for _ in range(12):
        life.round()
    assert_converged(life)
    assert "merged" in life.states


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8])
def test_three_machines_for_200_rounds_some_of_them_killed(trio: list[Machine], seed: int) -> None:
    life = Life(seed, trio)
    for _ in range(200):
        life.round(kills=True)
    assert_converged(life)
    assert life.killed > 10
