"""Two machines that share one memory; a module may say what they have lived through."""

from pathlib import Path

import pytest

from tests.conftest import Git
from tests.history.machines import Hub, Machine, Pair, machines


@pytest.fixture
def pair(ws: Git, tmp_path: Path) -> Pair:
    hub, (one, two) = machines(ws, tmp_path, 2)
    return hub, one, two


@pytest.fixture
def hub(pair: Pair) -> Hub:
    return pair[0]


@pytest.fixture
def one(pair: Pair) -> Machine:
    return pair[1]


@pytest.fixture
def two(pair: Pair) -> Machine:
    return pair[2]
