"""History: the same answers as git gives, whatever happened to it or to the table of commits."""

import os

import pytest

from clawgit.git.cgit import CGit
from clawgit.git.history.pathlog import PathLog, Version
from clawgit.git.history.pathlog import told as told_of
from tests.conftest import Git

ODD = 'memory/a "b" ü\t\n🦞.md'


def opened(git: Git) -> PathLog:
    """History as HEAD sees it now."""
    head = git("rev-parse", "--quiet", "--verify", "HEAD", ok=False).strip() or None
    return PathLog(CGit(git.root, os.environ), head)


def commits(log: PathLog, path: str | None = None) -> list[str]:
    return [commit.sha for commit in log.read(path)]


def change(git: Git, path: str, text: str, message: str = "change") -> str:
    return git.commit_file(path, text, message)


def by_git(git: Git, *path: str) -> set[str]:
    """Every commit that git lists, side branches too; merges apart, of which it lists those that
    only took a side."""
    return set(
        git(
            "log", "--format=%H", "--full-history", "--no-merges", *(("--", *path) if path else ())
        ).split()
    )


def agrees(git: Git, *paths: str) -> PathLog:
    """The answers equal git's own list."""
    log = opened(git)
    merges = set(git("log", "--format=%H", "--merges").split())
    assert set(commits(log)) - merges == by_git(git)
    for path in paths:
        assert set(commits(log, path)) - merges == by_git(git, path)
    return log


@pytest.fixture
def told(git: Git) -> Git:
    """Three commits."""
    change(git, "a.md", "1\n", "one\n\nClawgit-Id: klmnopqr\n")
    change(git, "memory/b.md", "1\n", "two\n\nClawgit-Id: zzzzzzzz\nAlert: shrink a.md\n")
    change(git, "a.md", "2\n", "three")
    return git


def test_a_folder_is_all_that_lies_below_it(told: Git) -> None:
    change(told, "memory/deep/c.md", "1\n")
    change(told, "memory.md", "1\n")
    change(told, "memory0.md", "1\n")
    both = change(told, "memory/b.md", "2\n")
    log = agrees(told, "memory", "memory.md")
    assert len(commits(log, "memory")) == 3
    assert commits(log, "memory/")[0] == commits(log, "memory/b.md/")[0] == both
    assert (commits(log, "../memory"), commits(log, "/memory"), commits(log, "..")) == ([], [], [])


def test_a_merge_lists_the_side_and_itself_only_where_it_differs_from_both(told: Git) -> None:
    told("checkout", "-q", "-b", "side", "HEAD~1")
    side = change(told, "memory/b.md", "side\n")
    clash = change(told, "a.md", "side\n")
    told("checkout", "-q", "main")
    main = change(told, "c.md", "1\n")
    told("merge", "-q", "side", ok=False)
    merge = change(told, "a.md", "both\n", "merge")
    log = agrees(told, "c.md", "memory/b.md")
    assert commits(log, "memory/b.md")[0] == side
    assert merge not in commits(log, "c.md")
    ours, theirs, both = (told("rev-parse", f"{oid}:a.md").strip() for oid in (main, clash, merge))
    assert log.versions("a.md")[0] == Version(merge, "a.md", (ours, theirs), both)
    touched = [(commit.sha, commit.paths) for commit in told_of(log.git, [merge, main])]
    assert touched == [(merge, ("a.md",)), (main, ("c.md",))]
    assert [*told_of(log.git)] == []


def test_a_shallow_clone_works_and_is_looked_at_again_when_deepened(told: Git) -> None:
    told("clone", "-q", "--depth", "1", told.root.as_uri(), "../shallow")
    shallow = Git(told.root.parent / "shallow")
    assert commits(agrees(shallow, "a.md", "memory/b.md"), "memory/b.md") == [shallow.head()]
    shallow("fetch", "-q", "--unshallow")
    assert shallow.head() not in commits(agrees(shallow, "a.md", "memory/b.md"), "memory/b.md")


def test_any_path_is_itself(told: Git) -> None:
    latin = os.fsdecode(b"caf\xe9.md")
    for name in (ODD, "-n", "with space.md", "back\\slash.md", "*.md", ":(top)x.md", latin):
        oid = change(told, name, "x\n")
        log = opened(told)
        assert commits(log, name) == [oid], name
        assert [version.oid for version in log.versions(name)] == [oid], name


def test_no_setting_of_the_user_changes_the_answer(git: Git) -> None:
    one = change(git, "a.md", "1\n2\n3\n", "ü\n\nClawgit-Id: klmnopqr")
    git("mv", "a.md", "b.md")
    two = git.commit_all("rename")
    for setting in (
        "log.showRoot false", "log.showSignature true", "diff.renames copies", "log.date raw", "format.pretty /x",
        "color.ui always", "diff.orderFile missing", "diff.relative true", "core.abbrev 4",
        "log.diffMerges off", "diff.external false", "i18n.logOutputEncoding latin1",
        "log.follow true",
    ):  # fmt: skip
        key, value = setting.split()
        git("config", key, value)
        log = opened(git)
        assert (commits(log, "a.md"), commits(log, "b.md")) == ([two, one], [two]), key
        assert [*log.by_change_id("klmnopqr")] == [one], key
        git("config", "--unset", key)
