"""Undo of a run, of a session, since a time, of several ids: one commit, all of it or nothing."""

from datetime import timedelta

import pytest

from clawgit.core.errors import ConflictError, NotFoundError, UsageError
from clawgit.git.rules.actors import AGENT, Actor
from clawgit.git.rules.history import Intent
from clawgit.history.undo import redo, undo
from clawgit.safety.trust import set_setting
from clawgit.soul.guarding import GuardError
from tests.history.test_undo import EMBER, MINER, files, home, put, soul_edited, write
from tests.soulful import Soulful, soulful

__all__ = ["home", "soulful"]


def line(home: Soulful, text: str, *, actor: Actor = MINER, **marks: str) -> str:
    """One change that appends a line to MEMORY.md."""
    space = home.later()
    intent = Intent(actor, "edit", text, evidence=("x",))._replace(**marks)  # type: ignore[arg-type]
    with space.git.transaction(intent, space.now) as tx:
        tx.put("MEMORY.md", f"{tx.read_text('MEMORY.md')}- {text}\n")
    return str(tx.outcome.id)


def lines(home: Soulful) -> list[str]:
    return [row.removeprefix("- ") for row in home.text("MEMORY.md").splitlines()[3:]]


def mixed(home: Soulful) -> dict[str, str]:
    """Five changes, of which two are of a run."""
    return {
        "A": line(home, "A", run="r1", session="main"),
        "b": line(home, "b"),
        "C": line(home, "C", run="r1"),
        "d": line(home, "d", actor=EMBER, session="main"),
        "e": line(home, "e", run="r2"),
    }


def test_a_run_is_taken_back_by_one_commit_and_brought_back_as_one(home: Soulful) -> None:
    ids = mixed(home)
    before, count = files(home.git), home.git("rev-list", "--count", "HEAD")
    done = undo(home.later(), run="r1")
    assert lines(home) == ["b", "d", "e"]
    assert int(home.git("rev-list", "--count", "HEAD")) == int(count) + 1
    assert [change.id for change in done.undid] == [ids["C"], ids["A"]]
    assert (done.changed, done.which) == (("MEMORY.md",), "of run r1")
    again = redo(home.later())
    assert files(home.git) == before
    assert {change.id for change in again.undid} == {ids["A"], ids["C"]}


def test_a_later_change_of_the_same_line_is_a_conflict(home: Soulful) -> None:
    ids = mixed(home)
    put(home, "MEMORY.md", home.text("MEMORY.md").replace("- A\n", "- A, reworded\n"))
    write(home, "notes.md", "- By hand.\n")
    before, head = files(home.git), home.git.head()
    for revs, run in (((), "r1"), ((ids["A"], ids["e"]), "")):
        with pytest.raises(ConflictError, match="- A, reworded") as refused:
            undo(home.later(), *revs, run=run)
        assert refused.value.message.startswith(ids["A"])
    assert (files(home.git), home.git.head()) == (before, head)


def test_edits_that_are_not_committed_go_with_what_came_since(home: Soulful) -> None:
    line(home, "A")
    before = files(home.git)
    since = (home.space.now + timedelta(minutes=1)).isoformat()
    line(home, "b")
    write(home, "MEMORY.md", home.text("MEMORY.md") + "- by hand\n")
    write(home, "notes.md", "- By hand.\n")
    dirty = files(home.git)
    dry = undo(home.later(), since=since, dry_run=True)
    assert (dry.commit, dry.uncommitted) == (None, True)
    assert "-- by hand" in dry.preview
    assert files(home.git) == dirty
    undo(home.later(), since=since)
    assert files(home.git) == before
    assert home.git.status() == ""
    redo(home.later())
    assert files(home.git) == dirty


def test_a_conflict_is_found_before_edits_are_committed(home: Soulful) -> None:
    since = (home.space.now + timedelta(minutes=1)).isoformat()
    line(home, "A")
    # A merge is no change of its own: what it says is not what the change had written.
    home.git("switch", "-q", "-c", "side")
    home.git.write("side.md", "- Of the side.\n")
    home.git.commit_all("side")
    home.git("switch", "-q", "-")
    home.git("merge", "-q", "--no-ff", "--no-commit", "side")
    home.git.write("MEMORY.md", home.text("MEMORY.md").replace("- A\n", "- A, merged\n"))
    home.git.commit_all("merged by hand")
    write(home, "notes.md", "- By hand.\n")
    head = home.git.head()
    with pytest.raises(ConflictError):
        undo(home.later(), since=since)
    assert (home.git.head(), home.git.status()) == (head, "?? notes.md\n")


def test_a_program_takes_back_only_its_own(home: Soulful) -> None:
    mixed(home)
    write(home, "notes.md", "- By hand.\n")
    ember = home.as_actor(EMBER)
    done = undo(ember, since="2026-01-01")
    assert [change.actor for change in done.undid] == ["ember"]
    assert (home.git.root / "notes.md").exists()
    with pytest.raises(NotFoundError, match="no change of ember of run r1"):
        undo(ember, run="r1")
    with pytest.raises(UsageError, match="give no name"):
        undo(home.as_actor(AGENT), run="r1")


def test_the_guard_of_the_soul_holds_for_all_of_it(home: Soulful) -> None:
    soul_edited(home)
    line(home, "A", actor=EMBER)
    set_setting(home.later(), "soul_policy", "locked")
    before = files(home.git)
    soul = home.git("log", "-1", "--format=%H", "--", "SOUL.md").strip()
    mine = home.git("log", "-1", "--format=%H", "--", "MEMORY.md").strip()
    with pytest.raises(GuardError):
        undo(home.as_actor(EMBER), soul, mine)
    assert files(home.git) == before
