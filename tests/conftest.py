"""Fixtures: real git repositories in a temporary folder, under a home and a git configuration of
their own."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

from clawgit.domain.change.actors import Actor
from clawgit.domain.change.history import Intent
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.store import GitStore

NOW = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
MINER = Actor("memory-miner", "Memory Miner")

# How many times the examples of each Hypothesis test. The suite tries a few, and the same ones each
# time; `make test-slow` sets 20, and then they are chosen by chance.
EXAMPLES = int(os.environ.get("CLAWGIT_EXAMPLES", "1"))
settings.register_profile("suite", max_examples=20, deadline=None, derandomize=EXAMPLES == 1)
settings.load_profile("suite")


def pytest_configure() -> None:
    """A shell that starts the suite in the background has it ignore Ctrl-C, and every child would
    inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Multiplies the examples of the Hypothesis tests, those with a number of their own
    included."""
    if EXAMPLES == 1:
        return
    tests = {item.obj for item in items if isinstance(item, pytest.Function)}
    for test in tests:
        if is_hypothesis_test(test):
            few = test._hypothesis_internal_use_settings
            test._hypothesis_internal_use_settings = settings(
                few, max_examples=few.max_examples * EXAMPLES
            )


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of homes that are free. pytest's own way looks at all those that are there, each
    time."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _hermetic(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    home = next(homes)
    home.mkdir()
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Olga Operator\n\temail = olga@example.org\n[init]\n\tdefaultBranch = "
        "main\n"
        '[gc]\n\tauto = 0\n[protocol "file"]\n\tallow = always\n'
    )
    for name in [
        name for name in os.environ if name.startswith(("GIT_", "CLAWGIT_", "OPENCLAW_", "XDG_"))
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("TZ", "UTC")


class Git:
    """Plain git in one work tree, as its users call it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, *args: str, ok: bool = True, stdin: str | None = None) -> str:
        done = subprocess.run(
            ["git", *args], cwd=self.root, capture_output=True, text=True, check=False, input=stdin
        )
        assert not ok or done.returncode == 0, done.stderr
        return done.stdout

    def commit_all(self, message: str) -> str:
        self("add", "-A")
        self("commit", "-q", "-m", message, "--allow-empty")
        return self("rev-parse", "HEAD").strip()

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return file

    def status(self) -> str:
        return self("status", "--porcelain")

    def head(self) -> str:
        return self("rev-parse", "HEAD").strip()


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """An empty repository with an unborn branch."""
    root = tmp_path / "ws"
    root.mkdir()
    made = Git(root)
    made("init", "-q")
    made("config", "user.name", "Olga Operator")
    made("config", "user.email", "olga@example.org")
    return made


@pytest.fixture
def ws(git: Git) -> Git:
    """A repository with a little memory in it and one commit."""
    git.write("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n")
    git.write("MEMORY.md", "# Memory\n\n- Billing uses PostgreSQL. #decision\n")
    git.write("memory/2026-02-13.md", "# 2026-02-13\n\n- Met Ana.\n")
    git.commit_all("start")
    return git


@pytest.fixture
def open_store() -> Iterator[Callable[..., GitStore]]:
    """Opens stores that are closed when the test ends."""
    opened: list[GitStore] = []

    def open_one(root: Path, **options: object) -> GitStore:
        place = repo_at(root)
        assert place is not None
        store = GitStore(place, os.environ, **options)  # type: ignore[arg-type]
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(ws: Git, open_store: Callable[..., GitStore]) -> GitStore:
    return open_store(ws.root)


def intent(summary: str = "learn something", verb: str = "edit", **fields: object) -> Intent:
    return Intent(actor=MINER, verb=verb, summary=summary, **fields)  # type: ignore[arg-type]
