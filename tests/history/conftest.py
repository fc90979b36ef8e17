"""Two machines that share one memory; a module may say what they have lived through."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import Git, move_in
from tests.history.machines import Hub, Machine, Pair, copied, machines


@pytest.fixture(scope="session")
def shared(molds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a remote and two clones of it, of which the tests get copies."""
    folder = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        machines(Git(shutil.copytree(molds / "begun", folder / "ws")), folder, 2)
    return folder


@pytest.fixture
def pair(shared: Path, tmp_path: Path) -> Pair:
    return copied(shared, tmp_path)


@pytest.fixture
def hub(pair: Pair) -> Hub:
    return pair[0]


@pytest.fixture
def one(pair: Pair) -> Machine:
    return pair[1]


@pytest.fixture
def two(pair: Pair) -> Machine:
    return pair[2]
