"""Compaction on a real workspace: one commit, found by the search, brought back by restore and
undo."""

from datetime import UTC, date, datetime

import pytest

from clawgit.agents.frame.agents import run_agent
from clawgit.history.changes import restore
from clawgit.history.undo import redo, undo
from clawgit.history.why import why
from clawgit.memory.remember import NewFact, remember
from clawgit.memory.rules.confidence import day_of, decay
from clawgit.memory.upkeep import compact_quarterly
from clawgit.search.search import Request, SearchAnswer, Searcher, search
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import Make, workspace_of

NOW = datetime(2026, 6, 14, 3, tzinfo=UTC)
COMPACTOR = "memory-compactor"
DAY = (
    "# 2026-01-03\n\n## 10:30 - staging\n\n"
    "- The zeppelin certificate runs out in March. #knowledge"
    " <!-- claw:m7k2q9 conf=0.95 n=1 first=2026-01-03 last=2026-01-03 src=explicit ev=chat:main/1 "
    "-->\n"
)


@pytest.fixture
def made(git: Git) -> Make:
    return lambda files: workspace_of(git, files, NOW)


def _found(space: Workspace, query: str, **settings: str) -> SearchAnswer:
    env = {**space.caller.env, **settings}
    return search(
        Workspace(space.place, space.caller._replace(env=env)), Request(query, explain=True)
    )


def test_a_compaction_is_one_commit_that_search_why_restore_and_undo_see_through(
    made: Make, git: Git
) -> None:
    space = made({"memory/2026-01-03.md": DAY, "memory/2026-01-04-jazz.md": "- Ana plays jazz\n"})
    git.write("memory/2026-01-04-jazz.md", "- Ana plays jazz\n- written just now\n")
    start = git.head()
    done = run_agent(space, COMPACTOR, clock=lambda: NOW)
    assert (
        git("rev-list", "--count", f"{start}..HEAD").strip() == "2"
    )  # what was written just now, and ours
    assert (done.commit, git.status()) == (git.head(), "")
    assert (
        git("log", "-1", "--format=%an: %s").strip()
        == "Memory Compactor: memory-compactor: sum up 2 notes"
    )
    log = (git.root / "COMPACTION_LOG.md").read_text()
    for line in [line for line in log.splitlines() if line.startswith("- ")]:
        path, commit = line[2:].partition(":")[0], line.rpartition(" ")[2]
        assert git("show", f"{commit}:{path}")
    hit = _found(space, "zeppelin certificate").results[0]
    assert (hit.path, hit.source) == ("Archive/Chronicles/2026-January.md", "archive")
    life = why(space, f"{hit.path}:{hit.line}")
    assert [(turn.path, turn.kind) for turn in life.changes] == [
        (hit.path, "moved"), ("memory/2026-01-03.md", "born"),
    ]  # fmt: skip
    assert run_agent(space, COMPACTOR, clock=lambda: NOW).commit is None

    restore(space, "memory/2026-01-03.md")
    assert (git.root / "memory/2026-01-03.md").read_text() == DAY
    run_agent(space, COMPACTOR, clock=lambda: NOW)
    undo(space)
    undo(space, str(done.id))
    assert not (git.root / "Archive/Chronicles/2026-January.md").exists()
    assert (
        git.root / "memory/2026-01-04-jazz.md"
    ).read_text() == "- Ana plays jazz\n- written just now\n"
    assert git("fsck", "--strict", "--no-dangling") == ""


def test_without_remove_a_line_stands_twice_and_is_shown_once(made: Make, git: Git) -> None:
    space = made({"memory/2026-01-03.md": DAY})
    done = compact_quarterly(space, dry_run=False)
    assert (done.applied, done.changed, done.removed) == (True, ("memory/archive/2026-Q1.md",), ())
    line = DAY.partition("- ")[2].partition("<!--")[0]
    assert line in (git.root / "memory/archive/2026-Q1.md").read_text()
    assert [hit.path for hit in _found(space, "zeppelin certificate").results] == [
        "memory/2026-01-03.md"
    ]
    assert compact_quarterly(space, dry_run=False).commit is None
    remember(
        space, NewFact("The zeppelin certificate runs out in March.", to="memory/2026-01-03.md")
    )
    assert compact_quarterly(space, dry_run=False).commit is None, "a mention is no new line"


def test_with_remove_the_archive_answers_and_dates_each_line(made: Make, git: Git) -> None:
    right = "- No, the port is 5433. #correction\n"
    space = made(
        {
            "memory/2026-01-03.md": DAY + right,
            "memory/2026-03-30.md": "# 2026-03-30\n\n- The zeppelin flew.\n",
        }
    )
    compact_quarterly(space, days=60, dry_run=False)
    done = compact_quarterly(space, days=60, remove=True, dry_run=False)
    assert done.removed == ("memory/2026-01-03.md", "memory/2026-03-30.md")
    assert [one.kept for one in done.notes] == [True, False]
    assert (
        git.root / "memory/2026-01-03.md"
    ).read_text() == f"# 2026-01-03\n\n## 10:30 - staging\n\n{right}"
    with Searcher(space) as searcher:
        rows = [
            one.row
            for one in searcher.looked(Request("zeppelin")).found
            if "zeppelin" in one.row.text
        ]
    dated = {(row.path, row.text.split()[2]): day_of(row.path, row.headings) for row in rows}
    archive = "memory/archive/2026-Q1.md"
    assert dated == {
        (archive, "certificate"): date(2026, 1, 3),
        (archive, "flew."): date(2026, 3, 30),
    }
    hit = _found(space, "zeppelin", CLAWGIT_HALF_LIFE_DAYS="30").results[0]
    assert (hit.explain or {})["factors"]["decay"] == round(decay(76, 30), 3)  # type: ignore[index]
    assert compact_quarterly(space, days=60, remove=True, dry_run=False).commit is None
    assert git.status() == ""


BOOK = "Archive/Chronicles/2026-January.md"


@pytest.mark.parametrize(
    "begun", [{BOOK: "# 2026-January\n", "COMPACTION_LOG.md": "# COMPACTION_LOG.md\n"}, {}]
)
def test_a_run_is_undone_whatever_came_after_it(
    made: Make, git: Git, begun: dict[str, str]
) -> None:
    """Whether the book was there before that run, or began with it."""
    space = made({"memory/2026-01-03.md": DAY, **begun})
    first = run_agent(space, COMPACTOR, clock=lambda: NOW)
    git.write("memory/2026-01-05.md", "- The zeppelin flew\n")
    run_agent(space, COMPACTOR, clock=lambda: NOW)
    both = (git.root / BOOK).read_text()
    undo(space, str(first.id))
    redo(space)
    assert (git.root / BOOK).read_text() == both
    undo(space, str(first.id))
    assert (git.root / "memory/2026-01-03.md").read_text() == DAY
    assert (
        git.root / BOOK
    ).read_text() == "# 2026-January\n\n## 2026-01-05\n\n- The zeppelin flew\n"
    log = (git.root / "COMPACTION_LOG.md").read_text()
    assert (log.count("## "), "2026-01-03.md" in log, "2026-01-05.md" in log) == (1, False, True)
    assert run_agent(space, COMPACTOR, clock=lambda: NOW).changed == (
        "Archive/Chronicles/2026-January.md", "COMPACTION_LOG.md", "memory/2026-01-03.md",
    )  # fmt: skip
