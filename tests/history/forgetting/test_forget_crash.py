"""A forgetting that is killed: the same command goes on, and nothing is lost."""

import os
from collections.abc import Callable

import pytest

from clawgit.core.errors import ConflictError, NotFoundError
from clawgit.history.forgetting.forget import forget, plan
from clawgit.memory.remember import NewFact, remember
from clawgit.workspace.workspace import Workspace, open_workspace
from tests.conftest import NOW, Git
from tests.history.forgetting.planting import FILES, IDENT, found_in
from tests.making import workspace_of

KILLED = 9
SEAMS = ("rewrite-made", "rewrite-moved")
STEPS = ("making", "removing", "clearing", "rewriting", "searching")
LOG = ("log", "--format=%an %at %s %(trailers:key=Clawgit-Id,valueonly)", "main")


@pytest.fixture
def workspace(git: Git) -> Workspace:
    made = workspace_of(git, FILES, NOW)
    remember(made, NewFact("Bob likes cake"))
    made.git.close()
    return made


def killed(workspace: Workspace, at: str) -> None:
    """Forgets in a process of its own, which ends at a step as by kill -9."""

    def die(step: str) -> None:
        if step.startswith(at):
            os._exit(KILLED)

    _in_child(lambda: _forget(workspace, die))


def _forget(workspace: Workspace, die: Callable[[str], None]) -> None:
    fresh = Workspace(workspace.place, workspace.caller)
    fresh.git.seam = die
    forget(fresh, plan(fresh, IDENT, history=True), at=die)


def _in_child(work: Callable[[], None]) -> None:
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


def again(workspace: Workspace) -> Workspace:
    """The next command; then the operator asks for the same once more."""
    opened = open_workspace(workspace.root, workspace.caller)
    try:
        done = forget(opened, plan(opened, IDENT, history=True))
    except NotFoundError:
        return opened
    assert done.proof is not None
    assert done.proof.is_clean
    return opened


@pytest.mark.parametrize("at", [*STEPS, *SEAMS])
def test_what_a_kill_leaves_is_finished_by_the_same_command(
    workspace: Workspace, git: Git, at: str
) -> None:
    before = git(*LOG).splitlines()
    killed(workspace, at)
    again(workspace)
    assert found_in(git.root, git.root) == []
    assert git(*LOG).splitlines()[-len(before) :] == before
    assert git.status() == ""
    assert git("fsck", "--strict").strip() == ""
    assert "Tea is green" in (git.root / "MEMORY.md").read_text()


def test_what_others_commit_in_between_is_kept(workspace: Workspace, git: Git) -> None:
    killed(workspace, "rewrite-made")
    git.commit_file("memory/2026-02-16.md", "# 2026-02-16\n\n- It rained.\n", "a day of my own")
    again(workspace)
    assert git("log", "-1", "--format=%s").strip() == "a day of my own"
    assert (git.root / "memory/2026-02-16.md").is_file()
    assert found_in(git.root, git.root) == []
    assert git.status() == ""


def test_a_new_history_that_was_pruned_leaves_the_old_one(workspace: Workspace, git: Git) -> None:
    killed(workspace, "rewrite-made")
    tip = git.head()
    git("gc", "--prune=now", "-q")
    open_workspace(workspace.root, workspace.caller)
    assert git.head() == tip
    assert git("fsck", "--strict").strip() == ""


def test_a_commit_at_that_moment_leaves_the_old_history(workspace: Workspace, git: Git) -> None:
    def seam(step: str) -> None:
        if step == "rewrite-made":
            git.write("memory/2026-02-16.md", "# 2026-02-16\n\n- It rained.\n")
            git.commit_all("a day of my own")

    fresh = Workspace(workspace.place, workspace.caller)
    fresh.git.seam = seam
    with pytest.raises(ConflictError, match="committed meanwhile"):
        forget(fresh, plan(fresh, IDENT, history=True))
    assert git("log", "-1", "--format=%s").strip() == "a day of my own"
    again(workspace)
    assert found_in(git.root, git.root) == []
    assert git.status() == ""


def test_locks_that_a_power_cut_left_stop_nobody(
    workspace: Workspace, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(workspace, "rewrite-made")
    monkeypatch.setattr("clawgit.git.recovery._REF_LOCK_PATIENCE", 0.05)
    for name in ("heads/main", "../HEAD", "../packed-refs", "heads/other"):
        (git.root / f".git/refs/{name}.lock").write_text("")
    remember(workspace, NewFact("Tea is served at four"))
    assert "served at four" in git("show", "HEAD:MEMORY.md")
    left = {file.name for file in (git.root / ".git").rglob("*.lock")}
    assert left - {"state.lock"} == {"other.lock"}
