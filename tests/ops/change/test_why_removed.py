"""`why` with the key of an entry without an id, after it has gone, and after it has got an id."""

import pytest

from clawgit.domain.markdown.entry import content_key, entries
from clawgit.errors import NotFoundError
from clawgit.ops.change.why import why
from clawgit.ops.facts.remember import NewFact, remember
from tests.ops.soulful import Soulful, soulful

__all__ = ["soulful"]

BILLING = "- Billing uses PostgreSQL. #decision"
KEY = content_key(BILLING[2:])


def test_it_is_found_where_it_was_taken_away(soulful: Soulful) -> None:
    soulful.git.write("memory/ünlich.md", "- Ben likes\n  tea\n--- a/MEMORY.md\n- Other\n")
    soulful.git.write("MEMORY.md", f"# Memory\n\n-- a/x\n{BILLING}\n")
    born = soulful.git.commit_all("two facts")
    soulful.git.write("memory/ünlich.md", "- Other\n")
    soulful.git.write("MEMORY.md", "# Memory\n")
    assert why(soulful.later(), KEY).state == "removed"
    gone = soulful.git.commit_all("forget it")
    soulful.git.write("MEMORY.md", "# Memory\n\n- Later\n")
    soulful.git.commit_all("go on")
    life = why(soulful.later(), KEY)
    assert (life.state, life.path, life.line, life.text) == ("removed", "MEMORY.md", 4, BILLING)
    assert (life.changes[0].kind, life.changes[0].sha) == ("removed", gone)
    other = why(soulful.space, content_key("Ben likes\ntea\n--- a/MEMORY.md"))
    assert (other.path, other.text) == ("memory/ünlich.md", "- Ben likes")
    assert [(turn.kind, turn.sha) for turn in other.changes] == [("removed", gone), ("born", born)]
    with pytest.raises(NotFoundError):
        why(soulful.space, "h0000000")


def test_it_is_still_known_when_it_has_got_an_id(soulful: Soulful) -> None:
    ident = remember(soulful.later(), NewFact("billing uses postgresql")).entry.id
    assert [entry.key for entry in entries(soulful.text("MEMORY.md"))] == [ident]
    by_key, by_id = why(soulful.space, KEY), why(soulful.space, str(ident))
    assert by_key == by_id
    assert [turn.kind for turn in by_id.changes] == ["changed", "born"]
    assert by_id.changes[0].op == "operator/remember"
