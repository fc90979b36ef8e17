"""What an index answers of the texts it holds."""

import os

import pytest

from clawgit.git.cgit import CGit
from clawgit.language.terms import queried
from clawgit.search.index.index import Index, of_texts
from clawgit.search.index.live import of_commit
from clawgit.workspace.discover import SOURCES, Reach
from tests.conftest import Git
from tests.search.index.conftest import Opener, everything, found


def test_words_are_found_in_any_script_and_case() -> None:
    said = "- Meetings with CAFÉ owners\n- 记忆很重要\n- call getUserName here\n- 데이터베이스\n"
    with of_texts({"MEMORY.md": said}) as index:
        for word in ("meetings", "cafe", "getusername", "user", "记忆", "要", "베이"):
            assert len(index.best([word], 9)) == 1, word
        assert index.best(["username", "忆记", "meeting"], 9) == []


QUESTIONS = (
    "x" * 10_000, "word " * 2_000, "记", '"', '"*', "'; DROP TABLE file; --", "NEAR(a b)",
    "a AND", "NOT", "OR OR", "^a", "a:b", "{a}", "(", "🦞", "🦞記", "\ud800", "\0", "%", "", " ",
    "-", "+a", "*", "a\\", " ".join(f"w{number}" for number in range(2_000)),
)  # fmt: skip


def test_no_question_means_anything_to_sqlite() -> None:
    with of_texts({"MEMORY.md": "- Billing uses PostgreSQL.\n"}) as index:
        for question in QUESTIONS:
            assert index.best([question], 9) == index.best(queried(question), 9) == []
            assert set(index.counts([question]).values()) <= {0}
            assert index.holding(question) == {}
            assert len(index.best([question, *queried(question), "billing"], 9)) == 1
        assert index.best(["billing"], 0) == []


def test_sources_that_the_question_leaves_out_are_not_seen(ws: Git, opened: Opener) -> None:
    ws.write("CORRECTIONS.md", "## k1 · 2026-02-14\n\n- Correct: kind\n")
    corrected = opened(ws, sources=frozenset({"corrections"}))
    assert found(corrected, "kind") == [("CORRECTIONS.md", 3, "kind")]
    only = opened(ws, sources=frozenset({"profile"}))
    assert found(only, "kind", "postgresql") == [("SOUL.md", 3, "Be kind.")]
    (kind,) = only.best(["kind"], 1)
    assert (only.count, list(only.around(kind))) == (2, [kind, kind + 1])
    assert only.rows(range(50)) == only.rows([kind, kind + 1])
    assert [file.path for file in only.files()] == ["SOUL.md"]
    assert {"MEMORY.md", "CORRECTIONS.md", "SOUL.md"} <= {*only.every_file()}
    assert only.counts(["kind"]) == {"kind": 2}
    assert len(everything(opened(ws, sources=frozenset(SOURCES)))) == 5


def test_neighbours_stay_in_their_file() -> None:
    notes = {
        f"memory/{name}.md": "".join(f"- {name}{number}\n" for number in range(4)) for name in "ab"
    }
    with of_texts(notes) as index:
        (first,), (last,) = index.best(["b0"], 1), index.best(["a3"], 1)
        assert [row.text for row in index.rows(index.around(first, 2))] == ["b0", "b1", "b2"]
        assert [row.text for row in index.rows(index.around(last))] == ["a2", "a3"]
        assert list(index.around(99)) == []


def test_what_is_no_text_has_no_items_and_what_is_no_utf8_is_shown_as_such(
    git: Git, opened: Opener
) -> None:
    git.write("memory/a.md", "")
    (git.root / "memory/binary.md").write_bytes(b"- x\0\xff\xfe\xfd" * 500)
    (git.root / "memory/latin.md").write_bytes(b"\n- caf\xe9 open\r\n- next \x1f\x1e one\r\n")
    (git.root / b"memory/n\xe4me.md".decode("utf-8", "surrogateescape")).write_text("- odd\n")
    index = opened(git)
    assert found(index, "open") == [("memory/latin.md", 2, "caf\ufffd open")]
    assert found(index, "next") == [("memory/latin.md", 3, "next \x1f\x1e one")]
    assert [os.fsencode(path) for path, *_ in found(index, "odd")] == [b"memory/n\xe4me.md"]
    assert index.count == 3


@pytest.fixture
def lived(ws: Git) -> tuple[Git, str, str]:
    """A workspace and two of its commits, before and after billing moved."""
    old = ws.head()
    ws.write("MEMORY.md", "# Memory\n\n\n- Billing uses MariaDB. #decision\n")
    ws.write("notes/extra.md", "- Extra.\n")
    (ws.root / "memory/2026-02-13.md").unlink()
    new = ws.commit_all("billing moved")
    ws.write("MEMORY.md", "- Not committed.\n")
    return ws, old, new


def past(git: Git, commit: str, *extra: str) -> Index:
    return of_commit(CGit(git.root, os.environ), commit, Reach(git.root, extra))


def test_a_commit_is_searched_as_its_files_were(lived: tuple[Git, str, str]) -> None:
    git, old, new = lived
    with past(git, old) as index:
        assert found(index, "billing") == [("MEMORY.md", 3, "Billing uses PostgreSQL. #decision")]
        assert len(found(index, "ana")) == 1
        assert (index.searched, index.count, index.commit) == (3, 4, old)
    with past(git, new, "notes") as index:
        assert found(index, "billing") == [("MEMORY.md", 4, "Billing uses MariaDB. #decision")]
        assert found(index, "ana", "committed") == []
        assert len(found(index, "extra")) == 1
