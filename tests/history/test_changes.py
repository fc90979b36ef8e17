"""What snapshot and restore answer, and what undo refuses."""

import pytest

from clawgit.core.errors import NotFoundError, UsageError
from clawgit.history import changes
from clawgit.history.undo import undo
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git, intent
from tests.git.test_transaction import age
from tests.making import space_of


@pytest.fixture
def space(ws: Git) -> Workspace:
    return space_of(ws)


def add(space: Workspace, line: str, path: str = "MEMORY.md") -> str:
    with space.git.transaction(intent(line), NOW) as tx:
        tx.put(path, (tx.read_text(path) or "") + line + "\n")
    return str(tx.outcome.id)


def text(ws: Git, path: str = "MEMORY.md") -> str:
    return (ws.root / path).read_text()


def test_the_beginning_and_the_unknown_cannot_be_undone(ws: Git, space: Workspace) -> None:
    with pytest.raises(UsageError, match="is the first commit"):
        undo(space, ws.head())
    with pytest.raises(NotFoundError):
        undo(space, "kkkkllll")


def test_restore_brings_a_file_back_as_it_was_then_or_last(ws: Git, space: Workspace) -> None:
    first = ws.head()
    add(space, "- Later.")
    changes.restore(space, "MEMORY.md", first)
    assert text(ws) == "# Memory\n\n- Billing uses PostgreSQL. #decision\n"
    ws("rm", "-q", "memory/2026-02-13.md")
    ws.commit_all("gone")
    changes.restore(space, "memory/2026-02-13.md")
    assert text(ws, "memory/2026-02-13.md") == "# 2026-02-13\n\n- Met Ana.\n"
    with pytest.raises(UsageError, match="say which version"):
        changes.restore(space, "MEMORY.md")
    with pytest.raises(NotFoundError, match="never existed here"):
        changes.restore(space, "nothing.md")


def test_a_snapshot_with_a_message_is_the_caller_s(ws: Git, space: Workspace) -> None:
    (ws.root / ".openclaw").mkdir()
    age(ws.write("memory/2026-02-13.md", text(ws, "memory/2026-02-13.md") + "- Flushed.\n"))
    age(ws.write("SOUL.md", "# Soul\n\n- Be bold, and kind, and brief.\n"))
    done = changes.snapshot(space)
    assert [one.actor for one in done.commits] == ["openclaw-flush", "unknown"]
    age(ws.write("SOUL.md", "# Soul\n\n- Be kind.\n"))
    mine = changes.snapshot(space, "Bold was too much.")
    assert (mine.actor, ws("log", "-1", "--format=%an")) == ("operator", "Olga Operator\n")
    assert ws("log", "-1", "--format=%s") == "snapshot: Bold was too much.\n"
    assert ws("log", "-1", "--format=%b").startswith("SOUL.md edited.\n")
