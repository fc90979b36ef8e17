"""What a question writes in another way than the memory."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.search.answer import SearchAnswer
from clawgit.ops.search.search import Request, search
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import repo_at
from tests.conftest import NOW, Git

_LINES = (
    "The bill of the power company says 233 kWh.",
    "Solar: 5.75 kW on the roof",
    "Shard1 | 6 @ 2.9GHz | 16GB",
    "The disk has 814GB left, the one for photographs that Ana bought in spring.",
    "Red edges | 814",
    "Backup | 16 GB",
    "The bundle is ~44KB.",
    "CoreBlock runs on 46.105.70.14.",
    "Final tx: `a5576e45116478311c781a65c18e44af16201db4e418d82145e7e2ebbd0a7e0a`",
    "Sebas pays from erd1a7e9dyqncs7d5sjxe5g70tvqgyqpm93nrymy9la0zn9y2gv7nk8aasqqd8k6.",
    "Sebas, Ana and the others each pay from an address of their own.",
    "The settings are in CONTEXT_WINDOW.md.",
)

_PHONES = (
    "Plumber: (415) 555-0134, until five",
    "Mili: 4155550178",
    "Roofer 212.555.0134",
    "The lift has 4155 parts, of which 550134 are screws.",
    "Order 415 has 555 parts and 0134 screws.",
)

_TIMES = (
    "The night train leaves at 6:45 from track two",
    "Choir practice: 18:45 in the parish hall",
    "The bakery opens um 07.30 Uhr",
    "Yoga with Jana, 8:20 PM",
    "Favourite verse: John 3:16",
    "The screen is 16:9",
)

Ask = Callable[[str], SearchAnswer]


@pytest.fixture(params=["core", "enhanced"])
def ask(request: pytest.FixtureRequest, git: Git) -> Ask:
    lines = "".join(
        f"## Part {chr(97 + at)}\n\n- {line}\n\n"
        for at, line in enumerate((*_LINES, *_PHONES, *_TIMES))
    )
    git.write("MEMORY.md", f"# Memory\n\n{lines}")
    place = repo_at(git.root)
    assert place is not None
    env = {**os.environ, "CLAWGIT_SEARCH_MODE": request.param}
    ws = Workspace(place, Caller(OPERATOR, env, NOW, Path(os.environ["HOME"])))
    return lambda query: search(ws, Request(query))


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("233kWh", ()),
        ("5.75kW", ()),
        ("what has 2.9 GHz?", ()),
        ("what has 7 GHz?", ("7",)),
        ("is 814 there?", ()),
        ("CoreBlock 46.105", ()),
        ("CoreBlock 46.106", ("46.106",)),
        ("a5576e4511 or a5576", ()),
        ("CONTEXT_WIN", ()),
        ("CONTEXT_WON", ("CONTEXT_WON",)),
        ("44MB or 12 parsecs", ("44MB", "12", "parsecs")),
        ("Seb", ("Seb",)),  # a word is no identifier
    ],
)
def test_what_stands_in_a_line_as_it_was_typed_is_not_called_missing(
    ask: Ask, query: str, missing: tuple[str, ...]
) -> None:
    assert ask(query).missing == missing


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("814 GB", _LINES[3]),
        ("how much is 814 GB?", _LINES[3]),
        ("44 KB", _LINES[6]),
        ("2.9 GHz", _LINES[2]),
        ("233kWh", _LINES[0]),
        ("5.75kW", _LINES[1]),
    ],
)
def test_a_figure_and_its_unit_are_one_thing_written_apart_or_together(
    ask: Ask, query: str, line: str
) -> None:
    answer = ask(query)
    assert (answer.results[0].snippet, answer.results[0].likely) == (line, True)
    assert answer.missing == ()


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("erd1a7e9dyq", _LINES[9]),
        ("erd1a7e9dy", _LINES[9]),  # its stem is another beginning
        ("ERD1A7E9", _LINES[9]),
        ("a5576e4511", _LINES[8]),
        ("a5576e45116478311c781a65c18e44af16201db4e418d82145e7e2ebbd0a7e0", _LINES[8]),
    ],
)
def test_an_identifier_is_found_by_its_beginning(ask: Ask, query: str, line: str) -> None:
    answer = ask(query)
    assert (answer.results[0].snippet, answer.results[0].likely) == (line, True)
    assert [hit.snippet for hit in answer.results if hit.likely] == [line]


def test_a_question_names_an_identifier_by_its_beginning(ask: Ask) -> None:
    first = ask("who pays from ERD1A7E9DY?").results[0]
    assert (first.snippet, first.likely) == (_LINES[9], True)


@pytest.mark.parametrize("query", ["a5576", "erd1a7e9dyx", "sebas1", "settin"])
def test_what_is_short_or_no_beginning_finds_no_identifier(ask: Ask, query: str) -> None:
    assert not any(hit.likely for hit in ask(query).results)


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("415-555-0134", _PHONES[0]),
        ("4155550134", _PHONES[0]),
        ("(415) 555-0178", _PHONES[1]),
        ("415-555-0178", _PHONES[1]),
        ("whose is 415.555.0178?", _PHONES[1]),
        ("2125550134", _PHONES[2]),
        ("212-555-0134", _PHONES[2]),
    ],
)
def test_a_phone_number_is_found_whatever_stands_between_its_parts(
    ask: Ask, query: str, line: str
) -> None:
    answer = ask(query)
    assert (answer.results[0].snippet, answer.results[0].likely) == (line, True)
    assert answer.missing == ()


@pytest.mark.parametrize("query", ["415-555-0199", "4155550199"])
def test_another_phone_number_with_some_of_the_parts_is_not_likely(ask: Ask, query: str) -> None:
    assert not any(hit.likely for hit in ask(query).results)


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("6:45", _TIMES[0]),
        ("06:45", _TIMES[0]),
        ("6:45 AM", _TIMES[0]),
        ("6:45am", _TIMES[0]),
        ("6.45 Uhr", _TIMES[0]),
        ("what leaves at 06:45?", _TIMES[0]),
        ("18:45", _TIMES[1]),
        ("6:45 PM", _TIMES[1]),
        ("6:45 p.m.", _TIMES[1]),
        ("18.45 Uhr", _TIMES[1]),
        ("7:30", _TIMES[2]),
        ("20:20", _TIMES[3]),
        ("3:16", _TIMES[4]),
        ("16:9", _TIMES[5]),
    ],
)
def test_a_time_of_the_clock_is_found_however_it_is_written(
    ask: Ask, query: str, line: str
) -> None:
    answer = ask(query)
    assert (answer.results[0].snippet, answer.results[0].likely) == (line, True)
    assert answer.missing == ()


def test_a_time_finds_no_other_time_and_no_other_figure(ask: Ask) -> None:
    assert [hit.snippet for hit in ask("06:45").results if hit.likely] == [_TIMES[0]]
    assert not any(hit.likely for hit in ask("16:09").results)
    assert not any(hit.likely for hit in ask("15:16").results)
