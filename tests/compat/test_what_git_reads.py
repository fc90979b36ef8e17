"""What clawgit writes, C git reads, rewrites and takes back; what C git does to a repository,
clawgit lives with."""

import os
from pathlib import Path

import pytest

from clawgit.core.errors import PathRefusedError
from clawgit.git.store import GitStore
from tests.conftest import NOW, Git, OpenStore, intent
from tests.git.test_transaction import add_line, age

TRAILER = "--format=%(trailers:key=Clawgit-Id,valueonly)"


def ids(git: Git, *revisions: str) -> list[str]:
    return git("log", TRAILER, *revisions).split()


def learn(store: GitStore, line: str, path: str = "MEMORY.md") -> str:
    with store.transaction(intent(line), NOW) as tx:
        tx.put(path, tx.read_text(path) + line + "\n")
    assert tx.outcome.id is not None
    return tx.outcome.id


def test_fsck_log_and_blame(ws: Git, store: GitStore) -> None:
    made = [learn(store, f"- Fact {number}.") for number in range(3)]
    assert ws("fsck", "--strict", "--full", "--no-dangling") == ""
    assert ids(ws) == made[::-1]
    blame = ws("blame", "--line-porcelain", "MEMORY.md").splitlines()
    authors = [line.partition(" ")[2] for line in blame if line.startswith("author ")]
    assert authors == ["Olga Operator"] * 3 + ["Memory Miner"] * 3


def test_git_revert_takes_one_of_our_commits_back(ws: Git, store: GitStore) -> None:
    learn(store, "- Wrong.")
    ws("revert", "--no-edit", "HEAD")
    assert "Wrong" not in (ws.root / "MEMORY.md").read_text()
    learn(store, "- Right.")
    assert ws("show", "HEAD:MEMORY.md").endswith("#decision\n- Right.\n")
    assert (ws.status(), ws("fsck", "--strict")) == ("", "")


def test_a_cherry_pick_and_a_rebase_keep_the_id(ws: Git, store: GitStore) -> None:
    ws("checkout", "-q", "-b", "side")
    made = learn(store, "- Aside.", "memory/side.md")
    ws("checkout", "-q", "main")
    add_line(store, "SOUL.md", "- Main.")
    ws("cherry-pick", "side")
    assert ids(ws, "-1") == [made]
    ws("checkout", "-q", "side")
    ws("rebase", "-q", "--force-rebase", "main~1")
    assert made in ids(ws, "main~1..")
    assert learn(store, "- On top.") == ids(ws, "-1")[0]
    assert ws.status() == ""


@pytest.mark.parametrize(
    "treatment",
    [
        ["pack-refs", "--all", "--prune"],
        ["gc", "-q", "--prune=now"],
        ["commit-graph", "write", "--reachable"],
        ["multi-pack-index", "write"],
        ["update-index", "--index-version", "4"],
        ["config", "core.fsmonitor", "true"],
        ["config", "feature.manyFiles", "true"],
        ["config", "core.filemode", "false"],
        ["config", "core.ignorecase", "true"],
        ["config", "commit.gpgsign", "true"],
    ],
    ids=lambda words: " ".join(words).replace("config ", ""),
)
def test_repositories_of_every_make(ws: Git, open_store: OpenStore, treatment: list[str]) -> None:
    learn(open_store(ws.root), "- Before.")
    ws("repack", "-adq")
    ws(*treatment)
    store = open_store(ws.root)
    age(ws.write("SOUL.md", "# Soul\n\n- Be bold.\n"))
    learn(store, "- After.")
    learn(store, "- New.", "memory/2026-02-15.md")
    store.snapshot(NOW)
    assert (ws.status(), ws("fsck", "--strict", "--no-dangling")) == ("", "")
    assert ws("show", "HEAD:MEMORY.md").endswith("- Before.\n- After.\n")
    assert ws("show", "HEAD:SOUL.md").endswith("bold.\n")
    if "core.fsmonitor" in treatment:
        ws("fsmonitor--daemon", "stop", ok=False)


def test_a_mode_that_the_file_system_cannot_keep(ws: Git, open_store: OpenStore) -> None:
    """With core.filemode=false an executable stays one, whatever the disk says."""
    ws("update-index", "--chmod=+x", "SOUL.md")
    ws("commit", "-qm", "executable")
    ws("config", "core.filemode", "false")
    store = open_store(ws.root)
    age(ws.write("SOUL.md", "# Soul\n\n- Be bold.\n"))
    store.snapshot(NOW)
    add_line(store, "SOUL.md", "- Ours.")
    assert ws("ls-tree", "HEAD", "SOUL.md")[:6] == "100755"
    assert ws.status() == ""


def test_a_mode_that_was_staged_stays_where_the_disk_has_none(
    ws: Git, open_store: OpenStore
) -> None:
    ws("config", "core.filemode", "false")
    ws.stage("SOUL.md", "# Soul\n\n- Staged.\n")
    ws("update-index", "--chmod=+x", "SOUL.md")
    age(ws.write("SOUL.md", "# Soul\n\n- Staged.\n- Later.\n"))
    open_store(ws.root).snapshot(NOW)
    assert ws("ls-tree", "HEAD", "SOUL.md")[:6] == "100755"


def test_a_git_directory_elsewhere(git: Git, open_store: OpenStore, tmp_path: Path) -> None:
    root = tmp_path / "apart"
    git("init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere.git"), str(root))
    apart = Git(root)
    store = open_store(root)
    learn(store, "- First.")
    assert (apart.status(), apart("rev-list", "--count", "HEAD").strip()) == ("", "1")
    assert (tmp_path / "elsewhere.git/clawgit/lock").exists()


def test_two_worktrees_both_write(ws: Git, open_store: OpenStore, tmp_path: Path) -> None:
    ws("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Git(tmp_path / "side")
    here, there = open_store(ws.root), open_store(side.root)
    for number in range(3):
        learn(here, f"- Here {number}.")
        learn(there, f"- There {number}.")
    assert [ws("rev-list", "--count", name).strip() for name in ("main", "side")] == ["4", "4"]
    assert (ws.status(), side.status(), ws("fsck", "--strict", "--no-dangling")) == ("", "", "")


def test_a_submodule_is_left_to_itself(ws: Git, store: GitStore, tmp_path: Path) -> None:
    other = Git(tmp_path / "other")
    other.root.mkdir()
    other("init", "-q")
    other.stage("inner.md", "- inner\n")
    other("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "inner")
    ws("submodule", "--quiet", "add", str(other.root), "sub")
    ws("commit", "-qm", "submodule")
    age(tmp_path / "ws/sub/inner.md")
    (ws.root / "sub/inner.md").write_text("- changed\n")
    _, dirt = store.snapshot(NOW)
    assert (
        dirt.skipped == ()
    )  # nobody looks inside: git would go by the configuration of that repository
    Git(ws.root / "sub").commit_all("moved on")
    _, dirt = store.snapshot(NOW)
    assert dirt.skipped == (("sub", "a symlink or a submodule"),)
    learn(store, "- Ours.")
    with pytest.raises(PathRefusedError, match="repository"):
        learn(store, "- Not ours.", "sub/inner.md")
    assert (ws.status(), ws("ls-tree", "HEAD", "sub").split()[0]) == (" M sub\n", "160000")


def test_what_is_not_a_file_any_more(ws: Git, store: GitStore) -> None:
    """A file becomes a folder, a folder a file, a file a symlink; a tracked symlink goes."""
    (ws.root / "link").symlink_to("SOUL.md")
    ws.write("notes/a.md", "- a\n")
    ws.write("USER.md", "- user\n")
    ws.write("topic.md", "- topic\n")
    for number in range(9):
        ws.write(f"more/{number}.md", f"- {number}\n")
    ws.commit_all("more")
    (ws.root / "topic.md").unlink()
    age(ws.write("topic.md/inside.md", "- inside\n"))
    (ws.root / "notes/a.md").unlink()
    (ws.root / "notes").rmdir()
    (ws.root / "notes").write_text("a file now\n")
    (ws.root / "USER.md").unlink()
    (ws.root / "USER.md").symlink_to("SOUL.md")
    (ws.root / "link").unlink()
    outcome, dirt = store.snapshot(NOW)
    names = ws("ls-tree", "-r", "--name-only", "HEAD").split()
    assert len(outcome.snapshots) == 1
    assert {"topic.md/inside.md", "USER.md", "link"} <= set(names)
    assert not {"topic.md", "notes/a.md"} & set(names)
    assert {path for path, _ in dirt.skipped} == {"USER.md", "link"}
    assert ws.status() == " T USER.md\n D link\n?? notes\n"
    assert ws("fsck", "--strict", "--no-dangling") == ""


def test_a_name_that_is_not_utf8_is_left_out_and_told(ws: Git, store: GitStore) -> None:
    for name in (b"caf\xe9.md", b"tracked\xff.md"):
        Path(os.fsdecode(os.fsencode(ws.root) + b"/" + name)).write_bytes(b"- x\n")
    ws("add", "tracked*")
    ws("commit", "-qm", "by git itself")
    Path(os.fsdecode(os.fsencode(ws.root) + b"/tracked\xff.md")).write_bytes(b"- y\n")
    age(ws.write("SOUL.md", "# Soul\n\n- Be bold.\n"))
    outcome, dirt = store.snapshot(NOW)
    assert len(outcome.snapshots) == 1
    assert {reason for _, reason in dirt.skipped} == {"its name is not UTF-8"}
    assert "bold" in ws("show", "HEAD:SOUL.md")
    assert "tracked" in ws("ls-tree", "--name-only", "HEAD")


def lose_index(git: Git, how: str) -> None:
    if how == "removed":
        (git.root / ".git/index").unlink()
    else:
        git("rm", "-r", "-q", "--cached", ".")


@pytest.mark.parametrize("how", ["removed", "unstaged"])
def test_what_only_the_index_has_lost_is_not_deleted(ws: Git, store: GitStore, how: str) -> None:
    """The disk decides: a snapshot has nothing to commit but what is really gone or edited."""
    lose_index(ws, how)
    assert store.dirt().paths == ()
    before = ws.head()
    outcome, _ = store.snapshot(NOW)
    assert (outcome.snapshots, ws.head(), ws.status()) == ((), before, "")

    lose_index(ws, how)
    (ws.root / "memory/2026-02-13.md").unlink()
    age(ws.write("SOUL.md", "# Soul\n\n- Be bold.\n"))
    store.snapshot(NOW)
    changed = ws("diff", "--name-status", "--no-renames", before, "HEAD")
    assert (changed, ws.status()) == ("M\tSOUL.md\nD\tmemory/2026-02-13.md\n", "")
    assert ws("rev-list", "--count", f"{before}..") == "1\n"


@pytest.mark.parametrize("how", ["removed", "unstaged"])
def test_a_write_with_a_lost_index_is_one_commit(ws: Git, store: GitStore, how: str) -> None:
    lose_index(ws, how)
    before = ws.head()
    add_line(store, "MEMORY.md", "- Learned.")
    assert ws("rev-list", "--count", f"{before}..") == "1\n"
    assert ws("diff", "--numstat", before, "HEAD") == "1\t0\tMEMORY.md\n"
    store.snapshot(NOW)
    assert (ws("rev-list", "--count", f"{before}.."), ws.status()) == ("1\n", "")


def test_what_was_taken_out_of_the_index_stays_out(ws: Git, store: GitStore) -> None:
    """`git rm --cached`: of a file that is not Markdown, and of one that is ignored from now on."""
    ws.write("data.csv", "1,2\n")
    ws.write("private.md", "- private\n")
    ws.commit_all("more")
    ws("rm", "-q", "--cached", "data.csv", "private.md")
    age(ws.write(".gitignore", "private.md\n"))
    store.snapshot(NOW)
    assert not {"data.csv", "private.md"} & set(ws("ls-tree", "--name-only", "HEAD").split())
    assert (ws.root / "private.md").read_text() == "- private\n"
    assert ws.status() == "?? .gitignore\n?? data.csv\n"
