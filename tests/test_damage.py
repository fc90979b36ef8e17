"""Every file that clawgit keeps for itself, damaged in every way, under every kind of command:
nothing acknowledged is lost, nobody sees a traceback, and what is derived heals by itself.
"""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from clawgit.workspace.stores.state_log import log_of
from tests.conftest import Git, files_below, run_to_end
from tests.each import slow_unless
from tests.ended import until
from tests.ready import programs, python

Clawgit = Callable[..., "Said"]

MESSAGES = ("Ana leads Harbor.", "Grüße 犬", "Billing moves to Berlin.", "Good night.")
FACT = "Ana leads Harbor"


class Said(str):
    """What a command said, and how it ended."""

    code: int
    __slots__ = ("code",)


def _flip(file: Path) -> None:
    """One byte in 200, by chance that is always the same."""
    data, chance = bytearray(file.read_bytes()), random.Random(file.name)
    for _ in range(max(len(data) // 200, 1)):
        data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
    file.write_bytes(data)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _full_folder(file: Path) -> None:
    _folder(file)
    (file / "note.txt").write_text("somebody's")


def _dangling(file: Path) -> None:
    file.unlink()
    file.symlink_to("nowhere/at-all")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "zero": lambda file: file.write_bytes(bytes(file.stat().st_size)),
    "half": lambda file: os.truncate(file, file.stat().st_size // 2),
    "empty": lambda file: os.truncate(file, 0),
    "flip": _flip, "folder": _folder, "full folder": _full_folder, "dangling link": _dangling,
    "mode 000": lambda file: file.chmod(0),
}  # fmt: skip
FILES = {
    "search.db": "search.db", "state.db": "state.db",
    "vectors": "vectors/*.vectors",
}  # fmt: skip
COMMANDS: dict[str, tuple[str, ...]] = {
    "search": ("memory", "search", "Harbor"),
    "memory add": ("memory", "add", "The gate is blue. #knowledge"),
    "heartbeat": ("heartbeat", "Please remember the gate.", "--id", "new"),
    "chat list": ("chat", "search", "--json"),
    "status": ("status",),
    "doctor": ("doctor",),
    "doctor --fix": ("doctor", "--fix"),
    "context": ("context",),
}
SHORT = [
    ("state.db", "zero", "chat list"), ("state.db", "flip", "heartbeat"),
    ("state.db", "full folder", "doctor --fix"), ("state.db", "dangling link", "status"),
    ("search.db", "folder", "memory add"), ("search.db", "flip", "context"),
    ("vectors", "folder", "search"), ("vectors", "dangling link", "context"),
]  # fmt: skip


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a workspace that has said and learned something, to be copied for each
    damage."""
    return tmp_path_factory.mktemp("lived")


@pytest.fixture
def clawgit(
    lived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Clawgit:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-14T09:00:00+00:00")
    # What works off a queue starts in the background.
    monkeypatch.setattr("sys.executable", python())
    for folder in (lived, tmp_path):
        (folder / "ws").mkdir(exist_ok=True)

    def call(*args: str) -> Said:
        code = run([*args])
        said = capsys.readouterr()
        answer = Said(said.out + said.err)
        answer.code = code
        return answer

    if not (lived / "ws/.git").exists():
        monkeypatch.setenv("XDG_STATE_HOME", str(lived / "state"))
        monkeypatch.chdir(lived / "ws")
        _live(call, Git(lived / "ws"))
        # What it started in the background ends before it is copied.
        until(lambda: not _is_at_work_in(lived), 20)
    shutil.copytree(lived, tmp_path, symlinks=True, dirs_exist_ok=True)
    # The copies of a state lie under a name that the path of its workspace makes.
    (tmp_path / "state/clawgit" / log_of(lived / "state", lived / "ws").folder.name).rename(
        log_of(tmp_path / "state", tmp_path / "ws").folder
    )
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path / "ws")
    return call


def _live(clawgit: Clawgit, git: Git) -> None:
    git("init", "-q")
    assert clawgit("init").code == 0
    assert clawgit("memory", "add", f"{FACT}. #knowledge").code == 0
    git.write("memory/structured/facts.md", "# Facts\n\n## People\n\n- Ana leads Harbor.\n")
    git.commit_all("facts")
    for number, text in enumerate(MESSAGES):
        assert clawgit("heartbeat", text, "--id", str(number)).code == 0
    for args in (("memory", "index"), ("memory", "search", "Harbor"), ("status",)):
        assert clawgit(*args).code == 0, args


def _is_at_work_in(folder: Path) -> bool:
    """Whether a program was started for a folder below this one, or has a file there open."""
    others = (one for one in Path("/proc").glob("[0-9]*") if int(one.name) != os.getpid())
    return any(place.startswith(str(folder)) for one in others for place in _places_of(one))


def _places_of(process: Path) -> Iterator[str]:
    """What a program was called with, where it works and what it has open; it may end meanwhile."""
    with suppress(OSError):
        yield from (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
    for link in (process / "cwd", *process.glob("fd/*")):
        with suppress(OSError):
            yield str(link.readlink())


def damaged(root: Path, file: str, damage: str) -> list[Path]:
    """Damages each file of ours of that name, logs of SQLite beside it left as they are; says
    which."""
    there = [path for path in (root / ".git/clawgit").glob(FILES[file]) if path.is_file()]
    assert there, f"there is no {file} yet"
    for path in there:
        DAMAGES[damage](path)
    return there


@pytest.mark.parametrize(
    ("file", "damage", "command"), slow_unless(SHORT, product(FILES, DAMAGES, COMMANDS))
)
def test_nothing_acknowledged_is_lost(
    clawgit: Clawgit, tmp_path: Path, file: str, damage: str, command: str
) -> None:
    root = tmp_path / "ws"
    there = damaged(root, file, damage)
    first = clawgit(*COMMANDS[command])
    assert first.code in (0, 1), first
    assert "Traceback" not in first
    assert first.code == 0 or command.startswith("doctor") or "next:" in first, first
    acknowledged = [
        *MESSAGES,
        *(["Please remember the gate."] if command == "heartbeat" and first.code == 0 else []),
    ]
    listed = clawgit("chat", "search", "--json")
    assert listed.code == 0, listed
    texts = [
        message["text"] for message in json.loads(listed[: listed.rindex("}") + 1])["messages"]
    ]
    assert sorted(texts) == sorted(acknowledged)
    assert FACT in (root / "MEMORY.md").read_text()
    found = clawgit("memory", "search", "Harbor")
    assert (found.code, FACT in found) == (0, True), found
    told = clawgit("status")
    assert told.code == 0, told
    assert ("again from its log, which is whole." in told) == (
        file == "state.db" and damage != "mode 000"
    ), told
    assert "Ana leads Harbor" in (root / "memory" / "structured" / "facts.md").read_text()
    history = clawgit("log")
    assert history.code == 0, history
    mended = clawgit("doctor", "--fix")
    assert "✗ state" not in mended, mended
    assert "✗ index" not in mended, mended
    # As root every file can be read; `capsh --drop=cap_dac_override,cap_dac_read_search` makes mode
    # 000 mean something.
    broken = [
        path.name
        for path in there
        if os.path.lexists(path) and not (path.is_file() and os.access(path, os.R_OK))
    ]
    assert not broken


OBJECTS = {
    "a commit": "HEAD~2", "a folder": "HEAD~2:memory", "the newest folder": "HEAD:memory",
    "the newest state": "HEAD^{tree}", "the newest commit": "HEAD", "a text": "HEAD:MEMORY.md",
}  # fmt: skip
OF_GIT: dict[str, tuple[str, ...]] = {
    "status": ("status",),
    "log": ("log",),
    "undo": ("undo", "HEAD~1"),
    "bare undo": ("undo", "--actor", "keeper"),
    "memory add": ("memory", "add", "The gate is blue. #knowledge"),
    "search": ("memory", "search", "Harbor"),
    "snapshot": ("snapshot",),
    "why": ("why", "Harbor"),
}
SHORT_OF_GIT = [
    ("the newest folder", "half", "memory add"), ("the newest folder", "gone", "undo"),
    ("a folder", "half", "undo"), ("a commit", "gone", "log"),
    ("a commit", "half", "bare undo"), ("the newest state", "half", "search"),
    ("a text", "gone", "memory add"), ("a text", "zero", "snapshot"),
]  # fmt: skip
_SECONDS = 30


@pytest.mark.parametrize(
    ("name", "damage", "command"),
    slow_unless(SHORT_OF_GIT, product(OBJECTS, ("gone", "half", "empty", "zero", "flip"), OF_GIT)),
)
@pytest.mark.usefixtures("clawgit")
def test_every_command_ends_where_an_object_of_git_is_damaged(
    tmp_path: Path, name: str, damage: str, command: str
) -> None:
    """It ends with words, and `doctor` names the object."""
    root = tmp_path / "ws"
    git = Git(root)
    for number in range(4):
        git.write("memory/2026-02-14.md", f"# 2026-02-14\n\n- Edit {number} of mine.\n")
        git.commit_all(f"edit {number}")
    git.write("memory/2026-02-14.md", "# 2026-02-14\n\n- Not committed yet.\n")
    oid = git("rev-parse", OBJECTS[name]).strip()
    file = root / ".git/objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    {"gone": Path.unlink, **DAMAGES}[damage](file)

    def typed(*args: str) -> Said:
        # A process of its own: libgit2 is known to turn in a circle here, and nobody could end it.
        done = run_to_end(
            programs() / "clawgit", *args, cwd=root, stdin=subprocess.DEVNULL, timeout=_SECONDS
        )
        said = Said(done.stdout + done.stderr)
        said.code = done.returncode
        return said

    said = typed(*OF_GIT[command])
    assert said.code in (0, 1), said
    assert "Traceback" not in said
    assert said.code == 0 or "next:" in said, said
    assert FACT in (root / "MEMORY.md").read_text()
    doctor = typed("doctor", "--deep")
    assert doctor.code == 1
    assert oid[:10] in doctor, doctor


OF_INDEX: dict[str, Callable[[Path], object]] = {
    **{name: DAMAGES[name] for name in ("empty", "half", "flip", "zero", "folder")},
    "one byte less": lambda file: os.truncate(file, file.stat().st_size - 1),
    "no header": lambda file: file.write_bytes(b"XXXX" + file.read_bytes()[4:]),
}
SHORT_OF_INDEX = ("half", "flip", "folder")
WRITES: tuple[tuple[str, ...], ...] = (
    ("memory", "add", "The gate is blue. #knowledge"),
    ("corrections", "add", "Ana leads Harbor no more."),
    ("soul", "propose", "--add", "Be calm.", "--reason", "asked"), ("snapshot",), ("undo", "HEAD"),
    ("restore", "MEMORY.md", "--at", "HEAD~1"), ("memory", "compact", "--apply"),
    ("config", "set", "max_results", "7"), ("sync",),
)  # fmt: skip


@pytest.mark.parametrize("damage", slow_unless(SHORT_OF_INDEX, OF_INDEX))
def test_a_damaged_index_of_git_is_named_and_rebuilt_and_nothing_else_is_touched(
    clawgit: Clawgit, tmp_path: Path, damage: str
) -> None:
    root = tmp_path / "ws"
    git = Git(root)
    (root / "MEMORY.md").write_text((root / "MEMORY.md").read_text() + "- By hand.\n")
    before, head = files_below(root), git.head()
    OF_INDEX[damage](root / ".git/index")
    for command in WRITES:
        said = clawgit(*command)
        assert said.code == 1, (command, said)
        assert "git's index is damaged" in said, (command, said)
        assert "next: `clawgit doctor --fix` rebuilds it" in said
    examined = clawgit("doctor")
    assert "✗ git index  git's index is damaged" in examined, examined
    mended = clawgit("doctor", "--fix")
    assert mended.code == 0, mended
    assert (files_below(root), git.head(), git.status()) == (before, head, " M MEMORY.md\n")
    assert clawgit(*WRITES[0]).code == 0
