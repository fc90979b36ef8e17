"""What the disk and libgit2 say becomes words with a next step; a bug stays one."""

import errno
import os
from collections.abc import Callable
from itertools import cycle

import pytest

from clawgit.core.disk.failures import explained
from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.each import for_each

OID = "dc45eb0430c7f38c029938e37e9080258e88324e"
DAMAGES: dict[str, tuple[str, Callable[[bytes], bytes | None]]] = {
    "missing blob": ("HEAD:MEMORY.md", lambda _: None),
    "zeroed blob": ("HEAD:MEMORY.md", lambda data: bytes(len(data))),
    "halved commit": ("HEAD", lambda data: data[: len(data) // 2]),
    "missing commit": ("HEAD", lambda _: None),
    "missing tree": ("HEAD^{tree}", lambda _: None),
}
COMMANDS = (
    ("memory", "add", "Zed likes milk. #knowledge"),
    ("undo", "--actor", "mia"),
    ("snapshot",),
)


@pytest.mark.parametrize(("damage", "command"), [*zip(DAMAGES, cycle(COMMANDS), strict=False)])
def test_a_damaged_object_is_said_with_a_next_step(
    ws: Git,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    damage: str,
    command: tuple[str, ...],
) -> None:
    monkeypatch.chdir(ws.root)
    assert run(["init"]) == 0
    assert run(["memory", "add", "Ana leads Harbor. #knowledge", "--actor", "mia"]) == 0
    ws.write("MEMORY.md", (ws.root / "MEMORY.md").read_text() + "\n- mine\n")
    name, harm = DAMAGES[damage]
    oid = ws("rev-parse", name).strip()
    file = ws.root / ".git/objects" / oid[:2] / oid[2:]
    broken = harm(file.read_bytes())
    file.unlink()
    if broken is not None:
        file.write_bytes(broken)
    before = (ws.root / "MEMORY.md").read_bytes()
    capsys.readouterr()
    code = run([*command])
    answer = capsys.readouterr().err
    assert code in (0, 1), answer
    assert not code or "clawgit doctor --fix" in answer, answer
    assert (ws.root / "MEMORY.md").read_bytes().startswith(before[:20])


@pytest.mark.parametrize("text", ["", "garbage", None])
def test_a_damaged_head_is_said_with_a_next_step(
    ws: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    monkeypatch.chdir(ws.root)
    assert run(["init"]) == 0
    head = ws.root / ".git/HEAD"
    head.unlink()
    if text is not None:
        head.write_text(text)
    for command in (*COMMANDS, ("status",), ("init",)):
        assert run([*command]) == 1
        answer = capsys.readouterr().err
        assert ".git/HEAD" in answer if text is None else "doctor" in answer, (command, answer)


@for_each(
    "error, words",
    [
        (PermissionError(errno.EACCES, "Permission denied", "a.db"), "a.db cannot be used"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "keys"), "keys cannot be used"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "x"), "disk is full"),
        (OSError(errno.EMFILE, os.strerror(errno.EMFILE)), "files are open"),
        (KeyError(OID), "object dc45eb0430"),
    ],
)
def test_what_the_machine_says_is_no_bug(error: Exception, words: str) -> None:
    known = explained(error)
    assert known is not None
    assert words in known.message
    assert known.hint


@for_each("error", [KeyError("name"), ValueError("x"), OSError("lost"), KeyError()])
def test_a_bug_stays_one(error: Exception) -> None:
    assert explained(error) is None
