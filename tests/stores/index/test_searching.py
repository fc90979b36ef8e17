import os
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.domain.markdown.comment import Meta
from clawgit.domain.search.bonds import Bond, unpacked
from clawgit.domain.search.passage import parts
from clawgit.domain.search.terms import queried
from clawgit.domain.workspace.limits import LARGEST_FILE
from clawgit.stores.index import live
from clawgit.stores.index.listing import TornError
from clawgit.stores.index.searching import SearchIndex
from clawgit.stores.index.shelf import Chunking
from clawgit.stores.index.sources import SOURCES
from tests.conftest import Git
from tests.stores.index.conftest import Opener, everything, found


def fresh_copy(git: Git, opened: Opener, tmp_path: Path) -> SearchIndex:
    """The same files indexed at once, by a repository that knows nothing."""
    other = Git(tmp_path / "other")
    if not other.root.exists():
        other.root.mkdir()
        other("init", "-q")
    for folder in ("memory",):
        for file in (other.root / folder).glob("*"):
            file.unlink()
        for file in (git.root / folder).glob("*"):
            other.write(f"{folder}/{file.name}", file.read_bytes().decode())
    index = opened(other, fresh=False)
    index.rebuild()
    return index


def test_what_lies_on_disk_is_found_committed_or_not(ws: Git, opened: Opener) -> None:
    index = opened(ws)
    assert found(index, "postgresql") == [("MEMORY.md", 3, "Billing uses PostgreSQL. #decision")]
    ws.write("memory/2026-02-14.md", "# Today\n\n\n- Billing moved to MariaDB.\n")
    ws.write("memory/2026-02-13.md", "- Met Bob.\n")
    (ws.root / "MEMORY.md").unlink()
    told = index.refresh()
    assert (told.files, told.items, told.changed, told.behind, told.indexed_at) == (
        3,
        4,
        3,
        0,
        ws.head(),
    )
    assert found(index, "billing") == [("memory/2026-02-14.md", 4, "Billing moved to MariaDB.")]
    assert found(index, "ana") == []
    assert index.refresh().changed == 0


def test_a_row_says_what_its_item_is(git: Git, opened: Opener) -> None:
    git.write(
        "memory/2026-02-14.md",
        "# Day\n\n## Tea\n\n- Ana likes tea. <!-- claw:m7k2q9 conf=0.9 -->\n- Bob too.\n",
    )
    index = opened(git)
    (row,) = index.rows(index.postings("likes"))
    assert tuple(row) == (
        row.id, "memory/2026-02-14.md", 5, 5, "Ana likes tea.", row.text_id, ("Day", "Tea"),
            ("Day", "Tea"), (), "item",
        "m7k2q9", Meta("m7k2q9", ("conf=0.9", "src=explicit")), "memory", 3, row.id, row.id + 1,
    )  # fmt: skip
    assert index.rows([row.last + 1, row.last, 0, -1])[0].text == "Bob too."
    assert (index.count, index.average) == (2, 2.5)
    extents = index.extents([row.id, row.last])
    assert (extents.lengths[row.id], extents.lengths[row.last]) == (3, 2)
    assert extents.opens == {row.id: ("Day", "Tea")}
    assert unpacked(extents.bonds[row.id]) == Bond(headed=1)
    assert extents.bonds[row.last] == 0
    with pytest.raises(TornError):
        index.extents([99])


def test_a_heading_is_found_by_the_first_item_below_it(git: Git, opened: Opener) -> None:
    git.write("MEMORY.md", "# Harbour\n\n- Ships.\n- Cranes.\n\n## Customs\n")
    index = opened(git)
    assert found(index, "harbour") == [("MEMORY.md", 3, "Ships.")]
    assert found(index, "customs") == [("MEMORY.md", 6, "Customs")]


def test_words_are_found_by_their_stem_in_any_script_and_case(git: Git, opened: Opener) -> None:
    git.write(
        "MEMORY.md",
        "- Meetings with CAFÉ owners\n- 记忆很重要\n- call getUserName here\n- 데이터베이스\n",
    )
    index = opened(git)
    for word in (
        "meeting",
        "cafe",
        "owner",
        "getusername",
        "user",
        "记忆",
        "记",
        "要",
        "重",
        "베이",
        "데",
    ):
        assert len(index.postings(word)) == 1, word
    assert index.postings("username") == index.postings("忆记") == []
    assert index.stems(("meetings", "meeting", "no word")) == {
        "meetings": "meet",
        "meeting": "meet",
    }
    assert index.frequencies(("meetings", "nothing", "重")) == {
        "meetings": 1,
        "nothing": 0,
        "重": 1,
    }
    assert {"meet", "getusernam", "重要"} <= set(index.vocabulary())


def test_a_common_word_is_asked_among_rare_ones(git: Git, opened: Opener) -> None:
    git.write(
        "MEMORY.md",
        "".join(f"- common word {number} {'rare' * (number == 7)}\n" for number in range(50)),
    )
    index = opened(git)
    assert index.frequencies(["common", "rare"]) == {"common": 50, "rare": 1}
    assert index.postings("common", ["rare", "absent", '"']) == index.postings("rare")
    assert index.postings("common", ["or", '" OR "common']) == []
    assert len(index.postings("common", [f"w{number}" for number in range(2000)] + ["rare"])) == 0
    assert len(index.postings("common", ["rare"] + [f"w{number}" for number in range(2000)])) == 1


QUESTIONS = (
    "x" * 10_000, "word " * 2_000, "记", '"', '"*', "'; DROP TABLE live_files; --", "NEAR(a b)",
    "a AND", "NOT",
    "OR OR", "^a", "a:b", "{a}", "(", "🦞", "🦞記", "\ud800", "\0", "%", "", " ", "-", "+a", "*",
    "a\\",
)  # fmt: skip


def test_no_question_means_anything_to_sqlite(ws: Git, opened: Opener) -> None:
    index = opened(ws)
    for question in QUESTIONS:
        assert [word for word in queried(question) if index.postings(word)] == []
        assert index.postings(question) == index.postings("billing", [question]) == []
        assert set(index.frequencies([question]).values()) <= {0}


def test_sources_that_the_question_leaves_out_are_not_seen(ws: Git, opened: Opener) -> None:
    ws.write("CORRECTIONS.md", "## k1 · 2026-02-14\n\n- Correct: kind\n")
    corrected = opened(ws, sources=frozenset({"corrections"}))
    assert found(corrected, "kind") == [("CORRECTIONS.md", 3, "Correct: kind")]
    only = opened(ws, sources=frozenset({"profile"}))
    assert found(only, "kind") == [("SOUL.md", 3, "Be kind.")]
    (kind,) = only.postings("kind")
    assert (only.count, found(only, "postgresql"), list(only.neighbours(kind))) == (
        2,
        [],
        [kind, kind + 1],
    )
    assert only.rows(range(50)) == only.rows([kind, kind + 1])
    assert len(everything(opened(ws, sources=frozenset(SOURCES)))) == 5


def test_neighbours_stay_in_their_file(git: Git, opened: Opener) -> None:
    for name in ("a", "b"):
        git.write(f"memory/{name}.md", "".join(f"- {name}{number}\n" for number in range(4)))
    index = opened(git)
    (first,), (last,) = index.postings("b0"), index.postings("a3")
    assert [row.text for row in index.rows(index.neighbours(first, 2))] == ["b0", "b1", "b2"]
    assert [row.text for row in index.rows(index.neighbours(last))] == ["a2", "a3"]
    assert list(index.neighbours(99)) == []


def test_an_edit_that_leaves_size_and_time_as_they_were_is_seen(ws: Git, opened: Opener) -> None:
    index = opened(ws)
    file = ws.root / "memory/2026-02-13.md"
    status = file.stat()
    with file.open("r+b") as same:
        same.write(file.read_bytes().replace(b"Ana", b"Eve"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    index.refresh()
    assert found(index, "eve") == [("memory/2026-02-13.md", 3, "Met Eve.")]


def test_a_file_that_was_written_just_now_is_looked_at_again(ws: Git, opened: Opener) -> None:
    """On a coarse clock, a second edit within the tick would leave no trace."""
    index = opened(ws)

    def marked(number: int) -> bool:
        ws.write("MEMORY.md", f"- {number}\n")
        index.refresh()
        return live.ANEW in {
            file.found.ctime for file in live.files(index._db) if file.path == "MEMORY.md"
        }

    assert any(marked(number) for number in range(9)), (
        "nine times this machine slept for two seconds in between"
    )


def test_what_is_no_text_has_no_items_and_what_is_no_utf8_is_shown_as_such(
    git: Git, opened: Opener
) -> None:
    git.write("memory/a.md", "")
    (git.root / "memory/binary.md").write_bytes(b"- x\0\xff\xfe\xfd" * 500)
    (git.root / "memory/latin.md").write_bytes(b"\n- caf\xe9 open\r\n- next\r\n")
    (git.root / b"memory/n\xe4me.md".decode("utf-8", "surrogateescape")).write_text("- odd\n")
    index = opened(git)
    assert found(index, "open") == [("memory/latin.md", 2, "caf\ufffd open")]
    assert found(index, "next") == [("memory/latin.md", 3, "next")]
    assert [os.fsencode(path) for path, *_ in found(index, "odd")] == [b"memory/n\xe4me.md"]
    assert index.count == 3


def test_another_chunking_reads_again_what_it_cuts_another_way_and_nothing_else(
    ws: Git, opened: Opener
) -> None:
    ws.write(
        "memory/long.md",
        "".join(f"Line {number} of a long story, told slowly.\n" for number in range(60)),
    )
    index = opened(ws)
    texts = {ident: text for ident, _, text in index.texts(range(100))}
    lists = {file.path: file.list for file in live.files(index._db)}
    assert len(index.postings("long")) == 2
    index.close()
    finer = opened(ws, chunking=Chunking(100, 20), fresh=False)
    assert finer.refresh().changed == 1
    assert len(finer.postings("long")) > 5
    assert texts.items() <= {ident: text for ident, _, text in finer.texts(range(100))}.items()
    now = {file.path: file.list for file in live.files(finer._db)}
    assert {path for path in now if now[path] != lists[path]} == {"memory/long.md"}
    finer.close()
    assert opened(ws, fresh=False).refresh().changed == 1


def test_where_meaning_reads_headings_a_line_is_compared_with_them(ws: Git, opened: Opener) -> None:
    ws.write("memory/flat.md", "# Lyon\n\n## Flat\n\n### Rent\n\n- 850 since May\n")
    plain = opened(ws)
    assert everything(plain) == everything(opened(ws, chunking=Chunking(headed=True)))
    index = opened(ws, chunking=Chunking(headed=True))
    [row] = index.rows(index.postings("850"))
    [compared] = (text for _, _, text in index.texts(compared_of(index, row.id)))
    assert (row.text, parts(compared)) == ("850 since May", ("850 since May", ("Flat", "Rent")))
    ws.write("memory/led.md", "## Flat\n\n**Rent**\n\nSo far:\n\n- 790 since March\n  - and heat\n")
    index.refresh()
    [row] = index.rows(index.postings("790"))
    [compared] = (text for _, _, text in index.texts(compared_of(index, row.id)))
    assert row.led == ("Rent", "So far")
    assert parts(compared) == ("790 since March", ("Flat", "Rent", "So far"))
    [row] = index.rows(index.postings("heat"))
    assert (row.headings, row.led) == (("Flat", "790 since March"), ("Rent", "So far"))
    assert index.shrink() == 0
    [compared] = (text for _, _, text in index.texts(compared_of(index, row.id)))
    assert parts(compared) == ("and heat", ("Flat", "790 since March", "Rent", "So far"))
    again = opened(ws)
    assert [text for *_, text in again.texts(compared_of(again, row.id))] == [row.text]
    assert again.shrink() > 0, "nothing is kept for meaning that reads no headings"


def compared_of(index: SearchIndex, item: int) -> list[int]:
    """The text of an item that has its vector."""
    runs, texts = index.live()
    return [memoryview(texts).cast("i")[[*chain(*runs)].index(item)]]


def test_worktrees_share_texts_and_have_their_own_live_set(
    ws: Git, opened: Opener, tmp_path: Path
) -> None:
    ws("worktree", "add", "-q", str(tmp_path / "two"))
    two = Git(tmp_path / "two")
    two.write("memory/2026-02-13.md", "- Met Ana.\n- Only here.\n")
    here, there = opened(ws), opened(two)
    assert (found(here, "only"), len(found(there, "only"))) == ([], 1)
    assert here.generation == there.generation
    assert (
        here.rows(here.postings("ana"))[0].text_id == there.rows(there.postings("ana"))[0].text_id
    )


def test_a_rebuild_gives_the_same_answers_and_dense_ids_of_a_new_generation(
    ws: Git, opened: Opener
) -> None:
    index = opened(ws)
    for number in range(5):
        ws.write("memory/x.md", f"- version {number}\n")
        index.refresh()
    before, old = everything(index), index.generation
    heard: list[tuple[int, int]] = []
    told = index.rebuild(lambda done, todo: heard.append((done, todo)))
    assert (everything(index), told.changed) == (before, 4)
    assert heard == [(done, 4) for done in range(5)]
    assert index.generation != old
    assert sorted(ident for ident, *_ in index.texts(range(100))) == [1, 2, 3, 4, 5]


def test_a_reader_keeps_its_moment_while_another_rebuilds(ws: Git, opened: Opener) -> None:
    reader, writer = opened(ws), opened(ws)
    ids, old = reader.postings("ana"), reader.generation
    ws.write("MEMORY.md", "- Something else.\n" * 3)
    writer.rebuild()
    assert reader.rows(ids)[0].text == "Met Ana."
    assert found(reader, "postgresql") == [("MEMORY.md", 3, "Billing uses PostgreSQL. #decision")]
    assert reader.refresh().behind == 0
    assert (found(reader, "postgresql"), reader.generation) == ([], writer.generation)
    assert reader.generation != old


def test_where_the_index_stands(git: Git, opened: Opener) -> None:
    index = opened(git)
    assert index.refresh().indexed_at == ""
    git.write("MEMORY.md", "- a\n")
    git.commit_all("one")
    assert index.refresh().indexed_at == git.head()
    git("pack-refs", "--all")
    assert index.refresh().indexed_at == git.head()
    git("checkout", "-q", "--detach")
    assert index.refresh().indexed_at == git.head()


WORDS = ("alpha", "beta", "gamma")
TEXT = st.lists(st.builds("- {}".format, st.sampled_from(WORDS)), max_size=4).map("\n".join)
EDITS = st.lists(
    st.tuples(st.sampled_from("abc"), st.one_of(st.none(), TEXT, TEXT)), min_size=1, max_size=6
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_however_it_came_about_the_index_is_as_one_made_at_once(
    git: Git, opened: Opener, tmp_path: Path, edits: list[tuple[str, str | None]]
) -> None:
    index = opened(git)
    for name, text in edits:
        if text is None:
            (git.root / f"memory/{name}.md").unlink(missing_ok=True)
        else:
            git.write(f"memory/{name}.md", text)
        index.refresh()
    fresh = fresh_copy(git, opened, tmp_path)
    assert everything(index) == everything(fresh)
    for word in WORDS:
        assert sorted(found(index, word)) == sorted(found(fresh, word))
        assert all(text == word for _, _, text in found(index, word))
    index.close()
    fresh.close()


LONG_LINE = f"- The ferry to Bergen is late: {'z' * 2000}.\n"
"""So that few of them are more than is read of a file."""


def test_the_first_part_of_an_endless_file_is_read(ws: Git, opened: Opener) -> None:
    """Four terabytes would not fit into the memory, so nobody can have read them."""
    log = ws.write("memory/log.md", LONG_LINE * 1_500)
    os.truncate(log, 1 << 42)
    index = opened(ws)
    items = [row for row in index.rows(index.postings("ferry")) if row.path == "memory/log.md"]
    assert (items[0].line, items[-1].line) == (1, LARGEST_FILE // len(LONG_LINE))
    assert index.partly == ["memory/log.md"]
