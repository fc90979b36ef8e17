"""A merge that leaves out what one of its sides has changed is found; others are not."""

import os

import pytest

from clawgit.git.cgit import CGit
from clawgit.git.history.streams import dropped_by_merges
from tests.conftest import Git

PATHS = ("a.md", "folder/b.md")


def saying(git: Git, text: str, message: str, *paths: str) -> str:
    for path in paths:
        git.write(path, text)
    return git.commit_all(message)


def branched(git: Git, *, ours: str, theirs: str) -> str:
    """Two branches of which each says something of the files; the last commit of the second."""
    saying(git, "old\n", "start", *PATHS)
    git("checkout", "-q", "-b", "side")
    side = saying(git, theirs, "theirs", *PATHS)
    git("checkout", "-q", "-")
    saying(git, ours, "ours", "a.md")
    return side


def found(git: Git) -> list[tuple[str, str]]:
    asked = CGit(git.root, dict(os.environ))
    named = dropped_by_merges(asked, ("a.md", "folder", "none.md"), "HEAD")
    return [(dropped.path, dropped.parent) for dropped in named]


@pytest.mark.parametrize(
    ("ours", "theirs", "way", "paths"),
    [
        ("old\n", "new\n", "ort", ()),
        ("new\n", "old\n", "ort", ()),
        ("new\n", "new\n", "ort", ()),
        ("old\n", "new\n", "ours", ("a.md", "folder")),
        ("new\n", "new\n", "ours", ("folder",)),
    ],
)
def test_what_a_side_changed_and_the_merge_has_not_is_named(
    ws: Git, ours: str, theirs: str, way: str, paths: tuple[str, ...]
) -> None:
    side = branched(ws, ours=ours, theirs=theirs)
    ws("merge", "-q", "--no-ff", "-s", way, "-m", "merge", "side")
    assert sorted(found(ws)) == [(path, side) for path in paths]


def test_a_side_that_began_where_the_other_ended_has_left_nothing_out(ws: Git) -> None:
    branched(ws, ours="old\n", theirs="new\n")
    ws("merge", "-q", "--no-ff", "-m", "merge", "side")
    ws("checkout", "-q", "side")
    saying(ws, "more\n", "more", "c.md")
    ws("merge", "-q", "-m", "merge", "main")
    assert found(ws) == []
