"""Watching, driven by hand: the moments and the clock are given; one test lets real files change."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from clawgit.core.errors import MissingExtraError
from clawgit.history import watch
from clawgit.history.watch import settled, snapshots
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git
from tests.making import space_of


@pytest.fixture
def workspace(ws: Git) -> Workspace:
    return space_of(ws)


def clock() -> Callable[[], datetime]:
    """A minute passes at each look."""
    times = (NOW + timedelta(minutes=minute) for minute in range(100))
    return lambda: next(times)


def test_each_moment_with_edits_gives_a_snapshot(ws: Git, workspace: Workspace) -> None:
    def edits() -> Iterator[None]:
        ws.write("MEMORY.md", "# Memory\n\n- One.\n")
        yield
        yield
        ws.write("memory/2026-02-14.md", "- Two.\n")
        yield

    first, second = snapshots(workspace, edits(), clock(), pytest.fail)

    shape = "--format=%H %aI %(trailers:key=Clawgit-Id,valueonly,separator=)"
    assert ws("log", "-2", shape).splitlines() == [
        f"{one.commit} {one.time.isoformat()} {one.id}" for one in (second, first)
    ]
    assert (first.changed, second.changed) == (("MEMORY.md",), ("memory/2026-02-14.md",))
    assert second.time - first.time == timedelta(minutes=2)
    assert ws.status() == ""


def test_a_workspace_that_vanishes_is_not_committed(ws: Git, workspace: Workspace) -> None:
    said: list[str] = []
    before = ws.head()
    for path in ws("ls-files").splitlines():
        (ws.root / path).unlink()
    assert list(snapshots(workspace, [None, None], clock(), said.append)) == []
    assert len(said) == 1
    assert "--accept-deletions" in said[0]
    assert ws.head() == before


def test_real_edits_are_seen_and_git_s_own_files_are_not(
    ws: Git, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Edits once the watcher is known to look: its first answer is that nothing has changed."""
    monkeypatch.setattr(watch, "_IDLE", 100)
    moments = settled(ws.root, 0.05)
    next(moments)
    next(moments)
    monkeypatch.setattr(watch, "_IDLE", 60_000)
    (ws.root / ".git/description").write_text("not ours")
    ws.write("memory/2026-02-14.md", "- Watched.\n")
    taken = next(snapshots(workspace, moments, clock(), pytest.fail))
    assert taken.changed == ("memory/2026-02-14.md",)


def test_without_the_extra_it_says_how_to_get_it(ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "watchfiles", None)
    with pytest.raises(MissingExtraError) as caught:
        next(settled(ws.root, 2))
    assert caught.value.hint == "pip install 'clawgit[watch]'"
