"""Events in every order around one transaction: nothing is lost, and no line is there twice."""

from itertools import product
from pathlib import Path

import pytest

from tests import ready
from tests.conftest import run_to_end
from tests.storm import HOUSE

PAIRS = (("edited", "prepared"), ("edited", "exchanged"), ("prepared", "exchanged"))
"""Steps of a transaction between which the file changes for others: read by us, written beside
it, displaced."""

EDITORS = "asdt"
"""Who appends a line, saves an old text with one more, deletes, writes anew in two pieces."""


def faults_of(root: Path, *arguments: str) -> str:
    return run_to_end(ready.python(), "-m", "tests.orders", root, *arguments, cwd=HOUSE).stdout


def test_two_editors_around_an_exchange(tmp_path: Path) -> None:
    orders = [
        f"add {first}:{one} {second}:{other}"
        for first, second in PAIRS
        for one, other in zip(EDITORS, [*EDITORS[1:], *EDITORS[:1]], strict=True)
    ]
    found = faults_of(tmp_path / "r", "0", *(f"--order={order}" for order in orders))
    assert found == f"{len(orders)} orders, 0 of them with faults\n"


def test_an_editor_and_a_kill(tmp_path: Path) -> None:
    orders = [
        f"{task} {step}:{editor} {killed}:k"
        for task, step in (("undo", "prepared"), ("heading", "exchanged"))
        for editor, killed in product("as", ("exchanged", "ref-moved"))
    ]
    # What was displaced is in the file, and its card says so; then the file is written over.
    orders.append("add prepared:f noting-hold:w noting-hold:k")
    found = faults_of(tmp_path / "r", "0", *(f"--order={order}" for order in orders))
    assert found == f"{len(orders)} orders, 0 of them with faults\n"


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("task", ["add", "twice", "heading", "undo", "delete"])
def test_every_order_of_two_events(tmp_path: Path, task: str) -> None:
    found = faults_of(tmp_path / "r", "2", "--tasks", task, "--events", "asdtok")
    assert found.endswith(" orders, 0 of them with faults\n")
