"""`clawgit sync` as it is typed: its words, its exit codes, its JSON."""

from pathlib import Path

import pytest

from tests.conftest import Git
from tests.front.cli.typed import Told, call
from tests.history.machines import Hub, Machine, machines


@pytest.fixture
def pair(ws: Git, tmp_path: Path) -> tuple[Hub, list[Machine]]:
    (ws.root / ".git/clawgit").mkdir()
    return machines(ws, tmp_path, 2)


def synced(machine: Machine, *words: str, code: int = 0) -> Told:
    told = call("-C", str(machine.root), "sync", *words)
    assert told.code == code, told
    return told


def status_of(machine: Machine) -> str:
    return call("-C", str(machine.root), "status").out


def test_a_state_in_which_somebody_must_act_is_an_error(pair: tuple[Hub, list[Machine]]) -> None:
    _, (one, two) = pair
    one.save("SOUL.md", "# Soul\n\n- Be kind, always.\n- Be brief.\n")
    two.save("SOUL.md", "# Soul\n\n- Be stern.\n- Be brief.\n")
    synced(one)
    printed = synced(two, code=1)
    assert printed.out == ""
    assert printed.err.startswith("error: SOUL.md: both sides changed it\n")
    assert "next: clawgit doctor --fix; git merge origin/main;" in printed.err
    answer = synced(two, "--json", code=1).json
    assert (answer["state"], answer["conflicts"][0]["path"]) == ("conflict", "SOUL.md")


def test_what_a_sync_that_stopped_had_done_is_told_before_its_error(
    pair: tuple[Hub, list[Machine]],
) -> None:
    _, (one, two) = pair
    two.append("- Likes coffee.\n")
    synced(two)
    one.append("- key: AKIAIOSFODNN7REALKEY\n")
    printed = synced(one, code=1).err
    did, _, error = printed.partition("error: ")
    assert "1 file changed here: MEMORY.md\nwhat was here before: refs/clawgit/rescue/" in did
    assert "this push would send a secret" in error
    assert "␛" not in printed
    assert status_of(one).count("\n! sync ") == 1
    assert "␊" not in status_of(one)


def test_what_a_remote_refused_is_on_record(pair: tuple[Hub, list[Machine]]) -> None:
    hub, (one, _) = pair
    one("remote", "set-url", "origin", str(hub.root.parent))
    one.append("- Likes tea.\n")
    synced(one, code=1)
    printed = status_of(one)
    assert "1 commit ahead of origin/main: clawgit sync\n" in printed
    assert f"sync failed: There is no repository at {hub.root.parent}" in " ".join(printed.split())
    one("remote", "set-url", "origin", str(hub.root))
    synced(one)
    assert "failed" not in status_of(one)
