"""A merge that leaves out what one of its sides has changed is found; others are not."""

import os
from collections.abc import Callable

import pytest

from clawgit.git.cgit import CGit
from clawgit.git.history.streams import dropped_by_merges
from tests.conftest import Git


def branched(git: Git, *, ours: str, theirs: str) -> str:
    """Two branches of which each says something of a file; the name of the commit of the second."""
    git.write("a.md", "old\n")
    git.write("folder/b.md", "old\n")
    git.commit_all("start")
    git("checkout", "-q", "-b", "side")
    git.write("a.md", theirs)
    git.write("folder/b.md", theirs)
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "theirs")
    side = git.head()
    git("checkout", "-q", "-")
    git.write("a.md", ours)
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "ours")
    return side


def joined(git: Git) -> None:
    git("merge", "-q", "--no-ff", "-m", "merge", "side")


def found(git: Git) -> list[tuple[str, str]]:
    asked = CGit(git.root, dict(os.environ))
    return [
        (dropped.path, dropped.parent)
        for dropped in dropped_by_merges(asked, ("a.md", "folder", "none.md"), "HEAD")
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "merge", "paths"),
    [
        ("old\n", "new\n", joined, []),
        ("new\n", "old\n", joined, []),
        ("new\n", "new\n", joined, []),
    ],
)
def test_what_a_side_changed_and_the_merge_has_not_is_named(
    ws: Git, ours: str, theirs: str, merge: Callable[[Git], None], paths: list[str]
) -> None:
    side = branched(ws, ours=ours, theirs=theirs)
    merge(ws)
    assert found(ws) == [(path, side) for path in paths]


def test_a_side_that_began_where_the_other_ended_has_left_nothing_out(ws: Git) -> None:
    """Two merges across each other: what one side changed, the other had from it already."""
    branched(ws, ours="old\n", theirs="new\n")
    joined(ws)
    ws("checkout", "-q", "side")
    ws.write("c.md", "more\n")
    ws.commit_all("more")
    ws("merge", "-q", "-m", "merge", "main")
    assert found(ws) == []
