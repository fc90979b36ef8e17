"""What an index answers of the texts it holds."""

from datetime import date, timedelta
from itertools import chain

from clawgit.core.config.settings import Settings
from clawgit.search.index.index import Index, of_texts
from clawgit.search.rules.terms import queried
from tests.search.index.conftest import found


def texts(index: Index, *words: str) -> list[str]:
    return [text for _, _, text in found(index, *words)]


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


TODAY = date(2026, 6, 1)


def entry(text: str, days: int, more: str = "") -> str:
    day = TODAY - timedelta(days)
    return f"- {text} <!-- claw:m7k2q9 conf=0.9 {more}first={day} last={day} -->\n"


def keyed(index: Index) -> list[str]:
    """The texts that keep a vector today."""
    runs, keys = index.vectors(index.horizon(TODAY, Settings()))
    rows = index.rows(chain(*runs))
    return [row.text for at, row in enumerate(rows) if any(keys[at * 16 : at * 16 + 16])]


def test_what_was_corrected_keeps_no_vector_after_its_grace() -> None:
    old, new = entry("Old.", 90, "status=corrected "), entry("New.", 1, "status=corrected ")
    with of_texts({"memory/a.md": f"{old}{new}- By hand.\n"}) as index:
        assert keyed(index) == ["New.", "By hand."]
