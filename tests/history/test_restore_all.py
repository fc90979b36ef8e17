"""What snapshot and restore answer; the whole memory as of a day is one commit, and an undo takes it
back."""

import pytest

from clawgit.core.errors import MassDeletionError, NotFoundError, UsageError
from clawgit.git.rules.actors import OPERATOR, Actor
from clawgit.history.changes import restore, restore_all, snapshot
from clawgit.history.undo import redo, undo
from clawgit.safety.trust import set_setting
from clawgit.soul.guarding import GuardError
from tests.history.test_undo import DAY, EMBER, files, home, put, remembered, soul_edited, write
from tests.soulful import Soulful

__all__ = ["home"]


def lived(home: Soulful) -> None:
    """Facts, a new file, a file that goes, another soul."""
    remembered(home)
    put(home, "notes/new.md", "- New.\n")
    put(home, "memory/begun.md", None)
    soul_edited(home)


def count(home: Soulful) -> int:
    return int(home.git("rev-list", "--count", "HEAD"))


def test_every_file_is_as_it_was_by_one_commit_and_undo_takes_it_back(home: Soulful) -> None:
    then, at = files(home.git), home.git.head()
    lived(home)
    now, commits = files(home.git), count(home)
    done = restore_all(home.later(), at)
    assert files(home.git) == then
    assert count(home) == commits + 1
    assert {*done.changed} >= {"MEMORY.md", "notes/new.md", "memory/begun.md", "SOUL.md"}
    assert home.git.status() == ""
    undo(home.later())
    assert files(home.git) == now
    redo(home.later())
    assert files(home.git) == then


def test_what_nobody_committed_is_in_history_before_it_goes(home: Soulful) -> None:
    then, at = files(home.git), home.git.head()
    write(home, "MEMORY.md", home.text("MEMORY.md") + "- By hand.\n")
    write(home, "notes.md", "- New, by hand.\n")
    restore_all(home.later(), at)
    assert files(home.git) == then
    assert "- New, by hand." in home.git("log", "-p", "--format=")
    assert "+- By hand." in home.git("log", "-p", "--format=")


@pytest.mark.parametrize("actor", [OPERATOR, EMBER])
def test_a_wiped_folder_comes_back_whoever_restores_it(home: Soulful, actor: Actor) -> None:
    lived(home)
    put(home, "AGENTS.md", "# How to work\n\n- Ask first.\n")
    set_setting(home.later(), "sync_remote", "origin")
    before = files(home.git)
    for path in before:
        (home.git.root / path).unlink()
    with pytest.raises(MassDeletionError) as refused:
        restore(home.later(), "MEMORY.md")
    assert "clawgit restore --all --at HEAD" in refused.value.hint
    done = restore_all(home.as_actor(actor), "HEAD")
    assert files(home.git) == before
    assert home.git.status() == ""
    assert not [warning for warning in done.warnings if "CONFIG.md" in warning]


def test_an_agent_brings_no_other_settings_back_than_the_last(home: Soulful) -> None:
    set_setting(home.later(), "sync_remote", "backup")
    older = home.git.head()
    set_setting(home.later(), "sync_remote", "origin")
    (home.git.root / "CONFIG.md").unlink()
    with pytest.raises(GuardError):
        restore(home.as_actor(EMBER), "CONFIG.md", older)
    restore(home.as_actor(EMBER), "CONFIG.md")
    assert 'sync_remote: "origin"' in home.text("CONFIG.md")


def test_an_agent_brings_back_the_last_soul_and_no_older_one(home: Soulful) -> None:
    older = home.git.head()
    soul_edited(home)
    set_setting(home.later(), "soul_policy", "locked")
    last = home.text("SOUL.md")
    (home.git.root / "SOUL.md").unlink()
    with pytest.raises(GuardError):
        restore(home.as_actor(EMBER), "SOUL.md", older)
    restore(home.as_actor(EMBER), "SOUL.md")
    assert home.text("SOUL.md") == last
    (home.git.root / "SOUL.md").unlink()
    snapshot(home.later())
    with pytest.raises(GuardError):
        restore(home.as_actor(EMBER), "SOUL.md")


def test_the_guard_of_the_soul_holds(home: Soulful) -> None:
    at = home.git.head()
    soul_edited(home)
    set_setting(home.later(), "soul_policy", "locked")
    before = files(home.git)
    with pytest.raises(GuardError):
        restore_all(home.as_actor(EMBER), at)
    assert files(home.git) == before
    restore_all(home.later(), at)
    assert files(home.git)["SOUL.md"] != before["SOUL.md"]


def test_the_beginning_and_the_unknown_cannot_be_undone(home: Soulful) -> None:
    with pytest.raises(UsageError, match="is the first commit"):
        undo(home.later(), home.git("rev-list", "--max-parents=0", "HEAD").strip())
    with pytest.raises(NotFoundError):
        undo(home.later(), "kkkkllll")


def test_restore_brings_a_file_back_as_it_was_then_or_last(home: Soulful) -> None:
    first, memory = home.git.head(), home.text("MEMORY.md")
    put(home, "MEMORY.md", f"{memory}- Later.\n")
    restore(home.later(), "MEMORY.md", first)
    assert home.text("MEMORY.md") == memory
    home.git("rm", "-q", "memory/begun.md")
    home.git.commit_all("gone")
    restore(home.later(), "memory/begun.md")
    assert home.text("memory/begun.md") == "- Begun.\n"
    with pytest.raises(UsageError, match="say which version"):
        restore(home.later(), "MEMORY.md")
    with pytest.raises(NotFoundError, match="never existed here"):
        restore(home.later(), "nothing.md")
    for at in (None, first):
        with pytest.raises(UsageError, match="memory is a folder"):
            restore(home.later(), "memory", at)


def test_a_snapshot_with_a_message_is_the_caller_s(home: Soulful) -> None:
    (home.git.root / ".openclaw").mkdir()
    write(home, DAY, "# 2026-02-13\n\n- Met Ana.\n")
    snapshot(home.later())
    write(home, DAY, home.text(DAY) + "- Flushed.\n")
    write(home, "IDENTITY.md", "# Identity\n\n- Bold.\n")
    done = snapshot(home.later())
    assert [one.actor for one in done.commits] == ["openclaw-flush", "unknown"]
    write(home, "IDENTITY.md", "# Identity\n")
    mine = snapshot(home.later(), "Bold was too much.")
    assert (mine.actor, home.git("log", "-1", "--format=%an")) == ("operator", "Olga Operator\n")
    assert home.git("log", "-1", "--format=%s") == "snapshot: Bold was too much.\n"
    assert home.git("log", "-1", "--format=%b").startswith("IDENTITY.md edited.\n")
