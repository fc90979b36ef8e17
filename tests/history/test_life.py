"""Machines that all write, and meet now and then: at the end they hold the same, and nothing of
anybody is lost.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from clawgit.core.markdown.amend import Amendment
from clawgit.front.setup import init
from clawgit.history.proposals import edit as soul_edit
from clawgit.soul.changelog import check
from tests.conftest import Git
from tests.history.life import Life
from tests.history.machines import Machine, ids_of, machines, meet


def assert_converged(life: Life) -> None:
    clones = life.clones
    life.all_meet(3)
    assert {clone.tree() for clone in clones} == {clones[0].tree()}
    assert [ids_of(clone) for clone in clones] == [ids_of(clones[0])] * len(clones)
    text = "\n".join(clones[0].texts())
    assert sorted(word for word in life.said - life.gone if word not in text) == []
    for clone in clones:
        assert clone.left_over() == ""
        assert clone("fsck", "--strict", "--no-dangling") == ""
    for clone in clones:
        held = re.findall(rb"\bPlace\d+\b", clone.objects())
        assert {word.decode() for word in held}.isdisjoint(life.forgotten)
    # Nobody has anything left to say.
    assert {done.state for done in meet(clones, 1)} == {"in_sync"}


@pytest.fixture
def trio(ws: Git, tmp_path: Path) -> list[Machine]:
    return machines(ws, tmp_path, 3)[1]


def test_three_machines(trio: list[Machine]) -> None:
    life = Life(1, trio)
    for _ in range(3):
        life.round()
    assert_converged(life)
    assert "merged" in life.states


@pytest.mark.parametrize(
    ("seed", "days"),
    [(1, 2), *(pytest.param(seed, 7, marks=pytest.mark.slow) for seed in range(2, 8))],
)
def test_two_machines_that_wrote_for_a_week(ws: Git, tmp_path: Path, seed: int, days: int) -> None:
    _, clones = machines(ws, tmp_path, 2)
    life = Life(seed, clones)
    for _ in range(days):
        for clone in clones:
            clone.now += timedelta(days=1)
            for _ in range(4):
                life.act(clone)
    assert_converged(life)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8, 9, 10, 11])
def test_three_machines_for_200_rounds_some_of_them_killed(trio: list[Machine], seed: int) -> None:
    life = Life(seed, trio)
    for number in range(200):
        life.round(kills=True)
        if number % 70 == 35:
            life.forget_for_good(life.random.choice(trio))
    assert_converged(life)
    assert life.killed > 10


def test_the_changelog_says_the_same_on_every_machine(ws: Git, tmp_path: Path) -> None:
    """Both sides changed the soul: what is derived from history is derived anew from all of it."""
    init(ws.root, Machine(ws.root).workspace().caller)
    ws.commit_all("what init left")
    _, clones = machines(ws, tmp_path, 2)
    for clone, line in zip(clones, ("Be calm.", "Be quick."), strict=True):
        wish = Amendment(add=f"- {line}")
        soul_edit(clone.workspace(), wish, "The operator wants it.")
    meet(clones)
    assert {clone.tree() for clone in clones} == {clones[0].tree()}
    for clone in clones:
        checked = check(clone.workspace())
        assert (checked.state, checked.waiting) == ("same", 0)
    assert clones[0].text("CHANGELOG.md").count("**Take back:**") == 2
