"""`bisect --run` beside everything that it must leave alone, and after it was killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.change.bisect_run import BisectedRun, CheckedState, bisect_run
from clawgit.ops.workspace.workspace import Caller, Workspace, open_workspace
from clawgit.stores.git.gitdir import find_repo
from tests.conftest import NOW, Git

HAS_TEA = "! grep -q tea MEMORY.md"
"""Good until memory speaks of tea."""


def opened(git: Git) -> Workspace:
    return Workspace(find_repo(git.root), Caller(OPERATOR, dict(os.environ), NOW, Path.home()))


def ran(git: Git, command: str, good: str = "", bad: str = "") -> BisectedRun:
    return bisect_run(opened(git), command, good, bad, lambda _: None)


@pytest.fixture
def ten(ws: Git) -> list[str]:
    """Ten changes; the sixth brings tea."""
    oids = []
    for number in range(10):
        ws.write("MEMORY.md", f"# Memory\n\n- Fact {number}.\n{'- tea' if number > 5 else ''}\n")
        oids.append(ws.commit_all(f"fact {number}"))
    return oids


def asides(git: Git) -> list[Path]:
    return [
        *(git.root / ".git" / "worktrees").glob("*"),
        *(git.root / ".git/clawgit").glob("*aside*"),
    ]


def test_the_first_change_after_which_the_check_fails_is_found(ws: Git, ten: list[str]) -> None:
    told: list[CheckedState] = []
    found = bisect_run(opened(ws), HAS_TEA, "", "", told.append)
    assert [one.sha for one in found.found] == [ten[6]]
    assert found.found[0].summary == "fact 6"
    assert found.bring_back == (f"clawgit undo {ten[6][:12]}",)
    assert tuple(told) == found.tested
    assert [state.verdict for state in told[:2]] == ["bad", "good"]
    assert len(told) < 7
    assert asides(ws) == []


def test_nothing_of_the_main_work_tree_moves(ws: Git, ten: list[str]) -> None:
    """Not its files, its index, its HEAD, nor a bisect of the user's own that runs there."""
    ws("bisect", "start", "HEAD", ten[0])
    ws.write("MEMORY.md", "# Memory\n\n- as I type\n")
    ws("add", "MEMORY.md")
    ws.write("new.md", "new\n")
    before = [ws(*asked) for asked in _ALL]
    ran(ws, f"echo x >> MEMORY.md; mkdir d; echo y > d/z; {HAS_TEA}", bad=ten[9])
    assert [ws(*asked) for asked in _ALL] == before


_ALL = (
    ("status", "--porcelain"), ("bisect", "log"), ("rev-parse", "HEAD"), ("reflog",),
    ("for-each-ref",), ("diff", "HEAD"), ("worktree", "list"),
)  # fmt: skip


def test_the_check_runs_in_the_folder_of_the_state(ws: Git, ten: list[str], tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    ran(ws, f'echo "$PWD $CLAWGIT_WORKSPACE $(git rev-parse HEAD)" >> {seen}; {HAS_TEA}')
    rows = [line.split() for line in seen.read_text().splitlines()]
    assert {here == named != str(ws.root) for here, named, _ in rows} == {True}
    assert [head for _, _, head in rows][:2] == [ten[9], ws("rev-parse", f"{ten[0]}~").strip()]


def test_states_that_cannot_be_tested_are_skipped(ws: Git, ten: list[str]) -> None:
    """Between a good and a bad one that are skipped, any of them may be the one."""
    found = ran(ws, f"grep -qE 'Fact (5|6)' MEMORY.md && exit 125; {HAS_TEA}")
    assert {one.sha for one in found.found} == {ten[5], ten[6], ten[7]}
    assert found.bring_back == ()


def test_a_merge_inside_the_range_is_no_hindrance(ws: Git, ten: list[str]) -> None:
    ws("checkout", "-q", "-b", "side", ten[2])
    ws.write("memory/2026-02-20.md", "- coffee\n")
    side = ws.commit_all("coffee")
    ws("checkout", "-q", "main")
    ws("merge", "-q", "--no-edit", "side")
    assert [one.sha for one in ran(ws, "! grep -rq coffee memory").found] == [side]


@pytest.mark.parametrize(
    ("command", "good", "bad", "error", "words"),
    [
        ("true", "", "", NotFoundError, "passes on the newer state"),
        ("false", "", "", NotFoundError, "fails on the older state"),
        ("exit 125", "", "", ClawgitError, "cannot test"),
        ("exit 130", "", "", ClawgitError, "exit code 130"),
        ("kill -9 $$", "", "", ClawgitError, "exit code 137"),
        ("no-such-program-here", "", "", ClawgitError, "exit code 127"),
        ('rm -rf "$PWD"', "", "", ClawgitError, "removed the folder"),
        (HAS_TEA, "HEAD", "HEAD", UsageError, "same one"),
        (HAS_TEA, "HEAD", "HEAD~3", UsageError, "an earlier state"),
        (HAS_TEA, "nowhere", "", NotFoundError, "nowhere"),
        (" ", "", "", UsageError, "no command"),
    ],
)
@pytest.mark.usefixtures("ten")
def test_what_cannot_be_found_is_said_in_words(
    ws: Git, command: str, good: str, bad: str, error: type[ClawgitError], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        ran(ws, command, good, bad)
    assert caught.value.hint
    assert asides(ws) == []


def test_one_commit_or_none_is_said(git: Git, ws: Git) -> None:
    with pytest.raises(UsageError, match="same one"):
        ran(ws, HAS_TEA)
    ws("update-ref", "-d", "HEAD")
    with pytest.raises(NotFoundError, match="no commit"):
        ran(git, HAS_TEA)


def test_a_check_that_removes_git_s_link_touches_no_other_repository(
    ws: Git, ten: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git would look for another repository further up, here that of the folder for temporaries."""
    outer = Git(tmp_path / "outer")
    outer.root.mkdir()
    outer("init", "-q")
    outer.write("mine.txt", "mine")
    monkeypatch.setattr("tempfile.tempdir", str(outer.root))
    assert [one.sha for one in ran(ws, f"rm -f .git; {HAS_TEA}").found] == [ten[6]]
    assert (outer.root / "mine.txt").read_text() == "mine"


def test_a_shallow_clone_is_searched_as_far_as_it_goes(
    ws: Git, ten: list[str], tmp_path: Path
) -> None:
    ws("clone", "-q", "--depth=6", f"file://{ws.root}", str(tmp_path / "shallow"))
    assert [one.sha for one in ran(Git(tmp_path / "shallow"), HAS_TEA).found] == [ten[6]]


@pytest.mark.usefixtures("ten")
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_by_a_command_that_was_ended(
    ws: Git, tmp_path: Path, signal_number: int
) -> None:
    (ws.root / ".git/clawgit").mkdir()
    told = tmp_path / "told"
    os.mkfifo(told)
    argv = [sys.executable, "-m", "clawgit", "-C", str(ws.root), "bisect", "--run"]
    with subprocess.Popen([*argv, f'echo "$PWD $$" > {told}; sleep 60']) as child:
        folder, check = told.read_text().split()
        child.send_signal(signal_number)
        assert child.wait() in (130, -signal.SIGKILL)
    aside = Path(folder)
    if signal_number == signal.SIGKILL:
        os.killpg(int(check), signal.SIGKILL)
        assert aside.is_dir()
        assert asides(ws)
        open_workspace(ws.root, opened(ws).caller).close()
    assert not aside.exists()
    assert asides(ws) == []
