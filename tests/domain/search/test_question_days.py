"""The periods that a question names, and what a text says of them."""

from datetime import UTC, datetime

from clawgit.domain.search.question import read_question
from clawgit.domain.search.written_days import is_named_by, says_day
from tests.each import for_each

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)  # a Wednesday


@for_each(
    "text, says",
    [
        ("1983", True),
        ("Moved to Oslo in 1983.", True),
        ("1983-05-02", True),
        ("2 May 1983: moved", True),
        ("02.05.1983", True),
        ("1979–1983", True),
        ("1983年に引っ越した", True),
        ("1984", False),
        ("$1983", False),
        ("1983.50", False),
        ("1983 €", False),
        ("#1983", False),
        ("the 1983rd", False),
        ("41983", False),
    ],
)
def test_a_text_says_a_year_by_its_number_or_by_a_day_of_it(text: str, *, says: bool) -> None:
    assert says_day(text, read_question("in 1983", NOW).spelled) is says


@for_each(
    "asked, path, is_named",
    [
        ("in 1983", "memory/life/1983.md", True),
        ("in 1983", "memory/1983/oslo.md", True),
        ("in 1983", "memory/moved_1983.md", True),
        ("in 1983", "memory/life/1984.md", False),
        ("in 1983", "memory/a1983.md", False),
        ("in July 2006", "memory/2006-07.md", True),
        ("in July 2006", "memory/2006/july-trip.md", True),
        ("in July 2006", "memory/2006-08.md", False),
        ("in July", "memory/july.md", False),
        ("on 3 July 2006", "memory/2006/07/trip.md", False),
    ],
)
def test_a_file_is_named_by_a_year_or_a_month(asked: str, path: str, *, is_named: bool) -> None:
    question = read_question(asked, NOW)
    assert question.days
    assert is_named_by(path, question.days, question.spelled) is is_named
