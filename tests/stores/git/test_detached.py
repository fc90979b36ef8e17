"""A detached HEAD and a bisect: nothing acknowledged is left to the reflog, and what waits lands on
the next branch."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawgit.errors import BusyError
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.git.store import GitStore
from clawgit.stores.git.stranded import StrandedCommit, stranded_commits
from tests.conftest import NOW, Git, intent
from tests.stores.git.test_crash import assert_whole, kill_at
from tests.stores.git.test_transaction import add_line, age

OpenStore = Callable[..., GitStore]
AWAY: dict[str, list[tuple[str, ...]]] = {
    "detached": [("checkout", "-q", "--detach")],
    "at an older commit": [("checkout", "-q", "HEAD~1")],
    "at a tag": [("tag", "old", "HEAD~1"), ("checkout", "-q", "old")],
    "bisect": [("bisect", "start")],
    "bisect between two": [("bisect", "start", "HEAD", "HEAD~2")],
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
        ws.write("USER.md", f"- Version {number}.\n")
        ws.commit_all(f"version {number}")
    return ws


def go(ws: Git, steps: list[tuple[str, ...]]) -> None:
    for step in steps:
        ws(*step)


def park(store: GitStore, line: str, path: str = "MEMORY.md") -> str:
    with store.transaction(intent(line), NOW, parkable=True) as tx:
        tx.put(path, (tx.read_text(path) or "") + line + "\n")
    assert (tx.outcome.parked, tx.outcome.commit) == (True, None)
    return str(tx.outcome.id)


def stranded(ws: Git) -> list[StrandedCommit]:
    place = repo_at(ws.root)
    assert place
    return stranded_commits(place, CGit(ws.root, {}))


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
    """Whatever garbage git collects in between, and nothing of it stands anywhere twice."""
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
    assert stranded(history) == []


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


def test_a_commit_by_hand_while_a_change_is_parked_keeps_its_lines(
    history: Git, open_store: OpenStore
) -> None:
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


def test_a_linked_worktree_on_no_branch_waits_alone(
    ws: Git, open_store: OpenStore, tmp_path: Path
) -> None:
    ws("worktree", "add", "-q", "--detach", str(tmp_path / "side"))
    side = Git(tmp_path / "side")
    park(open_store(side.root), "- aside")
    add_line(open_store(ws.root), "MEMORY.md", "- on main")
    assert "- aside" not in (ws.root / "MEMORY.md").read_text()
    side("switch", "-q", "-c", "side")
    assert open_store(side.root).heal(NOW)
    assert "- aside\n" in side("show", "HEAD:MEMORY.md")
    assert ws("for-each-ref", "refs/clawgit") == ""


def test_what_a_removed_worktree_left_parked_is_named_and_brought_back(
    ws: Git, open_store: OpenStore, tmp_path: Path
) -> None:
    ws("worktree", "add", "-q", "--detach", str(tmp_path / "side"))
    ident = park(open_store(tmp_path / "side"), "- aside")
    assert stranded(ws) == []
    ws("worktree", "remove", "--force", str(tmp_path / "side"))
    ws("pack-refs", "--all")
    collect_garbage(ws)
    (lost,) = stranded(ws)
    assert lost.name == ident
    store = open_store(ws.root)
    store.adopt([lost], NOW)
    store.close()
    assert "- aside\n" in ws("show", "HEAD:MEMORY.md")
    assert_whole(ws)
    assert stranded(ws) == []


def leave_behind(ws: Git, *, snapshot: bool = False) -> list[str]:
    """What an older clawgit did: commits of its own on a detached HEAD, which the checkout then
    left."""
    ws("checkout", "-q", "--detach")
    made = []
    for number in (1, 2):
        ws.write("MEMORY.md", (ws.root / "MEMORY.md").read_text() + f"- left {number}\n")
        verb = "unknown/snapshot" if snapshot else "cli/add"
        ident = "kkkkkkk" + "klm"[number]
        ws("commit", "-qam", f"cli: add left {number}\n\nClawgit-Id: {ident}\nClawgit-Op: {verb}\n")
        made.append(ws.head())
        log = ws.root / ".git/logs/HEAD"
        log.write_text(log.read_text().replace("\tcommit: cli: add", "\tclawgit: cli/add"))
    ws("checkout", "-q", "main")
    return made


@pytest.mark.parametrize("snapshot", [False, True])
def test_what_an_older_clawgit_left_on_a_detached_head_is_found_and_brought_back(
    ws: Git, open_store: OpenStore, snapshot: bool
) -> None:
    made = leave_behind(ws, snapshot=snapshot)
    add_line(open_store(ws.root), "MEMORY.md", "- meanwhile on main")
    lost = stranded(ws)
    assert sorted(one.oid for one in lost) == sorted(made)
    store = open_store(ws.root)
    assert sorted(store.adopt(lost, NOW)) == sorted(made)
    store.close()
    text = (ws.root / "MEMORY.md").read_text()
    assert [text.count(line) for line in ("- left 1\n", "- left 2\n", "- meanwhile on main\n")] == [
        1,
        1,
        1,
    ]
    assert_whole(ws)
    assert stranded(ws) == []


def test_what_was_brought_back_by_hand_is_not_named(ws: Git) -> None:
    first, second = leave_behind(ws)
    ws("cherry-pick", first, second)
    assert stranded(ws) == []


@pytest.mark.parametrize(
    "how", [("reset", "-q", "--hard", "HEAD~1"), ("commit", "-q", "--amend", "-m", "mine now")]
)
def test_what_somebody_threw_away_on_a_branch_is_his_decision(
    ws: Git, store: GitStore, how: tuple[str, ...]
) -> None:
    add_line(store, "MEMORY.md", "- Learned.")
    ws(*how)
    ws("checkout", "-q", "--detach")
    ws("checkout", "-q", "main")
    assert stranded(ws) == []


def test_a_parked_change_that_was_cherry_picked_and_edited_does_not_come_back(
    ws: Git, open_store: OpenStore
) -> None:
    ws("checkout", "-q", "--detach")
    ident = park(open_store(ws.root), "- Ana likes tea.")
    ws("checkout", "-q", "main")
    ws("cherry-pick", f"refs/clawgit/parked/main/{ident}")
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


def test_head_that_leaves_its_branch_after_the_files_were_replaced(
    ws: Git, open_store: OpenStore
) -> None:
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


def test_a_lock_that_a_crash_left_does_not_keep_git_from_ending_its_bisect(
    ws: Git, open_store: OpenStore
) -> None:
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
