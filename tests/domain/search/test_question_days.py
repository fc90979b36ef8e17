"""The periods that a question names, and what a text says of them."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.search.lexicon import Words
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


@for_each(
    "asked, text, says",
    [
        ("June 13", "06-13 shipped the build", True),
        ("what happened on 13 June", "- [x] **06-13**: shipped the build", True),
        ("June 13", "[06-13] Nora came", True),
        ("June 13", "the build (06-13, with Nora)", True),
        ("June 13", "06-13 14:20 shipped", True),
        ("June 13", "| 06-13 | shipped |", True),
        ("October 12", "10-12: dinner", True),
        ("October 12", "[10-12] dinner", True),
        ("October 12", "## 10-12", True),
        ("December 5", "12-05 dinner", True),
        ("October 12", "10-12 people came", False),
        ("October 12", "for children (10-12)", False),
        ("October 12", "[10-12 people] came", False),
        ("June 13", "version 06-13", False),
        ("June 13", "06-13.2 is out", False),
        ("June 13", "06-13 45 67 89", False),
        ("June 13", "06-13-45-67", False),
        ("June 13", "2025-06-13", True),  # whole, as before
        ("June 13", "13-06 shipped", False),
        ("June 3", "6-3 at half time", False),
    ],
)
def test_a_line_may_begin_with_the_month_and_the_day_in_figures(
    asked: str, text: str, *, says: bool
) -> None:
    assert says_day(text, read_question(asked, NOW).spelled) is says


@for_each(
    "asked, words",
    [
        ("MRR May", {"mrr", "may"}),
        ("mrr may?", {"mrr", "may"}),
        ("May revenue", {"may", "revenue"}),
        ("What did Ana do, May or June?", {"ana", "may", "june"}),
        ("May I park here", {"park"}),
        ("where may I park?", {"park"}),
        ("who may park", {"park"}),
        ("MRR March", {"mrr", "march"}),
    ],
)
def test_the_bare_name_of_a_month_is_a_word_of_the_question(asked: str, words: set[str]) -> None:
    assert {forms[0] for forms in read_question(asked, NOW).words} == words


@for_each(
    "asked, language, text, says",
    [
        ("revenue in May", "", "MRR in May: 4,200", True),
        ("revenue in May", "", "- May was strong", True),
        ("revenue in May", "", "| May | 4,200 |", True),
        ("revenue in may", "", "sold 40 bowls in may", True),
        ("revenue in May", "", "You may park behind the house", False),
        ("revenue in May", "", "**May we park here?**", False),
        ("revenue in May", "", "Parked. May I stay?", False),
        ("Umsatz im Mai", "de", "Umsatz im Mai: 4200", True),
        ("Umsatz im Mai", "de", "MRR in May: 4,200", True),
        ("Umsatz im Mai", "de", "Umsatz im Juni: 4200", False),
    ],
)
def test_a_line_says_the_month_of_may(asked: str, language: str, text: str, *, says: bool) -> None:
    question = read_question(asked, NOW, listed=Words(language=language))
    assert says_day(text, question.spelled) is says


def _read(text: str, language: str = "") -> tuple[str, str, set[str]]:
    question = read_question(text, NOW, listed=Words(language=language))
    days, words = question.days, {forms[0] for forms in question.words}
    return (str(days.first), str(days.last), words) if days else ("", "", words)


@for_each(
    "text, first, last",
    [
        ("from February 14 to February 23", "2026-02-14", "2026-02-23"),
        ("between February 14 and February 23", "2026-02-14", "2026-02-23"),
        ("February 14 to February 23", "2026-02-14", "2026-02-23"),
        ("from February 14 until February 23", "2026-02-14", "2026-02-23"),
        ("from the 14th of February to the 2nd of March", "2026-02-14", "2026-03-02"),
        ("July 14 – August 2", "2025-07-14", "2025-08-02"),
        ("from December 28 to January 3", "2025-12-28", "2026-01-03"),
        ("July 14, 2024 to August 2", "2024-07-14", "2024-08-02"),
        ("July 14 to August 2, 2024", "2024-07-14", "2024-08-02"),
        ("December 28 to January 3, 2024", "2023-12-28", "2024-01-03"),
        ("2026-02-14 to 2026-02-23", "2026-02-14", "2026-02-23"),
        ("from 2/14 to 2/23", "2026-02-14", "2026-02-23"),
        ("between 14/2 and 23/2", "2026-02-14", "2026-02-23"),
        ("on February 14 and February 23", "2026-02-14", "2026-02-14"),
        ("from February 23 to 2026-02-14", "2025-02-23", "2026-02-14"),
        ("from 2026-02-23 to 2026-02-14", "2026-02-23", "2026-02-23"),
    ],
)
def test_a_range_may_name_the_month_of_both_ends(text: str, first: str, last: str) -> None:
    assert _read(text)[:2] == (first, last)


def test_the_words_of_a_range_are_not_looked_for() -> None:
    asked = "what did Ana do between February 14 and February 23"
    assert _read(asked) == ("2026-02-14", "2026-02-23", {"ana"})


def test_fractions_are_no_range() -> None:
    assert _read("from 1/2 to 3/4 of a cup")[0] == ""
    assert _read("from 2/30 to 2/31")[0] == ""


@for_each(
    "text, language",
    [
        ("vom 14. Februar bis 23. Februar", "de"),
        ("vom 14.2. bis zum 23.2.", "de"),
        ("zwischen dem 14. Februar und dem 23. Februar", "de"),
        ("14.02.2026 - 23.02.2026", "de"),
        ("del 14 de febrero al 23 de febrero", "es"),
        ("entre el 14 de febrero y el 23 de febrero", "es"),
        ("de 14 de fevereiro a 23 de fevereiro", "pt"),
        ("de 14/2 a 23/2", "pt"),
        ("du 14 février au 23 février", "fr"),
    ],
)
def test_a_range_is_read_in_the_language_of_the_question(text: str, language: str) -> None:
    assert _read(text, language) == ("2026-02-14", "2026-02-23", set())


@for_each(
    "text, first, last",
    [
        ("since February 10", "2026-02-10", "2026-03-18"),
        ("what has happened since February 10", "2026-02-10", "2026-03-18"),
        ("since September", "2025-09-01", "2026-03-18"),
        ("since last week", "2026-03-09", "2026-03-18"),
        ("since the 10th", "2026-03-10", "2026-03-18"),
        ("since 1983", "1983-01-01", "2026-03-18"),
        ("after February 14", "2026-02-15", "2026-03-18"),
        ("after 14/2", "2026-02-15", "2026-03-18"),
        ("after December", "2026-01-01", "2026-03-18"),
        ("after 2027-01-31", "2027-02-01", "9000-01-01"),
        ("before April", "1900-01-01", "2026-03-31"),
        ("before 2 April", "1900-01-01", "2026-04-01"),
        ("before 2 October", "1900-01-01", "2025-10-01"),
        ("before 2026-02-01", "1900-01-01", "2026-01-31"),
        ("before 1983", "1900-01-01", "1982-12-31"),
        ("until April 3", "1900-01-01", "2026-04-03"),
        ("the day before yesterday", "2026-03-16", "2026-03-16"),
        ("from February 14 until February 23", "2026-02-14", "2026-02-23"),
    ],
)
def test_a_range_may_be_open_to_one_side(text: str, first: str, last: str) -> None:
    assert _read(text) == (first, last, set())


@for_each("text", ["crashes after 2000 requests", "before may I go", "3 days after the move"])
def test_what_follows_after_and_before_may_be_no_day(text: str) -> None:
    assert _read(text)[0] == ""


@for_each(
    "text, language, first, last",
    [
        ("seit dem 10. Februar", "de", "2026-02-10", "2026-03-18"),
        ("nach dem 14. Februar", "de", "2026-02-15", "2026-03-18"),
        ("vor April", "de", "1900-01-01", "2026-03-31"),
        ("bis zum 10. März", "de", "1900-01-01", "2026-03-10"),
        ("vor 7 Tagen", "de", "2026-03-11", "2026-03-11"),
        ("desde el 10 de febrero", "es", "2026-02-10", "2026-03-18"),
        ("antes del 2 de abril", "es", "1900-01-01", "2026-04-01"),
        ("antes de ayer", "es", "2026-03-16", "2026-03-16"),
        ("desde 10 de fevereiro", "pt", "2026-02-10", "2026-03-18"),
        ("depuis le 10 février", "fr", "2026-02-10", "2026-03-18"),
    ],
)
def test_an_open_range_is_read_in_the_language_of_the_question(
    text: str, language: str, first: str, last: str
) -> None:
    assert _read(text, language)[:2] == (first, last)


def test_a_line_with_the_day_that_ends_a_range_is_asked_for_too() -> None:
    """By that day something may be due."""
    due = read_question("what is due before 2 April", NOW).spelled
    assert says_day("The tax return is due before 2 April", due)
    assert not says_day("Lena came in April", read_question("before April", NOW).spelled)
    assert says_day("Lena came in 2026-02", read_question("since February 2026", NOW).spelled)


@for_each(
    "text, language, day",
    [
        ("on Thursday", "", "2026-03-12"),
        ("what was done on Thursday", "", "2026-03-12"),
        ("on Monday about billing", "", "2026-03-16"),
        ("on Friday the 13th", "", "2026-03-13"),
        ("on Thursday, 5 March", "", "2026-03-05"),
        ("was war am Donnerstag", "de", "2026-03-12"),
        ("yoga on Thursdays", "", ""),
    ],
)
def test_a_weekday_is_the_last_one(text: str, language: str, day: str) -> None:
    assert _read(text, language)[:2] == (day, day)


def test_on_a_wednesday_on_wednesday_may_be_today() -> None:
    days = read_question("on Wednesday", NOW).days
    assert days
    assert [str(each.first) for each in days.each] == ["2026-03-11", "2026-03-18"]


def test_since_a_weekday_is_since_the_last_one() -> None:
    assert _read("since Thursday") == ("2026-03-12", "2026-03-18", set())


def test_a_line_that_names_the_weekday_counts_unless_what_has_passed_is_asked() -> None:
    lines = ("Yoga: Thursday at nine", "Yoga on Thursdays", "Yoga Thu 18:00")
    for line in lines:
        assert says_day(line, read_question("when is yoga on Thursday", NOW).spelled)
        assert not says_day(line, read_question("what was done on Thursday", NOW).spelled)
    assert not says_day("He sat down", read_question("who comes on Saturday", NOW).spelled)


_DAY = st.sampled_from(
    ["9999-12-31", "0001-01-01", "July 10", "29 February", "10. Juli", "Thursday", "April", "1/31"]
)
_WORD = st.sampled_from(["since", "after", "before", "until", "from", "between", "seit", "bis"])


@given(
    st.tuples(_WORD, _DAY, st.sampled_from(["to", "and", "bis", "-", ""]), _DAY),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from(["", "de"]),
)
def test_reading_a_range_never_fails(said: tuple[str, ...], now: datetime, language: str) -> None:
    days = read_question(" ".join(said), now, listed=Words(language=language)).days
    assert not days or days.first <= days.last
