"""Compaction on a real workspace: one commit, found by the search, brought back by restore and
undo."""

from datetime import UTC, date, datetime

import pytest

from clawgit.agents.frame.agents import run_agent
from clawgit.agents.frame.runs import AgentRun
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
    "- The zeppelin certificate runs out in March. #knowledge <!-- claw:m7k2q9 conf=0.95 n=1 "
    "first=2026-01-03 last=2026-01-03 src=explicit ev=chat:main/1 -->\n"
)


@pytest.fixture
def made(git: Git) -> Make:
    return lambda files: workspace_of(git, files, NOW)


def _found(space: Workspace, query: str, **settings: str) -> SearchAnswer:
    caller = space.caller._replace(env={**space.caller.env, **settings})
    return search(Workspace(space.place, caller), Request(query, explain=True))


def _compacted(space: Workspace) -> AgentRun:
    return run_agent(space, COMPACTOR, clock=lambda: NOW)


def test_a_compaction_is_one_commit_that_search_why_restore_and_undo_see_through(
    made: Make, git: Git
) -> None:
    jazz = "memory/2026-01-04-jazz.md"
    space = made({"memory/2026-01-03.md": DAY, jazz: "- Ana plays jazz\n"})
    git.write(jazz, "- Ana plays jazz\n- written just now\n")
    start = git.head()
    done = _compacted(space)
    subjects = git("log", "--format=%an: %s", f"{start}..HEAD").splitlines()
    assert len(subjects) == 2  # what was written just now, and ours
    assert subjects[0] == "Memory Compactor: memory-compactor: sum up 2 notes"
    assert (done.change.commit, git.status()) == (git.head(), "")
    log = (git.root / "COMPACTION_LOG.md").read_text()
    for line in [line for line in log.splitlines() if line.startswith("- ")]:
        path, commit = line[2:].partition(":")[0], line.rpartition(" ")[2]
        assert git("show", f"{commit}:{path}")
    hit = _found(space, "zeppelin certificate").results[0]
    assert (hit.path, hit.source) == (BOOK, "archive")
    life = why(space, f"{hit.path}:{hit.line}")
    turns = [(turn.path, turn.kind) for turn in life.changes]
    assert turns == [(BOOK, "moved"), ("memory/2026-01-03.md", "born")]
    assert _compacted(space).change.commit is None

    restore(space, "memory/2026-01-03.md")
    assert (git.root / "memory/2026-01-03.md").read_text() == DAY
    _compacted(space)
    undo(space)
    undo(space, str(done.change.id))
    assert not (git.root / BOOK).exists()
    assert (git.root / jazz).read_text() == "- Ana plays jazz\n- written just now\n"
    assert git("fsck", "--strict", "--no-dangling") == ""


def test_without_remove_a_line_stands_twice_and_is_shown_once(made: Make, git: Git) -> None:
    note = "memory/2026-01-03.md"
    space = made({note: DAY})
    done = compact_quarterly(space, days=90)
    assert done.applied
    assert (done.change.changed, done.removed) == (("memory/archive/2026-Q1.md",), ())
    line = DAY.partition("- ")[2].partition("<!--")[0]
    assert line in (git.root / "memory/archive/2026-Q1.md").read_text()
    assert [hit.path for hit in _found(space, "zeppelin certificate").results] == [note]
    assert compact_quarterly(space, days=90).change.commit is None
    remember(space, NewFact("The zeppelin certificate runs out in March.", to=note))
    assert compact_quarterly(space, days=90).change.commit is None, "a mention is no new line"


def test_with_remove_the_archive_answers_and_dates_each_line(made: Make, git: Git) -> None:
    right = "- No, the port is 5433. #correction\n"
    first, second = "memory/2026-01-03.md", "memory/2026-03-30.md"
    space = made({first: DAY + right, second: "# 2026-03-30\n\n- The zeppelin flew.\n"})
    compact_quarterly(space, days=60)
    done = compact_quarterly(space, days=60, remove=True)
    assert done.removed == (first, second)
    assert [one.kept for one in done.notes] == [True, False]
    left = (git.root / first).read_text()
    assert left == f"# 2026-01-03\n\n## 10:30 - staging\n\n{right}"
    with Searcher(space) as searcher:
        found = [one.row for one in searcher.looked(Request("zeppelin")).found]
    dated = {
        (row.path, row.text.split()[2]): day_of(row.path, row.headings)
        for row in found
        if "zeppelin" in row.text
    }
    archive = "memory/archive/2026-Q1.md"
    assert dated == {
        (archive, "certificate"): date(2026, 1, 3),
        (archive, "flew."): date(2026, 3, 30),
    }
    hit = _found(space, "zeppelin", CLAWGIT_HALF_LIFE_DAYS="30").results[0]
    assert (hit.explain or {})["factors"]["decay"] == round(decay(76, 30), 3)  # type: ignore[index]
    assert compact_quarterly(space, days=60, remove=True).change.commit is None
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
    book = git.root / BOOK
    first = _compacted(space)
    git.write("memory/2026-01-05.md", "- The zeppelin flew\n")
    _compacted(space)
    both = book.read_text()
    undo(space, str(first.change.id))
    redo(space)
    assert book.read_text() == both
    undo(space, str(first.change.id))
    assert (git.root / "memory/2026-01-03.md").read_text() == DAY
    assert book.read_text() == "# 2026-January\n\n## 2026-01-05\n\n- The zeppelin flew\n"
    log = (git.root / "COMPACTION_LOG.md").read_text()
    assert (log.count("## "), "2026-01-03.md" in log, "2026-01-05.md" in log) == (1, False, True)
    changed = (BOOK, "COMPACTION_LOG.md", "memory/2026-01-03.md")
    assert _compacted(space).change.changed == changed
