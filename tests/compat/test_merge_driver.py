"""Plain git, as its users call it, merges memory by meaning; and without us, as it always did."""

import os
import sys
from pathlib import Path
from shutil import rmtree

import pytest

from clawgit.git.gitdir import find_repo
from clawgit.hooks.merge import as_stored
from clawgit.workspace import githooks
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git, program
from tests.history.rules.machines import said
from tests.making import asker, space_of

TEA = "- Ana drinks tea. <!-- claw:kana22 c=.9 -->\n"
BEN = "- Ben eats rye. <!-- claw:kben22 c=.9 -->\n"
BASE = f"# Memory\n\n{TEA}{BEN}"
COFFEE, MILK = (BASE.replace("tea", drink) for drink in ("coffee", "milk"))
BOTH = {
    "kana22": ("Ana drinks milk.", "disputed"),
    "bys48b": ("Ana drinks coffee.", "disputed"),
    "kben22": ("Ben eats rye.", "active"),
}
NOTE = "MEMORY.md"


def driven(root: Path) -> Git:
    """A work tree in which the driver is in place."""
    githooks.put_driver_in(Workspace(find_repo(root), asker()))
    return Git(root)


@pytest.fixture
def memory(ws: Git) -> Git:
    """A memory of two entries, on `main`, with the driver."""
    ws.commit_file(NOTE, BASE, "base")
    return driven(ws.root)


def text_of(git: Git, path: str = NOTE) -> str:
    return (git.root / path).read_text("utf-8")


def branch(git: Git, name: str, text: str, path: str = NOTE, start: str = "main") -> None:
    """A branch with one commit that writes a file."""
    git("switch", "-q", "-c", name, start)
    git.commit_file(path, text, name)


def diverged(git: Git, ours: str = MILK, theirs: str = COFFEE, path: str = NOTE) -> None:
    """`theirs` is another branch, and we stand on `ours`."""
    branch(git, "theirs", theirs, path)
    branch(git, "ours", ours, path)


def test_a_pull_joins_two_machines(memory: Git, tmp_path: Path) -> None:
    memory("clone", "-q", str(memory.root), str(tmp_path / "laptop"))
    laptop = driven(tmp_path / "laptop")
    laptop.commit_file(NOTE, COFFEE + "- From the laptop.\n", "laptop")
    memory.commit_file(NOTE, MILK, "server")
    laptop("pull", "-q", "--no-rebase", "--no-edit")
    assert {key: said(text_of(laptop))[key] for key in BOTH} == BOTH
    assert "- From the laptop.\n" in text_of(laptop)
    assert laptop.status() == ""
    # The other machine gets the same without merging anything itself.
    memory("fetch", "-q", str(laptop.root), "main")
    memory("merge", "-q", "--ff-only", "FETCH_HEAD")
    assert text_of(memory) == text_of(laptop)


@pytest.mark.parametrize("verb", ["merge", "rebase", "cherry-pick", "stash"])
def test_whatever_merges_asks_the_driver(memory: Git, verb: str) -> None:
    diverged(memory)
    if verb == "stash":
        memory("reset", "-q", "main")
        memory("stash", "-q")
        memory("switch", "-q", "theirs")
    commands = {
        "merge": ("merge", "-q", "--no-edit", "theirs"),
        "rebase": ("rebase", "-q", "theirs"),
        "cherry-pick": ("cherry-pick", "theirs"),
        "stash": ("stash", "pop", "-q"),
    }
    memory(*commands[verb])
    assert said(text_of(memory)) == BOTH


def test_a_revert_takes_its_line_away_for_good(memory: Git) -> None:
    branch(memory, "side", BASE + "- Side.\n")
    memory("switch", "-q", "main")
    wrong = memory.commit_file(NOTE, BASE + "- Wrong.\n", "wrong")
    branch(memory, "late", BASE + "- Wrong.\n- Late.\n", start="main")
    memory("switch", "-q", "main")
    memory.commit_file(NOTE, BASE + "- Wrong.\n- Right.\n", "right")
    memory("revert", "--no-edit", wrong)
    assert text_of(memory) == BASE + "- Right.\n"
    for other in ("side", "late"):
        memory("merge", "-q", "--no-edit", other)
    assert "Wrong" not in text_of(memory)
    assert {"- Side.", "- Late.", "- Right."} <= {*text_of(memory).splitlines()}


def test_a_true_conflict_of_the_soul_is_gits_and_can_be_left(memory: Git) -> None:
    soul = "# Soul\n\n- Be {}.\n"
    diverged(memory, soul.format("quick"), soul.format("slow"), "SOUL.md")
    memory("merge", "-q", "theirs", ok=False)
    assert text_of(memory, "SOUL.md") == (
        "# Soul\n\n<<<<<<< ours\n- Be quick.\n=======\n- Be slow.\n>>>>>>> theirs\n"
    )
    assert memory("diff", "--name-only", "--diff-filter=U") == "SOUL.md\n"
    memory("merge", "--abort")
    assert text_of(memory, "SOUL.md") == soul.format("quick")
    assert memory.status() == ""


def test_a_repository_within_the_work_tree_is_left_to_its_own_git(memory: Git) -> None:
    memory.write("memory/inner/MEMORY.md", BASE)
    inner = Git(memory.root / "memory/inner")
    inner("init", "-q", "-b", "main")
    inner.commit_all("inner")
    diverged(inner)
    inner("merge", "-q", "theirs", ok=False)
    conflict = text_of(inner)
    assert "<<<<<<< HEAD" in conflict
    diverged(memory)
    memory("merge", "-q", "--no-edit", "theirs")
    assert (said(text_of(memory)), text_of(inner)) == (BOTH, conflict)


def test_a_driver_that_fails_leaves_ordinary_marks(memory: Git) -> None:
    script = memory.root / ".git/clawgit/merge-driver"
    script.write_text(script.read_text().replace(f"python={sys.executable}", "python=/bin/false"))
    diverged(memory)
    memory("merge", "-q", "theirs", ok=False)
    merged = text_of(memory)
    assert merged.index("<<<<<<< ours") < merged.index("milk") < merged.index("coffee")
    assert merged.endswith(BEN)


def test_a_clone_without_the_driver_has_gits_own_conflict(memory: Git, tmp_path: Path) -> None:
    diverged(memory)
    memory("clone", "-q", str(memory.root), str(tmp_path / "clone"))
    clone = Git(tmp_path / "clone")
    clone("switch", "-q", "ours")
    clone("merge", "-q", "origin/theirs", ok=False)
    assert "<<<<<<< HEAD" in text_of(clone)
    clone("merge", "--abort")
    driven(clone.root)
    clone("merge", "-q", "--no-edit", "origin/theirs")
    assert said(text_of(clone)) == BOTH


def through(git: Git, line: str) -> None:
    """Has the driver start its interpreter by a script of ours."""
    wrapper = program(git.root / ".git/python", f'{line}\nexec {sys.executable} "$@"')
    script = git.root / ".git/clawgit/merge-driver"
    script.write_text(script.read_text().replace(f"python={sys.executable}", f"python={wrapper}"))


@pytest.mark.parametrize("linked", [False, True])
def test_what_is_saved_during_a_merge_is_merged(memory: Git, tmp_path: Path, linked: bool) -> None:
    diverged(memory)
    through(memory, f'echo "- Saved." >>{NOTE}')
    tree = memory
    if linked:
        memory("switch", "-q", "main")
        memory("worktree", "add", "-q", str(tmp_path / "tree"), "ours")
        tree = Git(tmp_path / "tree")
    tree("merge", "-q", "--no-edit", "theirs")
    assert {key: said(text_of(tree))[key] for key in BOTH} == BOTH
    assert "- Saved." in text_of(tree)
    assert tree.status() == ""


def test_a_saved_text_is_taken_as_git_stores_it(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that a filter encrypts must not get into the repository as it lies on disk."""
    memory.write(NOTE, BASE.replace("\n", "\r\n"))
    memory("config", "filter.crypt.clean", "touch ran")
    monkeypatch.chdir(memory.root)
    assert as_stored(NOTE, MILK.encode(), os.environ).decode() == BASE
    assert not (memory.root / "ran").exists()


def test_only_files_in_scope_are_ours(memory: Git) -> None:
    line = "- A line of a package. <!-- claw:kpac22 c=.9 -->\n"
    path = "node_modules/x/README.md"
    memory.commit_file(path, line, "package")
    diverged(memory, line.replace("A", "Our"), line.replace("A", "Their"), path)
    memory("merge", "-q", "theirs", ok=False)
    assert "<<<<<<< HEAD" in text_of(memory, path)


def test_it_is_taken_out_without_a_trace_and_what_others_wrote_stays(memory: Git) -> None:
    attributes = memory.root / ".git/info/attributes"
    attributes.write_text("*.bin -text\n" + attributes.read_text() + "*.png binary\n")
    space = space_of(memory)
    assert githooks.take_driver_out(space.dry()) == ("merge driver",)
    assert "merge=clawgit" in attributes.read_text()
    assert githooks.take_driver_out(space) == ("merge driver",)
    assert attributes.read_text() == "*.bin -text\n*.png binary\n"
    assert "clawgit" not in (memory.root / ".git/config").read_text()
    assert not githooks.driver_is_in(space)
    attributes.unlink()
    githooks.put_driver_in(space)
    rmtree(space.place.shared)
    githooks.take_driver_out(space)
    assert not attributes.exists()
