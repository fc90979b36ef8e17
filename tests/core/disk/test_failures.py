"""What the disk and libgit2 say becomes words with a next step; a bug stays one."""

import errno
import os
from itertools import product

import pytest

from clawgit.core.disk.failures import explained
from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.each import for_each

OID = "dc45eb0430c7f38c029938e37e9080258e88324e"
COMMANDS = (
    ("memory", "add", "Zed likes milk. #knowledge"), ("undo", "--actor", "mia"), ("snapshot",),
    ("status",), ("init",),
)  # fmt: skip


def test_a_damaged_head_is_said_with_a_next_step(
    ws: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ws.root)
    assert run(["init"]) == 0
    head = ws.root / ".git/HEAD"
    for text, command in product(("", "garbage", None), COMMANDS):
        head.unlink(missing_ok=True)
        if text is not None:
            head.write_text(text)
        assert run([*command]) == 1
        answer = capsys.readouterr().err
        assert (".git/HEAD" if text is None else "doctor") in answer, (text, command, answer)


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
