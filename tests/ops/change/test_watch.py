"""Watching, driven by hand: the changes, the clock and the seconds are given; one test lets real
files change."""

import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import MissingExtraError
from clawgit.ops.change import watch
from clawgit.ops.change.watch import Batch, batches, settled, snapshots
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import find_repo
from clawgit.stores.git.store import GitStore
from tests.conftest import NOW, Git

EDIT = frozenset({"MEMORY.md"})
TICK: Batch = frozenset()


@pytest.fixture
def workspace(ws: Git, open_store: Callable[..., GitStore], tmp_path: Path) -> Workspace:
    workspace = Workspace(find_repo(ws.root), Caller(OPERATOR, os.environ, NOW, tmp_path))
    workspace.__dict__["git"] = open_store(ws.root)
    return workspace


def moments(changes: list[tuple[float, Batch]]) -> list[float]:
    """The seconds at which edits count as settled, with a settle time of 2 s and a start at 0."""
    now = 0.0

    def played() -> Iterator[Batch]:
        nonlocal now
        for now, batch in changes:  # noqa: B007 - the clock reads it
            yield batch

    return [now for _ in settled(played(), 2, lambda: now)]


def clock() -> Callable[[], datetime]:
    """A minute passes at each look."""
    times = (NOW + timedelta(minutes=minute) for minute in range(100))
    return lambda: next(times)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], []),
        ([(1, TICK), (2, TICK), (3, TICK), (9, TICK)], [2]),
        ([(1, EDIT), (2, TICK), (3, TICK), (4, TICK)], [3]),
        ([(2, TICK), (5, EDIT), (6, EDIT), (7, TICK), (8, TICK), (9, TICK), (20, TICK)], [2, 8]),
        ([(2, TICK), (5, EDIT), (8, TICK), (9, EDIT), (12, TICK)], [2, 8, 12]),
    ],
    ids=[
        "nothing",
        "what was there at the start",
        "an edit waits",
        "edits are joined",
        "one after the other",
    ],
)
def test_edits_have_settled_when_nothing_changed_for_a_while(
    changes: list[tuple[float, Batch]], expected: list[float]
) -> None:
    assert moments(changes) == expected


def test_edits_that_never_pause_are_taken_all_the_same() -> None:
    assert moments([(second, EDIT) for second in range(1, 130)]) == [60, 121]


def test_each_moment_with_edits_gives_a_snapshot_of_its_own_time(
    ws: Git, workspace: Workspace
) -> None:
    def edits() -> Iterator[None]:
        ws.write("MEMORY.md", "# Memory\n\n- One.\n")
        yield
        yield
        ws.write("memory/2026-02-14.md", "- Two.\n")
        yield

    first, second = snapshots(workspace, edits(), clock(), pytest.fail)

    log = ws(
        "log", "-2", "--format=%H %aI %(trailers:key=Clawgit-Id,valueonly,separator=)"
    ).splitlines()
    assert log == [f"{one.commits[0]} {one.time.isoformat()} {one.id}" for one in (second, first)]
    assert (first.changed, second.changed) == (("MEMORY.md",), ("memory/2026-02-14.md",))
    assert second.time - first.time == timedelta(minutes=2)
    assert ws.status() == ""


def test_a_file_that_lost_its_text_is_told(ws: Git, workspace: Workspace) -> None:
    ws.write("MEMORY.md", "- a long memory\n" * 50)
    ws.commit_all("long")
    ws.write("MEMORY.md", "- short\n")

    [taken] = snapshots(workspace, [None], clock(), pytest.fail)

    assert taken.alerts == ("shrink MEMORY.md 800 -> 8 bytes",)


def test_what_forbids_a_snapshot_is_told_once_and_tried_again(
    ws: Git, workspace: Workspace
) -> None:
    said: list[str] = []
    merge_head = ws.root / ".git/MERGE_HEAD"

    def edits() -> Iterator[None]:
        ws.write("MEMORY.md", "# Memory\n\n- One.\n")
        for _ in range(2):
            merge_head.write_text(ws.head() + "\n")
            yield
            yield
            merge_head.unlink()
            yield
            ws.write("MEMORY.md", "# Memory\n\n- Two.\n")

    taken = list(snapshots(workspace, edits(), clock(), said.append))

    assert [one.changed for one in taken] == [("MEMORY.md",), ("MEMORY.md",)]
    assert [words[:32] for words in said] == ["Git is in the middle of a merge,"] * 2


def test_a_workspace_that_vanishes_is_not_committed(ws: Git, workspace: Workspace) -> None:
    said: list[str] = []
    before = ws.head()
    for path in ws("ls-files").splitlines():
        (ws.root / path).unlink()

    assert list(snapshots(workspace, [None, None], clock(), said.append)) == []

    assert len(said) == 1
    assert "--accept-deletions" in said[0]
    assert ws.head() == before


def test_real_edits_are_seen_and_git_s_own_files_are_not(ws: Git, workspace: Workspace) -> None:
    def edited() -> Iterator[Batch]:
        """Edits once the watcher is known to look, which its first answer shows."""
        for number, batch in enumerate(batches(ws.root, 0.05)):
            seen.append(batch)
            yield batch
            if number == 0:
                (ws.root / ".git/description").write_text("not ours")
                ws.write("memory/2026-02-14.md", "- Watched.\n")

    def seconds() -> float:
        """Time stands still until the edit has been seen, and passes with the next tick."""
        return 10 if any(seen) and not seen[-1] else 0

    seen: list[Batch] = []
    taken = next(snapshots(workspace, settled(edited(), 2, seconds), clock(), pytest.fail))

    assert taken.changed == ("memory/2026-02-14.md",)
    assert {Path(path).name for batch in seen for path in batch} == {"2026-02-14.md"}


def test_without_the_extra_the_way_to_get_it_is_named(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "watchfiles", None)

    with pytest.raises(MissingExtraError) as caught:
        batches(ws.root, 2)

    assert caught.value.hint == "pip install 'clawgit[watch]'"
