"""Dates made absolute, on Saturday 2026-02-14."""

from datetime import UTC, date, datetime

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
        "the sun is out and she sat down",
        "the 3rd party api",
        "open 24/7",
        "周一到周五上班",
        "매주 금요일 회의",
    ],
)
def test_what_recurs_or_names_no_day_stays_as_it_is(text: str) -> None:
    assert absolute(text, SAID) == (text, None)


def test_a_year_is_no_day() -> None:
    assert absolute("we lost money last year", SAID) == ("we lost money in 2025", None)


@given(st.text(max_size=120), st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))  # noqa: DTZ001 (a zone is added)
def test_no_text_and_no_day_is_too_odd(text: str, said: datetime) -> None:
    for start in ("", "in 999 years on the 31st of February, "):
        absolute(f"{start}{text} next month", said.replace(tzinfo=UTC))
