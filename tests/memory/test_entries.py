"""Entries listed, reworded and removed on a real workspace, one commit each."""

from typing import Any

import pytest

from clawgit.agents.frame.corrections import add
from clawgit.core.errors import ClawgitError, UsageError
from clawgit.core.markdown.entry import Entry, content_key
from clawgit.git.rules.actors import Actor
from clawgit.history.changes import snapshot
from clawgit.history.undo import redo, undo
from clawgit.memory.editing import edit, remove
from clawgit.memory.entries import EntryFilter, counted, listed, named
from clawgit.memory.remember import NewFact, remember
from clawgit.workspace.workspace import Workspace
from tests.each import for_each
from tests.making import asker
from tests.soulful import Soulful

EMBER = Actor("ember", "Ember")
TEA = "- Ana likes tea. #knowledge <!-- claw:anatea conf=0.60 n=1 first=2026-02-01 last=2026-02-01 src=inferred ev=chat:main/7 -->\n"
OLD = "- Bo likes coffee. <!-- claw:bocoff last=2026-02-02 status=superseded by=anatea -->\n"
NESTED = "- A list: #decision <!-- was: An old list --> <!-- claw:alistx -->\n  - One.\n  - Two.\n"


@pytest.fixture
def home(soulful: Soulful) -> Soulful:
    soulful.git.write("MEMORY.md", f"# Memory\n\n{TEA}{OLD}- By hand.\n")
    soulful.git.write("memory/topics.md", f"# Topics\n\n{NESTED}")
    soulful.git.write("memory/2026-02-12.md", "- Met Ana.\n")
    soulful.git.write("memory/2026-02-13.md", "- Met Bo.\n- Met Ana.\n")
    soulful.git.commit_all("entries")
    return soulful


def commits(home: Soulful) -> int:
    return int(home.git("rev-list", "--count", "HEAD"))


# list


@for_each(
    "wanted, found",
    [
        ({"tag": "#Decision"}, ["A list: #decision"]),
        ({"file": "memory", "tag": "decision"}, ["A list: #decision"]),
        ({"status": "superseded"}, ["Bo likes coffee."]),
    ],
)
def test_only_what_fits_all_that_is_given(
    home: Soulful, wanted: dict[str, Any], found: list[str]
) -> None:
    entries = listed(home.space, EntryFilter(**wanted)).entries
    assert [entry.text.partition("\n")[0] for entry in entries] == found


def test_entries_are_counted_by_what_a_list_is_narrowed_to(home: Soulful) -> None:
    counts = counted(home.space)
    assert counts.entries == len(listed(home.space).entries)
    assert counts.files[0] == ("MEMORY.md", 2)
    assert set(counts.tags) == {("knowledge", 1), ("decision", 1)}
    assert counts.statuses == (("active", 6),)
    assert [(row.month, row.entries) for row in counts.months] == [("2026-02", 4)]
    assert counted(home.space, EntryFilter(status="all")).entries == counts.entries + 1


# which one is meant


@for_each("address", ["anatea", content_key("Ana likes tea. #knowledge"), "MEMORY.md:3"])
def test_an_id_a_hash_and_a_line_name_an_entry(home: Soulful, address: str) -> None:
    found = named(home.space, address)
    assert isinstance(found, Entry)
    assert (found.path, found.line) == ("MEMORY.md", 3)


def test_what_stands_twice_is_named_by_its_line(home: Soulful) -> None:
    with pytest.raises(UsageError, match="is in 2 entries") as refused:
        named(home.space, content_key("Met Ana."))
    assert "memory/2026-02-13.md:2" in refused.value.message
    assert named(home.space, "memory/2026-02-12.md:1").path == "memory/2026-02-12.md"


# edit


def test_an_edit_keeps_id_tag_and_place_by_one_commit_that_can_be_undone(home: Soulful) -> None:
    before, count = home.text("MEMORY.md"), commits(home)
    done = edit(home.later(), "anatea", "Ana likes green tea.")
    assert commits(home) == count + 1
    assert done.entry is not None
    assert (done.entry.id, done.entry.line) == ("anatea", 3)
    assert done.entry.text == "Ana likes green tea. #knowledge"
    assert done.before == "Ana likes tea. #knowledge"
    # It is the operator's own word now, and what was cited said the old one.
    assert (done.entry.source, done.entry.evidence) == ("explicit", ())
    assert home.text("MEMORY.md").splitlines()[3:] == before.splitlines()[3:]
    undo(home.later())
    assert home.text("MEMORY.md") == before


def test_what_an_agent_rewords_counts_as_inferred(home: Soulful) -> None:
    remember(home.later(), NewFact("Cara plays the cello."))
    [cara] = [one for one in listed(home.space).entries if "Cara" in one.text]
    assert cara.source == "explicit"
    done = edit(home.as_actor(EMBER), cara.key, "Cara plays the viola.")
    assert done.entry is not None
    assert (done.entry.source, done.entry.confidence) == ("inferred", 0.6)
    bare = edit(home.as_actor(EMBER), "MEMORY.md:5", "By an agent.")
    assert bare.entry is not None
    assert bare.entry.source == "inferred"


def test_a_line_without_an_id_that_the_operator_committed_is_removed_by_nobody_else(
    home: Soulful,
) -> None:
    home.git.write("MEMORY.md", home.text("MEMORY.md") + "- I am allergic to nuts.\n")
    snapshot(home.later(), "mine")
    nuts = content_key("I am allergic to nuts.")
    ember = Workspace(home.space.place, asker(EMBER, home.space.now))
    assert remove(ember, [nuts]).change.held
    edit(ember, content_key("By hand."), "By another hand.")
    assert "- I am allergic to nuts.\n" in home.text("MEMORY.md")


def test_a_line_written_by_hand_stays_without_a_comment(home: Soulful) -> None:
    done = edit(home.later(), content_key("By hand."), "By another hand.")
    assert "- By another hand.\n" in home.text("MEMORY.md")
    assert done.entry is not None
    assert done.entry.key == content_key("By another hand.")


def test_what_is_nested_and_other_comments_stay(home: Soulful) -> None:
    edit(home.later(), "alistx", "A longer list:")
    text = home.text("memory/topics.md")
    assert "- A longer list: #decision <!-- was: An old list --> <!-- claw:alistx " in text
    assert text.endswith("-->\n  - One.\n  - Two.\n")


def test_words_that_another_entry_says_are_refused(home: Soulful) -> None:
    with pytest.raises(ClawgitError, match=r"MEMORY\.md:3 already says so"):
        edit(home.later(), content_key("By hand."), "Ana likes tea.")


def test_what_the_operator_put_right_is_the_operator_s_alone(home: Soulful) -> None:
    add(home.later(), "Ana likes coffee.", "anatea")
    before = home.text("MEMORY.md")
    agent = home.as_actor(EMBER)
    assert remove(agent, ["anatea"]).change.held
    with pytest.raises(ClawgitError, match="corrected"):
        edit(agent, content_key("By hand."), "Ana likes tea.")
    assert home.text("MEMORY.md") == before
    assert "It stays" in edit(agent, "anatea", "Ana likes milk.").change.note
    quote = "  - Ember: “Ana likes milk.” #correction\n"
    assert home.text("MEMORY.md").replace(quote, "") == before
    done = edit(home.later(), "anatea", "Ana likes strong coffee.")
    assert done.entry is not None
    assert (done.entry.source, done.entry.confidence) == ("correction", 1.0)


def test_what_the_operator_brought_back_is_removed_by_nobody_else(home: Soulful) -> None:
    remember(home.as_actor(EMBER), NewFact("Nils owns a boat."))
    undo(home.later())
    redo(home.later())
    [nils] = [one.key for one in listed(home.space).entries if "Nils" in one.text]
    assert remove(home.as_actor(EMBER), [nils]).change.held == (
        "the operator wrote “Nils owns a boat.”",
    )


def test_a_disputed_entry_is_settled_first(home: Soulful) -> None:
    disputed = home.text("MEMORY.md").replace("src=inferred", "src=inferred status=disputed")
    home.git.write("MEMORY.md", disputed)
    for act in (
        lambda: edit(home.later(), "anatea", "x"),
        lambda: remove(home.later(), ["anatea"]),
    ):
        with pytest.raises(ClawgitError, match="is disputed") as refused:
            act()
        assert "corrections" in refused.value.hint


# rm


def test_entries_go_by_one_commit_and_undo_brings_them_back(home: Soulful) -> None:
    memory, day = home.text("MEMORY.md"), home.text("memory/2026-02-13.md")
    count = commits(home)
    done = remove(home.later(), ["anatea", "MEMORY.md:5", "memory/2026-02-13.md:1"])
    assert commits(home) == count + 1
    assert [entry.text for entry in done.entries] == [
        "Ana likes tea. #knowledge", "By hand.", "Met Bo.",
    ]  # fmt: skip
    assert home.text("MEMORY.md") == f"# Memory\n\n{OLD}"
    assert home.text("memory/2026-02-13.md") == "- Met Ana.\n"
    undo(home.later(), str(done.change.id))
    assert (home.text("MEMORY.md"), home.text("memory/2026-02-13.md")) == (memory, day)


def test_the_heading_of_a_note_of_the_day_goes_with_its_entry_and_says_what_that_says(
    soulful: Soulful,
) -> None:
    kept = remember(soulful.space, NewFact("Remember this: Ben left Harbor."))
    edit(soulful.space, str(kept.entry.id), "Carl left Harbor.")
    assert "Ben" not in soulful.text(kept.entry.path)
    assert "- Carl left Harbor\n" in soulful.text(kept.entry.path)
    remove(soulful.space, [str(kept.entry.id)])
    assert "Harbor" not in soulful.text(kept.entry.path)
