"""Fixtures: real git repositories in a temporary folder, under a home and a git configuration of
their own."""

import gc
import os
import shutil
import signal
import ssl
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from clawgit.core import surroundings
from clawgit.core.doors import pygit2
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.history import Intent
from clawgit.git.store import GitStore
from clawgit.workspace.stores.state import State, open_state
from clawgit.workspace.stores.state_log import log_of
from tests.examples import TIMES, multiply
from tests.quick import quicken

NOW: datetime = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
_AS_CHANGE_ID = str.maketrans("0123456789abcdef", "klmnopqrstuvwxyz")
MINER = Actor("memory-miner", "Memory Miner")

# The door first: then the suite uses of pygit2 what a command uses.
_GitError = pygit2.GitError
_Repository = pygit2.whole().Repository

# The suite tries a few examples, and the same ones each time; `make test-examples` tries many.
settings.register_profile(
    "suite",
    max_examples=10,
    deadline=None,
    derandomize=TIMES == 1,
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no fault of the test
)
settings.load_profile("suite")


def _memory() -> str | None:
    """A folder in memory, with room for the suite and the right to start programs from it."""
    memory = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own in there
    if not os.access(memory, os.W_OK):
        return None
    facts = os.statvfs(memory)
    roomy = facts.f_bavail * facts.f_frsize > _ENOUGH
    return str(memory) if roomy and not facts.f_flag & os.ST_NOEXEC else None


_ENOUGH = 2 << 30
# Thousands of small repositories are made: in memory the system needs half the time for it.
if "TMPDIR" not in os.environ and (memory := _memory()):
    os.environ["TMPDIR"] = tempfile.tempdir = memory


def pytest_configure() -> None:
    """A shell that starts the suite in the background has it ignore Ctrl-C, and every child would
    inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    quicken()
    surroundings.look_seldom()  # as `clawgit` does


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: of its time, a test waits a third for the processes
    that it started."""
    return (os.cpu_count() or 1) * 3 // 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """The thousands of tests are no garbage: nobody need look through them, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    multiply(items)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of homes that are free. pytest's own way looks at all those that are there, each
    time."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(scope="session")
def one_root(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """One of the authorities that this machine trusts. Each client of a model reads all of them,
    40 ms, and the tests speak to nobody out there."""
    trusted = ssl.create_default_context().get_ca_certs(binary_form=True)
    if not trusted:
        return None
    file = tmp_path_factory.mktemp("root") / "root.pem"
    file.write_text(ssl.DER_cert_to_PEM_cert(trusted[0]))
    return file


@pytest.fixture(autouse=True)
def _hermetic(
    homes: Iterator[Path], one_root: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    move_in(next(homes), monkeypatch)
    if one_root:
        monkeypatch.setenv("SSL_CERT_FILE", str(one_root))


def move_in(home: Path, patch: pytest.MonkeyPatch) -> None:
    """Makes a home, and an environment that knows no other."""
    home.mkdir()
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Olga Operator\n\temail = olga@example.org\n"
        '[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n'
        # A process that only finds that it has nothing to do is half the time of a commit.
        "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n"
    )
    for name in list(os.environ):
        if name.startswith(("GIT_", "CLAWGIT_", "OPENCLAW_", "XDG_")):
            patch.delenv(name)
    patch.setenv("HOME", str(home))
    patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    patch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    patch.setenv("TZ", "UTC")
    # Nobody is there to leave a pager.
    patch.setenv("PAGER", "cat")


def run_to_end(*argv: str | Path, **how: Any) -> subprocess.CompletedProcess[str]:
    """A program that is run, however it ends, with what it said."""
    return subprocess.run(argv, capture_output=True, text=True, check=False, **how)


def files_below(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, but for the repository in it."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {
        path.as_posix(): (folder / path).read_bytes() for path in files if path.parts[0] != ".git"
    }


class Git:
    """Plain git in one work tree, as its users call it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, *args: str, ok: bool = True, stdin: str | None = None) -> str:
        done = run_to_end("git", *args, cwd=self.root, input=stdin, timeout=100)
        assert not ok or done.returncode == 0, done.stderr
        return done.stdout

    def commit_all(self, message: str) -> str:
        self("add", "-A")
        self("commit", "-q", "-m", message, "--allow-empty")
        return self.head()

    def commit_file(self, path: str, text: str, message: str) -> str:
        """Writes a file, and commits that with whatever else was changed."""
        self.write(path, text)
        return self.commit_all(message)

    def stage(self, path: str, text: str) -> None:
        """Writes a file, and stages that with whatever else was changed."""
        self.write(path, text)
        self("add", "-A")

    def commit_as_operator(self, message: str) -> str:
        """A commit with the message that the hooks give it at a terminal."""
        name = f"Clawgit-Id: {self.head()[:8].translate(_AS_CHANGE_ID)}"
        return self.commit_all(f"{message}\n\n{name}\nClawgit-Op: operator/commit")

    def diverge(self, path: str, theirs: str, ours: str, start: str = "HEAD") -> None:
        """A branch `side` and `main`, on which we stay, disagree about a file."""
        self("checkout", "-q", "-b", "side", start)
        self.commit_file(path, theirs, "side")
        self("checkout", "-q", "main")
        self.commit_file(path, ours, "main")

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return file

    def status(self) -> str:
        return self("status", "--porcelain")

    def head(self) -> str:
        try:
            return str(_Repository(self.root).head.target)
        except _GitError:  # a repository that libgit2 cannot read, or whose HEAD is odd
            return self("rev-parse", "HEAD").strip()


_WORKSPACE = {
    "SOUL.md": "# Soul\n\n- Be kind.\n- Be brief.\n",
    "MEMORY.md": "# Memory\n\n- Billing uses PostgreSQL. #decision\n",
    "memory/2026-02-13.md": "# 2026-02-13\n\n- Met Ana.\n",
}


@pytest.fixture(scope="session")
def molds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repositories that the tests get copies of: `empty` has no commit, `begun` has one."""
    folder = tmp_path_factory.mktemp("molds")
    with pytest.MonkeyPatch.context() as patch:
        move_in(folder / "home", patch)
        for name in ("empty", "begun"):
            mold = Git(folder / name)
            mold.root.mkdir()
            mold("init", "-q", "-b", "main", "--template=")
            mold("config", "user.name", "Olga Operator")
            mold("config", "user.email", "olga@example.org")
            for usual in ("hooks", "info"):
                (mold.root / ".git" / usual).mkdir()
        for path, text in _WORKSPACE.items():
            mold.write(path, text)
        mold.commit_all("start")
    return folder


@pytest.fixture
def git(tmp_path: Path, molds: Path) -> Git:
    """An empty repository with an unborn branch."""
    return Git(shutil.copytree(molds / "empty", tmp_path / "ws"))


@pytest.fixture
def ws(git: Git, molds: Path) -> Git:
    """A repository with a little memory in it and one commit."""
    return poured(molds / "begun", git, _WORKSPACE)


def poured(mold: Path, git: Git, paths: Iterable[str]) -> Git:
    """A copy of a mold with these files, in an empty repository."""
    shutil.copytree(mold, git.root, dirs_exist_ok=True)
    # The index knows when the files of the mold were changed, and git would read the copies again.
    index = _Repository(git.root).index
    index.add_all(list(paths))
    index.write()
    return git


OpenStore = Callable[..., GitStore]


@pytest.fixture
def open_store() -> Iterator[OpenStore]:
    """Opens stores that are closed when the test ends."""
    opened: list[GitStore] = []

    def open_one(root: Path, **options: object) -> GitStore:
        store = GitStore(find_repo(root), os.environ, **options)  # type: ignore[arg-type]
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(ws: Git, open_store: OpenStore) -> GitStore:
    return open_store(ws.root)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    """A `state.db` of its own, and its log."""
    with open_state(tmp_path / "state.db", log_of(tmp_path / "copies", tmp_path), NOW) as opened:
        yield opened


def program(file: Path, body: str) -> Path:
    """A script of the shell that can be called."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file


def intent(summary: str = "learn something", verb: str = "edit", **fields: object) -> Intent:
    return Intent(actor=MINER, verb=verb, summary=summary, **fields)  # type: ignore[arg-type]


from tests.soulful import soulful  # noqa: E402, F401 - a fixture for all, of what stands above
