"""A detached HEAD and a bisect: nothing acknowledged is left to the reflog, and what waits lands on
the next branch."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.core.errors import BusyError
from clawgit.git.store import GitStore
from clawgit.health.status import status
from tests.conftest import NOW, Git, OpenStore, intent
from tests.git.test_crash import assert_whole, kill_at
from tests.git.test_transaction import add_line, age
from tests.making import space_of

AWAY: dict[str, list[tuple[str, ...]]] = {
    "detached": [("checkout", "-q", "--detach")],
    "at an older commit": [("checkout", "-q", "HEAD~1")],
    "bisect": [("bisect", "start")],
}
BACK: dict[str, list[tuple[str, ...]]] = {
    "the branch": [("checkout", "-q", "main")],
    "a new branch": [("switch", "-q", "-c", "new")],
    "the branch, brought along": [("checkout", "-q", "-B", "main")],
}


@pytest.fixture
def history(ws: Git) -> Git:
    """Three commits, so that there is an older one to go to."""
    for number in (1, 2):
        ws.commit_file("USER.md", f"- Version {number}.\n", f"version {number}")
    return ws


def go(ws: Git, steps: list[tuple[str, ...]]) -> None:
    for step in steps:
        ws(*step)


def park(store: GitStore, line: str, path: str = "MEMORY.md") -> str:
    with store.transaction(intent(line), NOW, parkable=True) as tx:
        tx.put(path, tx.read_text(path) + line + "\n")
    assert (tx.outcome.parked, tx.outcome.commit) == (True, None)
    return str(tx.outcome.id)


def collect_garbage(ws: Git) -> None:
    ws("reflog", "expire", "--expire=now", "--all")
    ws("gc", "-q", "--prune=now")


def ways() -> Iterator[pytest.ParameterSet]:
    """Each way to leave with one way back; the others are slow."""
    for number, away in enumerate(AWAY):
        for at, back in enumerate(BACK):
            yield pytest.param(away, back, marks=() if at == number % 3 else pytest.mark.slow)


@pytest.mark.parametrize(("away", "back"), [*ways()])
def test_what_was_acknowledged_lands_on_the_next_branch(
    history: Git, open_store: OpenStore, away: str, back: str
) -> None:
    go(history, AWAY[away])
    store = open_store(history.root)
    park(store, "- first")
    park(store, "- second")
    assert "- first" not in (history.root / "MEMORY.md").read_text()
    collect_garbage(history)
    if away.startswith("bisect"):
        history("bisect", "reset")
    go(history, BACK[back])
    add_line(store, "SOUL.md", "- afterwards")
    memory = (history.root / "MEMORY.md").read_text()
    assert (memory.count("- first\n"), memory.count("- second\n")) == (1, 1)
    assert memory == history("show", "HEAD:MEMORY.md")
    assert history("branch", "--show-current") != "\n"
    store.close()
    assert_whole(history)


def test_what_was_parked_within_a_second_lands_in_its_order_and_once(
    ws: Git, open_store: OpenStore
) -> None:
    ws("checkout", "-q", "--detach")
    lines = ["- b", "- a", "- d", "- c", "- Ana. <!-- claw:kana22 c=.6 -->"]
    idents = [park(open_store(ws.root), line) for line in lines]
    park(open_store(ws.root), "- Ana. <!-- claw:lana22 c=.6 -->")
    ws("checkout", "-q", "main")
    ws("pack-refs", "--all")
    open_store(ws.root).heal(NOW)
    assert ws("show", "HEAD:MEMORY.md").splitlines()[-5:] == lines
    ids = ws("log", "--reverse", "-5", "--format=%(trailers:key=Clawgit-Id,valueonly)").split()
    assert ids == idents


@pytest.mark.parametrize("away", AWAY)
def test_all_other_writing_is_refused_and_changes_nothing(
    history: Git, open_store: OpenStore, away: str
) -> None:
    go(history, AWAY[away])
    store, head = open_store(history.root), history.head()
    age(history.write("SOUL.md", "# Soul\n\n- Edited by hand.\n"))
    with pytest.raises(BusyError) as refused:
        add_line(store, "MEMORY.md", "- refused")
    assert refused.value.hint
    with pytest.raises(BusyError):
        store.snapshot(NOW)
    assert (history.head(), history.status()) == (head, " M SOUL.md\n")
    assert history("for-each-ref", "refs/clawgit") == ""


def test_a_commit_beside_a_parking_keeps_its_lines(history: Git, open_store: OpenStore) -> None:
    """The change was made on the HEAD before it; parked on the new one, it would take the new lines
    out again."""
    history("checkout", "-q", "--detach")

    def seam(step: str) -> None:
        if step == "edited":
            age(
                history.write("MEMORY.md", (history.root / "MEMORY.md").read_text() + "- by hand\n")
            )
            history("commit", "-qam", "by hand")

    park(open_store(history.root, seam=seam), "- parked")
    history("checkout", "-q", "-B", "main")
    open_store(history.root).heal(NOW)
    assert sorted(history("show", "HEAD:MEMORY.md").splitlines()[3:]) == ["- by hand", "- parked"]


@pytest.fixture
def side(ws: Git, open_store: OpenStore, tmp_path: Path) -> Git:
    """A worktree on no branch, in which a change is parked."""
    ws("worktree", "add", "-q", "--detach", str(tmp_path / "side"))
    park(open_store(tmp_path / "side"), "- aside")
    return Git(tmp_path / "side")


def test_a_detached_worktree_waits_alone(ws: Git, open_store: OpenStore, side: Git) -> None:
    add_line(open_store(ws.root), "MEMORY.md", "- on main")
    assert "- aside" not in (ws.root / "MEMORY.md").read_text()
    side("switch", "-q", "-c", "side")
    side("pack-refs", "--all")  # as `git gc` does
    assert open_store(side.root).heal(NOW)
    assert "- aside\n" in side("show", "HEAD:MEMORY.md")
    assert ws("for-each-ref", "refs/clawgit") == ""


def test_what_a_removed_worktree_left_parked_lands_in_the_main_one(
    ws: Git, open_store: OpenStore, side: Git
) -> None:
    add_line(open_store(ws.root), "MEMORY.md", "- while it was there")
    assert "- aside\n" not in ws("show", "HEAD:MEMORY.md")
    ws("worktree", "remove", "--force", str(side.root))
    ws("pack-refs", "--all")
    collect_garbage(ws)
    store = open_store(ws.root)
    add_line(store, "SOUL.md", "- afterwards")
    store.close()
    assert "- aside\n" in ws("show", "HEAD:MEMORY.md")
    assert ws("for-each-ref", "refs/clawgit") == ""
    assert_whole(ws)


def test_a_reader_lands_what_a_removed_worktree_left_parked(
    ws: Git, open_store: OpenStore, side: Git
) -> None:
    assert not open_store(ws.root).heal(NOW)
    ws("worktree", "remove", "--force", str(side.root))
    ws("checkout", "-q", "--detach")
    assert len(status(space_of(ws)).parked) == 1
    ws("checkout", "-q", "main")
    assert open_store(ws.root).heal(NOW)
    assert "- aside\n" in ws("show", "HEAD:MEMORY.md")


def test_in_a_bare_repository_it_lands_once_in_whichever_writes_first(
    ws: Git, open_store: OpenStore, tmp_path: Path
) -> None:
    bare, sides = Git(tmp_path / "bare.git"), [Git(tmp_path / name) for name in "abc"]
    ws("clone", "-q", "--bare", str(ws.root), str(bare.root))
    for side in sides:
        bare("worktree", "add", "-q", str(side.root))
    sides[2]("checkout", "-q", "--detach")
    park(open_store(sides[2].root), "- aside")
    bare("worktree", "remove", "--force", str(sides[2].root))
    for side in reversed(sides[:2]):
        add_line(open_store(side.root), "SOUL.md", "- afterwards")
    assert ["- aside" in side("show", "HEAD:MEMORY.md") for side in sides[:2]] == [False, True]
    assert bare("for-each-ref", "refs/clawgit") == ""


def test_a_lock_that_a_kill_left_below_a_removed_worktree_stops_nobody(
    ws: Git, open_store: OpenStore, side: Git
) -> None:
    ws("worktree", "remove", "--force", str(side.root))
    (ref,) = (ws.root / ".git/refs/clawgit/parked/worktrees/side").iterdir()
    ref.with_name(f"{ref.name}.lock").touch()
    add_line(open_store(ws.root), "SOUL.md", "- afterwards")
    assert "- aside" in ws("show", "HEAD:MEMORY.md")


def test_a_parked_change_that_was_picked_does_not_come_back(ws: Git, open_store: OpenStore) -> None:
    ws("checkout", "-q", "--detach")
    park(open_store(ws.root), "- Ana likes tea.")
    ws("checkout", "-q", "main")
    ws("cherry-pick", ws("for-each-ref", "--format=%(objectname)", "refs/clawgit/parked").strip())
    ws.write("MEMORY.md", (ws.root / "MEMORY.md").read_text().replace("tea", "coffee"))
    ws.commit_all("put right")
    store = open_store(ws.root)
    assert store.heal(NOW)
    assert "tea" not in (ws.root / "MEMORY.md").read_text()
    assert (ws.status(), ws("for-each-ref", "refs/clawgit")) == ("", "")


@pytest.mark.parametrize("step", ["looked", "built"])
def test_a_checkout_in_the_middle_of_a_transaction_leaves_nothing_behind(
    ws: Git, open_store: OpenStore, step: str
) -> None:
    """HEAD leaves its branch after the transaction has looked, and before anything is written."""
    seen: list[str] = []

    def seam(reached: str) -> None:
        if reached == step and not seen:
            seen.append(reached)
            ws("checkout", "-q", "--detach")

    before = ws.head()
    with pytest.raises(BusyError, match="on no branch"):
        add_line(open_store(ws.root, seam=seam), "MEMORY.md", "- Learned.")
    assert (ws.head(), ws.status(), ws("for-each-ref", "refs/clawgit")) == (before, "", "")


def test_head_leaves_its_branch_after_files_were_replaced(ws: Git, open_store: OpenStore) -> None:
    """Plumbing asks nobody for a lock. The journal keeps the change, and it lands when HEAD is on
    the branch again."""
    moved: list[str] = []

    def seam(step: str) -> None:
        if step == "placed" and not moved:
            moved.append(
                ws("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "by plumbing").strip()
            )
            ws("update-ref", "refs/heads/main", moved[0])
            (ws.root / ".git/HEAD").write_text(moved[0] + "\n")

    store = open_store(ws.root, seam=seam)
    with pytest.raises(BusyError, match="left its branch"):
        add_line(store, "MEMORY.md", "- Learned.")
    assert ws("for-each-ref", "--format=%(refname)", "refs/clawgit") == "refs/clawgit/tx/main\n"
    ws("symbolic-ref", "HEAD", "refs/heads/main")
    store.heal(NOW)
    store.close()
    assert "- Learned.\n" in ws("show", "main:MEMORY.md")
    assert_whole(ws)


def test_a_lock_that_a_crash_left_lets_git_end_its_bisect(ws: Git, open_store: OpenStore) -> None:
    """`git bisect start` needs no lock, and `reset` does: whoever parks a change takes our stale
    one away."""
    kill_at(ws, "placed:2")
    ws("bisect", "start")
    park(open_store(ws.root), "- parked", "USER.md")
    assert not (ws.root / ".git/index.lock").exists()
    ws("bisect", "reset")
    store = open_store(ws.root)
    store.heal(NOW)
    store.close()
    assert "- ours\n" in ws("show", "HEAD:MEMORY.md")
    assert_whole(ws)


@pytest.mark.parametrize("step", ["journaled", "placed:2", "ref-moved"])
def test_a_crash_and_then_a_detached_head(ws: Git, open_store: OpenStore, step: str) -> None:
    """Recovery leaves the branch alone until HEAD is on one, but a lock of ours goes at once: it
    would block git."""
    kill_at(ws, step)
    head = ws.head()
    (ws.root / ".git/HEAD").write_text(head + "\n")
    store = open_store(ws.root)
    assert store.heal(NOW) is False
    assert (ws.head(), (ws.root / ".git/index.lock").exists()) == (head, False)
    ws("symbolic-ref", "HEAD", "refs/heads/main")
    store.heal(NOW)
    store.close()
    assert "- ours\n" in ws("show", "HEAD:MEMORY.md")
    assert_whole(ws)
