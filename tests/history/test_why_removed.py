"""`why` with the key of an entry without an id, after it has gone, and by words that it had."""

import pytest

from clawgit.core.errors import NotFoundError
from clawgit.core.markdown.entry import content_key
from clawgit.history.why import why
from clawgit.memory.editing import edit
from clawgit.memory.remember import NewFact, remember
from tests.soulful import Soulful, soulful

__all__ = ["soulful"]

BILLING = "- Billing uses PostgreSQL. #decision"
ROWING = "- Bo rows on Mondays."
KEY = content_key(BILLING[2:])


def test_without_an_id_only_its_words_lead_to_what_is_gone(soulful: Soulful) -> None:
    soulful.git.write("memory/ünlich.md", "- Ben likes\n  tea\n--- a/MEMORY.md\n- Other\n")
    soulful.git.write("MEMORY.md", f"# Memory\n\n-- a/x\n{BILLING}\n")
    born = soulful.git.commit_all("two facts")
    assert why(soulful.later(), KEY).line == 4
    soulful.git.write("memory/ünlich.md", "- Other\n")
    soulful.git.write("MEMORY.md", "# Memory\n")
    gone = soulful.git.commit_all("forget it")
    with pytest.raises(NotFoundError):
        why(soulful.later(), KEY)
    life = why(soulful.space, "billing uses postgresql")
    assert (life.state, life.path, life.line, life.text) == ("removed", "MEMORY.md", 4, BILLING)
    other = why(soulful.space, "Ben likes")
    assert (other.path, other.text) == ("memory/ünlich.md", "- Ben likes")
    assert [(turn.kind, turn.sha) for turn in other.changes] == [("removed", gone), ("born", born)]


def test_words_lead_to_the_entry_that_has_or_had_them(soulful: Soulful) -> None:
    ident = str(remember(soulful.later(), NewFact("The gate is blue.")).entry.id)
    stands = why(soulful.later(), "gate  IS blue")
    assert (stands.path, stands.state, stands.changes[0].kind) == ("MEMORY.md", "committed", "born")
    assert why(soulful.space, ident) == stands
    edit(soulful.later(), ident, "The gate is green.")
    then = why(soulful.later(), "gate is blue")
    assert then.text.startswith("- The gate is green.")
    assert [turn.kind for turn in then.changes] == ["changed", "born"]
    with pytest.raises(NotFoundError):
        why(soulful.space, "no such words")


def test_words_that_are_gone_lead_to_the_change_that_took_them_away(soulful: Soulful) -> None:
    soulful.git.write("memory/notes.md", f"# Notes\n\n{ROWING}\n")
    soulful.git.commit_all("a fact")
    soulful.git.write("memory/notes.md", "# Notes\n")
    assert why(soulful.later(), "bo rows").state == "removed"
    gone = soulful.git.commit_all("drop it")
    soulful.git.write("memory/notes.md", "# Notes\n\n- Later\n")
    soulful.git.commit_all("go on")
    life = why(soulful.later(), "bo rows")
    assert (life.state, life.path, life.text) == ("removed", "memory/notes.md", ROWING)
    assert (life.changes[0].kind, life.changes[0].sha) == ("removed", gone)
