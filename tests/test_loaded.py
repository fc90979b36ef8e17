"""What the commands of the fast paths load, pinned by module and not by time: git's hooks,
`triage`, `memory add` and `memory search`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.hooks.hooked import hook_up

HEAVY = frozenset({
    "asyncio", "concurrent", "ctypes", "dataclasses", "difflib", "email", "hashlib", "http", "inspect", "json",
    "logging", "multiprocessing", "pathlib", "socket", "sqlite3", "ssl", "subprocess", "tempfile",
    "tomllib", "traceback", "zoneinfo",
})  # fmt: skip
"""Of the standard library: what takes more than two milliseconds to load."""

COMMAND = {"click", "inspect", "json", "pathlib"}
"""What every command loads but a plain search or `memory add`; click itself loads inspect."""

WITH_NUMPY = {"ctypes", "inspect", "onnxruntime"}
LIBGIT2 = {"pygit2", "_cffi_backend"}
"""Its compiled part: the whole of pygit2 loads ssl, socket and subprocess, too."""

_OF_PYTHON = ("_sysconfig", "_distutils_hack", "sitecustomize", "usercustomize", "__")
"""What an interpreter loads by itself: Debian's has a `sitecustomize`."""

_END = """
import atexit, sys
def _written(modules=sys.modules):
    with open({file!r}, "w") as file:
        file.write("\\n".join([*modules]))
atexit.register(_written)
"""


def loaded(file: Path) -> set[str]:
    """The third-party modules, and the heavy ones of the standard library."""
    names = {name.partition(".")[0] for name in file.read_text().split()}
    others = {
        name
        for name in names - sys.stdlib_module_names - {"clawgit"}
        if not name.startswith(_OF_PYTHON)
    }
    return others | (names & HEAVY)


@pytest.fixture
def space(ws: Git, tmp_path: Path) -> Git:
    """A workspace that has been searched and written to before, as most have."""
    run(ws, tmp_path / "first", "init", ".")
    run(ws, tmp_path / "first", "memory", "add", "Ana prefers green tea.")
    run(ws, tmp_path / "first", "memory", "search", "tea")
    return ws


def run(ws: Git, file: Path, *command: str) -> set[str]:
    code = _END.format(file=str(file)) + "from clawgit.quick.entry import main; main()"
    subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=ws.root,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=120,
        env={**os.environ, "TZ": "UTC"},  # elsewhere the zone is loaded, too
    )
    return loaded(file)


def test_triage(space: Git, tmp_path: Path) -> None:
    assert run(space, tmp_path / "loaded", "triage", "No, I said Tuesday.") == COMMAND


def test_memory_add(space: Git, tmp_path: Path) -> None:
    added = run(space, tmp_path / "loaded", "memory", "add", "The nas has the address 10.0.0.7.")
    assert added == {*LIBGIT2, "ctypes", "json", "pathlib", "sqlite3"}


def test_an_ordinary_fact_needs_no_judge_of_other_subjects(space: Git, tmp_path: Path) -> None:
    """What two texts contradict, what may leave a full notebook and what other agents share is
    asked for seldom.
    """
    file = tmp_path / "loaded"
    run(space, file, "memory", "add", "The nas has the address 10.0.0.7.")
    own = {name for name in file.read_text().split() if name.startswith("clawgit.")}
    seldom = (
        "clawgit.domain.claims.contradicting",
        "clawgit.domain.compaction.tidy",
        "clawgit.domain.promotion",
        "clawgit.language.lexicon",
        "clawgit.ops.workspace.shared",
    )
    assert [name for name in own if name.startswith(seldom)] == []
    assert "clawgit.ops.facts.remember" in own


def test_memory_search(space: Git, tmp_path: Path) -> None:
    """Where numpy and onnxruntime are installed, they compare vectors and read the best lines."""
    found = run(space, tmp_path / "loaded", "memory", "search", "green tea")
    assert found == {"json", "pathlib", "sqlite3"} | found & {"numpy", *WITH_NUMPY}


def test_a_known_word(space: Git, tmp_path: Path) -> None:
    """Where words fill the page, no vector is read."""
    teas = "".join(f"## {one}\n\n- Tea {one}.\n\n" for one in "abcdefgh")
    space.write("memory/2026-02-14.md", teas)
    found = run(space, tmp_path / "loaded", "search", "tea")
    assert found == {"json", "pathlib", "sqlite3"}


def test_the_hooks_of_a_commit(ws: Git, tmp_path: Path) -> None:
    """A commit of an agent that changes memory, through the hooks as they are installed."""
    hooked = hook_up(ws.root, python=sys.executable)
    for name in ("pre-commit", "commit-msg"):
        _watch(ws.root / ".git" / "hooks" / name, tmp_path / name)
    hooked.write("memory/2026-02-14.md", "# 2026-02-14\n\n- Met Bob. #event\n")
    hooked("add", "-A")
    # The shell part of commit-msg starts Python only for a message that may hold a secret.
    hooked("commit", "-q", "-m", "Bob forgot the password")
    # The weights of the judge of planted text have a head in JSON.
    assert loaded(tmp_path / "pre-commit") == {"json"}
    assert loaded(tmp_path / "commit-msg") == set()


def test_the_hook_of_a_commit_that_changes_the_soul(ws: Git, tmp_path: Path) -> None:
    """The settings must be read for it, and no library beside."""
    hooked = hook_up(ws.root, python=sys.executable)
    _watch(ws.root / ".git" / "hooks" / "pre-commit", tmp_path / "pre-commit")
    hooked.write("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n- Ask first.\n")
    hooked("add", "-A")
    hooked("commit", "-q", "-m", "A principle", ok=False)
    assert loaded(tmp_path / "pre-commit") == {"json", "pathlib", "sqlite3"}


def _watch(hook: Path, file: Path) -> None:
    """Has an installed hook write down what it loaded."""
    text = hook.read_text()
    start = "start='import sys; "
    assert start in text
    code = _END.format(file=str(file)).replace("'", '"')
    hook.write_text(text.replace(start, f"start='{code}import sys; "))


def test_numpy_brings_no_threads_along() -> None:
    """They cost each search 20 ms while they start, and more while they wait for each other."""
    code = """
from pathlib import Path
from clawgit.doors import numpy as np
assert np.ones((4096, 256), np.float32).dot(np.ones(256, np.float32)).sum()
print(len([*Path("/proc/self/task").iterdir()]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
