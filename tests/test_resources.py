"""The folder lookup, driven in real copies of the package, each laid out as one kind of
installation leaves it."""

import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parents[1]
LOOK_UP = """
import sys
sys.path.insert(0, sys.argv[1])
from clawgit.core.errors import NotFoundError
from clawgit.core.resources import own_program, resource
try:
    print(resource(sys.argv[2]))
except NotFoundError as error:
    print(error.message, error.hint, sep="|")
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder that holds these modules and nothing else, like a broken installation."""
    package = tmp_path / "site" / "clawgit"
    (package / "core/doors").mkdir(parents=True)
    core = ("__init__", "doors/__init__", "errors", "resources", "values")
    for name in ("__init__.py", *(f"core/{module}.py" for module in core)):
        (package / name).write_bytes((REPO / "clawgit" / name).read_bytes())
    return package.parent


def look_up(site: Path, kind: str = "templates") -> str:
    # -I -S keep out the folder we stand in, the environment and the .pth file that leads to this
    # repository.
    argv = [sys.executable, "-I", "-S", "-c", LOOK_UP, str(site), kind]
    return subprocess.run(argv, cwd=site, check=True, capture_output=True, text=True).stdout.strip()


def test_what_the_wheel_brought_goes_before_a_source_tree(site: Path) -> None:
    (site / "pyproject.toml").touch()
    (site / "templates").mkdir()
    (site / "clawgit/_files/templates").mkdir(parents=True)
    assert look_up(site) == str(site / "clawgit/_files/templates")


@pytest.mark.parametrize("kind", ["templates", "hooks"])
def test_a_stranger_s_folder_beside_an_installed_package_is_not_ours(site: Path, kind: str) -> None:
    (site / kind).mkdir()
    message, hint = look_up(site, kind).split("|")
    assert f"no {kind} folder" in message
    assert str(site / "clawgit/_files" / kind) in message
    assert "Install it again" in hint


def test_python_is_started_nowhere_with_the_current_folder_on_its_path() -> None:
    starts = [
        f"{file}: {line}"
        for file in (REPO / "clawgit").rglob("*.py")
        for line in file.read_text().splitlines()
        if '"-m"' in line and '"-P"' not in line and '"-EP"' not in line and "executable" in line
    ]
    assert starts == []
