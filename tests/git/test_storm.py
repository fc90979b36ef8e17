"""Storms: writers, editors, git and kill -9 all at once. Nothing lost, nothing doubled, nothing
left lying about."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest

from tests import ready
from tests.conftest import Git
from tests.storm import Report, storm, storm_of_kills

EDITED_WHOLE = ("rename", "rewrite")


@pytest.fixture
def shore(ws: Git) -> Git:
    """A workspace whose ignore file knows the temporary file of the storm's editor."""
    ws.commit_file(".gitignore", "editor.tmp\n", "ignore")
    return ws


def short_storm(shore: Git, is_enough: Callable[[Report], bool], **how: Any) -> Report:
    """A moment; on a machine that is so busy that little came of it, once more and longer. What
    went wrong ends it."""
    for seconds in (0.5, 3, 25):
        root = shutil.copytree(shore.root, shore.root.with_name(f"storm-{seconds}"))
        report = storm(root, seconds, program=ready.python(), **how)
        if report.wrong or is_enough(report):
            return report
    pytest.fail(f"nothing came of it: {report}")


@pytest.mark.parametrize("writers", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_processes_that_write_at_once(shore: Git, writers: int) -> None:
    report = short_storm(shore, lambda report: report.written > writers, writers=writers)
    assert report.wrong == ()


@pytest.mark.parametrize("editor", EDITED_WHOLE)
def test_an_editor_that_saves_whole_files(shore: Git, editor: str) -> None:
    report = short_storm(
        shore, lambda report: min(report.foreign, report.written) > 0, writers=2, editor=editor
    )
    assert report.wrong == ()


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("editor", EDITED_WHOLE)
def test_200_kills_beside_an_editor_that_saves_whole_files(shore: Git, editor: str) -> None:
    report = storm_of_kills(shore.root, 200, editor)
    assert report.wrong == ()
    assert min(report.written, report.foreign) > 5


def test_four_kills_while_head_leaves_its_branch_and_comes_back(ws: Git) -> None:
    report = storm_of_kills(ws.root, 4)
    assert report.wrong == ()
    assert report.foreign > 2


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_500_kills_while_head_leaves_its_branch_and_comes_back(ws: Git) -> None:
    report = storm_of_kills(ws.root, 500)
    assert report.wrong == ()
    assert min(report.written - report.parked, report.parked) > 5
