"""What a user may call a commit."""

import os
from datetime import UTC, datetime

import pytest

from clawgit.core.errors import NotFoundError, UsageError
from clawgit.git.cgit import CGit
from clawgit.git.history.pathlog import PathLog
from clawgit.git.revisions import resolve
from tests.conftest import NOW, Git


@pytest.fixture
def days(git: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A commit at ten o'clock on each of the first three days of February."""
    for day, ident in ((1, "klmnopqr"), (2, "lmnopqrs"), (3, "mnopqrst")):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2026-02-0{day}T10:00:00+0000")
        git.commit_file("a.md", f"{day}\n", f"day {day}\n\nClawgit-Id: {ident}\n")
        git("tag", f"day{day}")
    return git


def find(git: Git, text: str, now: datetime = NOW) -> str:
    """The tag of the commit that a text names."""
    head = git("rev-parse", "--quiet", "--verify", "HEAD", ok=False).strip() or None
    oid = resolve(PathLog(CGit(git.root, os.environ), head), text, now, lambda: UTC)
    return git("name-rev", "--name-only", "--tags", oid).strip()


NAMES = {
    "klmnopqr": "day1",
    "HEAD": "day3",
    "day2": "day2",
    "HEAD~1": "day2",
    "main": "day3",
    ":/day 1": "day1",
    "2026-02-03": "day2",
    "2026-02-03T10:00": "day3",
    "2026-02-02 09:59": "day1",
    "2026-02-02T11:30+01:00": "day2",
    "yesterday": "day3",
    "11 days ago": "day2",
    "now": "day3",
}


def test_each_name_finds_its_commit(days: Git) -> None:
    assert {text: find(days, text) for text in NAMES} == NAMES


def test_a_hash_or_its_beginning_is_a_name(days: Git) -> None:
    assert find(days, days.head()) == find(days, days.head()[:8]) == "day3"


def test_an_id_names_the_newest_commit_with_it(days: Git) -> None:
    days.commit_file("a.md", "again\n", "again\n\nClawgit-Id: klmnopqr\n")
    days("tag", "copy")
    assert find(days, "klmnopqr") == "copy"


def test_nothing_else_is_a_commit_and_nothing_is_an_option(days: Git) -> None:
    for text in (
        "--all", "-x", "--output=evil", "HEAD:a.md", "HEAD^{tree}", "^HEAD", "HEAD..day1",
        "deadbeef", "a\nb", "kkkkkkkk", "\udcff",
    ):  # fmt: skip
        with pytest.raises(NotFoundError):
            find(days, text)
    for text in ("", " ", "a\0b"):
        with pytest.raises(UsageError):
            find(days, text)
    assert days.status() == ""
