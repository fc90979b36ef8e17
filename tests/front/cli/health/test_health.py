"""`status` and `doctor` as they are typed: what they print, in words and in JSON, and how they
exit."""

import os
from pathlib import Path
from typing import Any

import pytest

from clawgit.git.store import GitStore
from clawgit.health.doctor import CHECKS
from tests.conftest import Git
from tests.front.cli.typed import Terminal, call
from tests.health.test_doctor import sound
from tests.health.test_status import shrink

__all__ = ["sound"]


@pytest.fixture
def here(sound: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A workspace with nothing wrong, and we are in it."""
    monkeypatch.chdir(sound.root)
    return sound


@pytest.fixture
def alert(here: Git, store: GitStore) -> str:
    return shrink(here, store)


def said(*words: str) -> tuple[int, str]:
    return call(*words)[:2]


def answer(*words: str) -> tuple[int, Any]:
    told = call(*words, "--json")
    return told.code, told.json


BACKGROUND = [
    "",
    "index   not built yet; the first search builds it",
    "layout  openclaw",
    "scope   *.md",
    "runner  none: clawgit schedule install",
]


def test_status_of_a_quiet_workspace_is_one_line(here: Git) -> None:
    line = f"main  {here.head()[:10]}  everything is committed  {here.root}"
    assert said("status") == (0, f"{line}\n")
    assert said("status", "--all")[1].splitlines() == [line, *BACKGROUND]


def test_status_of_a_stopped_rebase_does_not_say_that_all_is_committed(here: Git) -> None:
    here.diverge("SOUL.md", "side\n", "main\n")
    here("rebase", "-q", "side", ok=False)
    told = said("status")[1]
    assert "in conflict: SOUL.md" in told
    assert "everything is committed" not in told


def test_status_tells_what_waits_and_what_to_do(here: Git, alert: str) -> None:
    (here.root / "SOUL.md").unlink()
    for day in range(10, 20):
        here.write(f"memory/2026-02-{day}.md", "- Something.\n")
    (here.root / "memory" / "link.md").symlink_to("2026-02-13.md")
    code, text = said("status")
    assert code == 0
    step = f"clawgit show {alert}, clawgit undo {alert} if it is wrong"
    step += f", then clawgit status --ack {alert}"
    rows = [
        "! shrink MEMORY.md 1008 -> 7 bytes  2026-02-14 09:00",
        f"  → {step}",
        "",
        "11 files not yet committed",
        "  gone    SOUL.md",
        *(f"  edited  memory/2026-02-{day}.md" for day in range(10, 17)),
        "  … and 3 more",
        "  → clawgit snapshot",
        "never committed",
        "  memory/link.md  a symlink",
    ]
    assert text.splitlines()[2:] == rows
    whole = said("status", "--all")[1].splitlines()
    assert "  edited  memory/2026-02-19.md" in whole
    assert whole[-len(BACKGROUND) :] == BACKGROUND


def test_the_operator_and_nobody_else_acknowledges_an_alert(
    here: Git, alert: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for more in ((), ("--actor", "fig"), ("--dry-run",)):
        for name in ((), (alert,)):
            code, shape = answer("status", *more, "--ack", *name)
            assert (code, shape["error"]["kind"]) == (1, "not_the_operator"), more
    assert [shown["id"] for shown in answer("status")[1]["alerts"]] == [alert]
    monkeypatch.setattr("sys.stdin", Terminal())
    done = {"acknowledged": [alert], "commit": None, "id": None, "changed": []}
    assert answer("status", "--ack", "--dry-run") == (0, done)
    assert answer("status", "--ack", alert) == (0, done)
    assert said("status", "--ack") == (0, "no alerts\n")
    assert answer("status")[1]["alerts"] == []


def test_doctor_exits_1_while_a_problem_is_left_and_mends_what_is_safe(here: Git) -> None:
    (here.root / ".git/info/attributes").unlink()
    code, text = said("doctor")
    assert code == 1
    assert text.startswith("✗ hooks  plain git merges memory line by line: ")
    assert "         → `clawgit doctor --fix` puts the merge driver in.\n" in text
    assert text.endswith("1 problem left\n")
    mend = "have plain git merge memory by entries"
    code, text = said("doctor", "--dry-run")
    assert (code, text.endswith(f"would {mend}\n1 problem left\n")) == (1, True)
    assert said("doctor", "--fix") == (0, f"done: {mend}\n{len(CHECKS)} checks pass\n")
    assert said("doctor")[0] == 0


def test_nothing_is_a_problem_right_after_init(tmp_path: Path) -> None:
    """Also where links, files without rights and an environment lie beside the memory."""
    folder = Git(tmp_path / "folder")
    folder.root.mkdir()
    for path, text in (("SOUL.md", "# Soul\n"), ("memory/2026-02-13.md", "- A.\n")):
        folder.write(path, text)
    (folder.root / "skills").mkdir()
    (folder.root / "skills" / "shared").symlink_to(tmp_path)
    page = folder.write(".venv/lib/README.md", "# A package\n")
    os.link(page, page.with_name("LICENSE.md"))
    folder.write("tool.sh", "true\n").chmod(0o444)
    assert said("init", str(folder.root))[0] == 0
    code, shape = answer("-C", str(folder.root), "doctor")
    assert [check for check in shape["checks"] if not check["ok"] or check["fix"]] == []
    assert code == 0
    status = answer("-C", str(folder.root), "status")[1]
    assert (status["alerts"], status["dirty"], status["skipped"]) == ([], [], [])
