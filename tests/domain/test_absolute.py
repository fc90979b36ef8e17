"""Dates made absolute, on Saturday 2026-02-14."""

import re
from datetime import UTC, date, datetime
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.absolute import absolute

SAID = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "written", "day"),
    [
        ("We demo next Friday", "We demo on 2026-02-20", "2026-02-20"),
        ("dentist friday 3pm", "dentist on 2026-02-20 3pm", "2026-02-20"),
        ("Tomorrow I fly to Rome", "On 2026-02-15 I fly to Rome", "2026-02-15"),
        ("done by the day after tomorrow", "done by 2026-02-16", "2026-02-16"),
        ("in two weeks we move", "On 2026-02-28 we move", "2026-02-28"),
        ("I bought it two days ago", "I bought it on 2026-02-12", "2026-02-12"),
        ("last Tuesday the server died", "On 2026-02-10 the server died", "2026-02-10"),
        ("We shipped it on Friday", "We shipped it on 2026-02-13", "2026-02-13"),
        ("we agreed to meet on Monday", "we agreed to meet on 2026-02-16", "2026-02-16"),
        ("The rent is due on the 3rd.", "The rent is due on 2026-03-03.", "2026-03-03"),
        ("on Thursday the 19th at 4", "on 2026-02-19 at 4", "2026-02-19"),
        ("the deadline is end of March", "the deadline is end of March 2026", "2026-03-31"),
        ("launch is on March 5th, 2027", "launch is on 2027-03-05", "2027-03-05"),
        ("5 March works", "On 2026-03-05 works", "2026-03-05"),
        ("on Dec 24 we closed early", "on 2025-12-24 we closed early", "2025-12-24"),
        ("due by 9/18", "due by 2026-09-18", "2026-09-18"),
        ("by 20.02.2026", "by 2026-02-20", "2026-02-20"),
        ("we plant on the first Saturday in June", "we plant on 2026-06-06", "2026-06-06"),
        ("we plant on the last Saturday in June", "we plant on 2026-06-27", "2026-06-27"),
        ("away from Friday until Tuesday", "away from 2026-02-20 until 2026-02-24", "2026-02-20"),
        ("we plan a trip in May", "we plan a trip in May 2026", "2026-05-31"),
        ("next week Ana visits", "In the week of 2026-02-16 Ana visits", "2026-02-20"),
        ("Had the call last night", "Had the call on 2026-02-13 (evening)", "2026-02-13"),
        ("it ended on 2026-01-31", "it ended on 2026-01-31", "2026-01-31"),
        ("the fair is on Sunday week", "the fair is on 2026-02-22", "2026-02-22"),
        ("a week from tomorrow we sail", "On 2026-02-22 we sail", "2026-02-22"),
        ("two weeks on Monday we sail", "On 2026-03-02 we sail", "2026-03-02"),
        ("we sail on Friday of next week", "we sail on 2026-02-20", "2026-02-20"),
        ("next week on Wednesday we sail", "On 2026-02-18 we sail", "2026-02-18"),
        ("a bus leaves the nineteenth of March", "a bus leaves on 2026-03-19", "2026-03-19"),
        ("April the twenty-third at nine", "On 2026-04-23 at nine", "2026-04-23"),
        ("the 17. march works", "On 2026-03-17 works", "2026-03-17"),
        ("we sail on the twentieth", "we sail on 2026-02-20", "2026-02-20"),
        ("ferry the 17th, back the 21st", "ferry on 2026-02-17, back on 2026-02-21", "2026-02-17"),
        ("the 19th 9.20, usual place", "On 2026-02-19 9.20, usual place", "2026-02-19"),
        ("Wednesday the 4 at noon", "On 2026-03-04 at noon", "2026-03-04"),
        ("Friday the 13th, all day", "On 2026-03-13, all day", "2026-03-13"),
        ("the mill is shut since Friday", "the mill is shut since 2026-02-13", "2026-02-13"),
        ("we have the mill since November", "we have the mill since November 2025", "2025-11-30"),
        ("from March we bake on Mondays", "from 2026-03-01 we bake on Mondays", "2026-03-01"),
        ("from March to May we bake", "from March 2026 to May we bake", "2026-03-31"),
        ("shut from new year", "shut from new year (2027-01-01)", "2027-01-01"),
        ("home by Christmas Eve", "home by Christmas Eve (2026-12-24)", "2026-12-24"),
        ("I promised the choir to sing on 12 June", "I promised the choir to sing on 2026-06-12", "2026-06-12"),
        ("the talk has been moved to June 2", "the talk has been moved to 2026-06-02", "2026-06-02"),
        ("We booked the barn for the 12 of july", "We booked the barn for 2026-07-12", "2026-07-12"),
        ("they moved it to 12 june, was 3 may", "they moved it to 2026-06-12, was 2025-05-03", "2026-06-12"),
        ("the fitters come the week after next", "the fitters come in the week of 2026-02-23", "2026-02-27"),
        ("so I do the Saturday", "so I do on 2026-02-21", "2026-02-21"),
        ("Jo is off 2-6 march", "Jo is off from 2026-03-02 to 2026-03-06", "2026-03-06"),
        ("the hall is ours March 2-6", "the hall is ours from 2026-03-02 to 2026-03-06", "2026-03-06"),
        ("from 3 to 5 May we rest", "from 2026-05-03 to 2026-05-05 we rest", "2026-05-05"),
        ("hip op confirmed 9 april", "hip op confirmed on 2026-04-09", "2026-04-09"),
        (
            "the fair, once on the 4th, is now on the 11th",
            "the fair, once on 2026-03-04, is now on 2026-03-11",
            "2026-03-11",
        ),
        ("the release slipped to March 28", "the release slipped to 2026-03-28", "2026-03-28"),
        ("in five months we move", "In July 2026 we move", "2026-07-14"),
        ("We met yesterday night", "We met on 2026-02-13 (evening)", "2026-02-13"),
        ("off from 28 December to 2 January", "off from 2026-12-28 to 2027-01-02", "2026-12-28"),
        ("from 2026-03-20 to 2026-03-05", "from 2026-03-20 to 2026-03-05", "2026-03-20"),
        ("we sing on New Year’s Eve", "we sing on New Year’s Eve (2026-12-31)", "2026-12-31"),
        ("the exam is on the fifth", "the exam is on 2026-03-05", "2026-03-05"),
        ("明天下午开会", "2026-02-15下午开会", "2026-02-15"),
        ("下周五发布", "2026-02-20发布", "2026-02-20"),
        ("3月5日上线", "2026-03-05上线", "2026-03-05"),
        ("两周后搬家", "2026-02-28搬家", "2026-02-28"),
        ("내일 회의", "On 2026-02-15 회의", "2026-02-15"),
        ("다음 주 금요일에 출시", "2026-02-20에 출시", "2026-02-20"),
        ("3월 5일에 만나요", "2026-03-05에 만나요", "2026-03-05"),
    ],
)
def test_a_day_is_written_as_the_day_that_it_was_when_it_was_said(said: str, written: str, day: str) -> None:
    assert absolute(said, SAID) == (written, date.fromisoformat(day))


@pytest.mark.parametrize(
    "text",
    [
        "every Friday we deploy",
        "deploys on Mondays",
        "open Monday to Friday",
        "Mon-Fri only",
        "the first Monday of every month",
        "it may be march",
        "you may first try the handle",
        "the 12th attempt worked",
        "the roof sank two cents in five months",
        "I gave up the Tuesday clinic",
        "the sun is out and she sat down",
        "the 3rd party api",
        "open 24/7",
        "thıs week, before Chrıſtmas",
        "周一到周五上班",
        "매주 금요일 회의",
    ],
)
def test_what_recurs_or_names_no_day_stays_as_it_is(text: str) -> None:
    assert absolute(text, SAID) == (text, None)


def test_a_long_text_takes_time_by_its_length() -> None:
    started = process_time()
    absolute("we met on Friday at the office. " * 600, SAID)
    assert process_time() - started < 2


def test_a_year_is_no_day() -> None:
    assert absolute("we lost money last year", SAID) == ("we lost money in 2025", None)


@given(st.text(max_size=120), st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))  # noqa: DTZ001 (a zone is added)
def test_no_text_and_no_day_is_too_odd(text: str, said: datetime) -> None:
    for start in ("", "in 999 years on the 31st of February, "):
        absolute(f"{start}{text} next month", said.replace(tzinfo=UTC))


PIECES = """
    the on of in from to until by next last this since every week month year day days Friday Sunday February March 2026
    31 30 29 45th 99th 31st 1st fifth first twelfth thirty-first 0 5 12 noon ago a an and - , . 2/30 30.2. end mid
    weekend tomorrow yesterday morning night half past hence 2 months xmas Christmas January December yeſterday thıs
"""


@given(st.lists(st.sampled_from(PIECES.split()), max_size=14).map(" ".join), st.dates(date(1990, 1, 1)))
def test_no_days_put_together_are_too_odd(text: str, day: date) -> None:
    written, when = absolute(text, datetime.combine(day, SAID.timetz()))
    assert when is None or re.search(r"[0-9]{4}", written)
