"""`clawgit sync` as it is typed: its words, its exit codes, its JSON."""

import json
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.history.machines import Hub, Machine, machines


@pytest.fixture
def pair(ws: Git, tmp_path: Path) -> tuple[Hub, list[Machine]]:
    (ws.root / ".git/clawgit").mkdir()
    return machines(ws, tmp_path, 2)


def typed(machine: Machine, *words: str) -> int:
    return run(["-C", str(machine.root), "sync", *words])


def test_a_state_in_which_somebody_must_act_is_an_error(
    pair: tuple[Hub, list[Machine]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, (one, two) = pair
    one.save("SOUL.md", "# Soul\n\n- Be kind, always.\n- Be brief.\n")
    two.save("SOUL.md", "# Soul\n\n- Be stern.\n- Be brief.\n")
    assert typed(one) == 0
    capsys.readouterr()
    assert typed(two) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: SOUL.md: both sides changed it\n")
    assert "next: git merge origin/main" in printed.err
    assert typed(two, "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["state"], answer["conflicts"][0]["path"]) == ("conflict", "SOUL.md")


def test_what_a_sync_that_stopped_had_done_is_told_before_its_error(
    pair: tuple[Hub, list[Machine]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, (one, two) = pair
    two.append("- Likes coffee.\n")
    assert typed(two) == 0
    one.append("- key: AKIAIOSFODNN7REALKEY\n")
    capsys.readouterr()
    assert typed(one) == 1
    printed = capsys.readouterr().err
    did, _, error = printed.partition("error: ")
    assert "1 file changed here: MEMORY.md\nwhat was here before: refs/clawgit/rescue/" in did
    assert "this push would send a secret" in error
    assert "␛" not in printed
    assert status_of(one, capsys).count("\n! sync ") == 1
    assert "␊" not in status_of(one, capsys)


def test_what_a_remote_refused_is_on_record(
    pair: tuple[Hub, list[Machine]], capsys: pytest.CaptureFixture[str]
) -> None:
    hub, (one, _) = pair
    one("remote", "set-url", "origin", str(hub.root.parent))
    one.append("- Likes tea.\n")
    assert typed(one) == 1
    printed = status_of(one, capsys)
    assert "1 commit ahead of origin/main\n" in printed
    assert f"sync failed: There is no repository at {hub.root.parent}" in " ".join(printed.split())
    one("remote", "set-url", "origin", str(hub.root))
    assert typed(one) == 0
    assert "failed" not in status_of(one, capsys)


def status_of(machine: Machine, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run(["-C", str(machine.root), "status"]) == 0
    return capsys.readouterr().out


def test_status_tells_how_far_apart_the_two_are(
    pair: tuple[Hub, list[Machine]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, (one, two) = pair
    one.append("- Likes tea.\n")
    typed(one)
    two.append("- Likes coffee.\n")
    two.commit_all("coffee")
    two("fetch", "-q")
    capsys.readouterr()
    assert run(["-C", str(two.root), "status"]) == 0
    assert "1 commit ahead of origin/main, 1 behind: clawgit sync\n" in capsys.readouterr().out
    run(["-C", str(one.root), "status"])
    assert "origin" not in capsys.readouterr().out
    run(["-C", str(one.root), "status", "--all"])
    assert "sync    remote origin/main\n" in capsys.readouterr().out
