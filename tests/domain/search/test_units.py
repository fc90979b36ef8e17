"""Figures with their units, written apart or together, and times of the clock."""

from clawgit.domain.search.clock_times import clock_times, only_time, same_times, ways_of_time
from clawgit.domain.search.units import apart, is_unit, signed
from tests.each import for_each


@for_each(
    "text, found",
    [
        ("is there 814 GB, or 2.9 kHz?", [("814", ["gb"]), ("9", ["khz", "k", "hz"])]),
        ("814GB, KSM66 GB, 3 kilometres", []),
        ("on the 16th at 7", []),
        ("3 \uff9e", []),  # a letter to Python, and no word
    ],
)
def test_a_figure_has_a_short_word_as_its_unit(
    text: str, found: list[tuple[str, list[str]]]
) -> None:
    assert [*apart(text)] == found


def test_a_unit_is_what_stands_together_with_a_figure() -> None:
    assert is_unit("gb", ["kiln", "16gb"])
    assert not is_unit("gb", ["kiln", "gb", "16gbit", "x16gb"])


@for_each(
    "text, found",
    [
        ("$14, 14 $, $ 14.00", {("$", "14")}),
        ("25% and 25 %", {("%", "25")}),
        ("-22, \u221222 or (\u201322)", {("-", "22")}),
        ("1,200 €, €1.200, 1200 €", {("€", "1200")}),
        ("-5%", {("-", "5"), ("%", "5")}),
        ("25 people, 10-12, Q3-22, - 22, 2026-07-20, 555-123-4567, 5 - 3", set()),
    ],
)
def test_a_figure_has_its_sign_wherever_that_stands(text: str, found: set[tuple[str, str]]) -> None:
    assert signed(text) == found


@for_each(
    "text, times",
    [
        ("at 6:45, 06:45 and 6.45 Uhr", [(6, 45)] * 3),
        ("6:45 AM, 6:45am or 6:45 a.m.", [(6, 45)] * 3),
        ("18:45, 6:45 PM, 6:45p.m. and 18.45 Uhr", [(18, 45)] * 4),
        ("14:00-15:30", [(14, 0), (15, 30)]),
        ("12:05 AM, 12:05 PM, 12:05", [(0, 5), (12, 5), (12, 5)]),
        ("6.45 euros, 6.45, 16:9, 24:10, 6:451, 1:02:03, 4:30/km, 2:6:45, $6.45 am", []),
    ],
)
def test_a_time_of_the_clock_has_many_ways(text: str, times: list[tuple[int, int]]) -> None:
    assert [time for time, _ in clock_times(text)] == times


def test_what_names_the_same_time_is_found_in_its_place() -> None:
    text = "from 18:45, not from 6:45"
    assert [text[start:end] for start, end in same_times("6:45 pm", text)] == ["18:45"]
    assert [*same_times("at seven", text)] == []


def test_a_time_alone_is_only_that() -> None:
    assert (only_time(" 6:45 pm "), only_time("at 6:45")) == ((18, 45), None)


def test_the_ways_to_write_a_time_are_words_of_the_index() -> None:
    time = only_time("18:45")
    assert time is not None
    assert {"18 45", "6 45 pm", "06 45pm", "6 45 p m"} <= {*ways_of_time(time)}
