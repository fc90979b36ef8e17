"""What the operator sets right, read from his words and what was said before: the whole sentence, and the entry."""

from datetime import UTC, datetime
from time import perf_counter

import pytest
from hypothesis import given, settings

from clawgit.domain.correction_matching import Finding, found
from clawgit.domain.correction_objection import Scene
from clawgit.domain.correction_put import put
from clawgit.domain.correction_reading import heard
from clawgit.domain.entry import entries
from clawgit.domain.known import Place
from tests.domain.strategies import ANY_TEXT

SLOWEST = 3.0
"""Seconds, ten times what is aimed at: a loaded machine fails no test, a quadratic one does."""

NOW = datetime(2026, 2, 14, 9, tzinfo=UTC)


def matched(text: str, *items: str, turn: str = "", question: str = "") -> Finding:
    """What the likeliest statement of a message comes to."""
    places = [Place("MEMORY.md", entry) for entry in entries("".join(f"- {item}\n" for item in items))]
    first = heard(text).objections[0]
    return found(first, Scene("Mira", question, turn, NOW), places)


RIGHT = [
    ("No, Berlin.", "The office is in Paris.", "The office is in Berlin."),
    ("I said Tuesday", "The demo is on Thursday, shall I remind you?", "The demo is on Tuesday (2026-02-17)."),
    ("Actually it's port 5433", "Postgres runs on port 5432 on db2.", "Postgres runs on port 5433 on db2."),
    ("you forgot that I'm vegetarian", "", "Mira is vegetarian."),
    ("my birthday is 4 May, not 5 May", "", "Mira's birthday is 4 May."),
    ("No, Berlin.", "Your office is in Paris.", "Mira's office is in Berlin."),
    ("How many times… deploys go through CI", "", "Deploys go through CI."),
    ("that's outdated, we use Redis now", "We use Memcached.", "We use Redis."),
    ("I already told you: the launch is on March 5", "", "The launch is on March 5."),
    ("I already told you, I can't eat gluten", "", "Mira can not eat gluten."),
    ("The office isn't in Paris, it's in Berlin", "", "The office is in Berlin."),
    ("It's not Paris but Berlin", "The office is in Paris.", "The office is in Berlin."),
    ("no it's 30 minutes not 20", "Standup takes 20 minutes.", "Standup takes 30 minutes."),
    ("that's wrong. She lives in Lyon.", "Ana lives in Nice.", "Ana lives in Lyon."),
    ("no, green", "Your favourite colour is blue.", "Mira's favourite colour is green."),
    ("不是巴黎，是柏林", "办公室在巴黎。", "办公室在柏林。"),
    ("아니, 회의는 화요일이야", "회의는 목요일입니다.", "회의는 화요일이야."),
]


@pytest.mark.parametrize(("text", "turn", "right"), RIGHT)
def test_the_right_value_becomes_a_whole_sentence(text: str, turn: str, right: str) -> None:
    assert matched(text, turn=turn).right == right


ENTRIES = [
    ("No, it's Berlin, not Paris", "Office is in Paris.", "Office is in Berlin."),
    ("I already told you: the launch is on March 5", "Launch of v2: March 3 in B4.", "Launch of v2: March 5 in B4."),
    ("I said Tuesday", "Demo is on Thursday 2026-02-19 at 3pm.", "Demo is on Tuesday 2026-02-17 at 3pm."),
    ("it's Ana with one n", "Anna works at Siemens.", "Ana works at Siemens."),
    ("I switched from MySQL to Postgres", "Mira uses MySQL for projects.", "Mira uses Postgres for projects."),
    ("the rent went up to 1050", "The rent is 980 euros per month.", "The rent is 1050 euros per month."),
    ("I don't drink coffee", "Mira drinks coffee every morning.", "Mira does not drink coffee."),
    ("I stopped drinking coffee", "Mira drinks coffee every morning.", "Mira stopped drinking coffee."),
    ("Actually, the gala is cancelled", "The gala takes place on October 17.", "The gala is cancelled."),
    ("No, my wife's name is Lena", "Mira's wife is called Laura.", "Mira's wife is called Lena."),
    ("the bucket got renamed, it's eu-two now", "The bucket is called eu-one.", "The bucket is eu-two."),
    ("beds at the hut: 28", "The hut has 34 beds.", "The hut has 28 beds."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "item", "right"), ENTRIES)
def test_the_entry_that_is_meant_keeps_its_other_words(text: str, item: str, right: str) -> None:
    turn = {"I said Tuesday": "The demo is on Thursday.", "it's Ana with one n": "I'll write to Anna."}.get(text, "")
    others = ("Lunch is at noon in Rome.", "The garden has 4 trees.")
    hits = matched(text, *others, item, turn=turn).hits
    assert [(hit.place.entry.text, hit.text) for hit in hits] == [(item, right)]


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("my birthday is 4 May", "Ana's birthday is 5 May."),
        ("actually the rent is 950 euros", "The rent contract ends in 12 months."),
        ("we moved to Hetzner", "Lunch is at Luigi's."),
        ("That's wrong. Tom is allergic to peanuts.", "Ana is allergic to shellfish."),
        ("No, the deploys page is at /deploys", "Deploys are done by hand."),
    ],
)
def test_what_speaks_of_another_matter_is_not_corrected(text: str, item: str) -> None:
    assert matched(text, item).hits == ()


@pytest.mark.parametrize(
    "text", ["that's wrong", "No, that's not right.", "I already told you that", "you got that wrong again"]
)
def test_an_objection_may_name_no_value(text: str) -> None:
    assert (heard(text).firm, heard(text).objections) == (True, ())


@pytest.mark.parametrize(
    "text", ["No, delete it.", "no, run the tests again", "No, can you open the other one?", "> No, it's Rome"]
)
def test_what_is_to_be_done_now_or_quoted_is_no_statement(text: str) -> None:
    assert heard(text).objections == ()


@pytest.mark.parametrize(
    ("sentence", "value", "wrong", "right"),
    [
        ("Citations are in APA style.", "citations in Chicago", "APA", "Citations are in Chicago style."),
        ("The budget is 480k.", "they told me 520k", "480k", "The budget is 520k."),
        ("The test host is test.internal:8080.", "the port is 9090", "", "The test host is test.internal:9090."),
        ("She drives a Golf.", "an Audi", "", "She drives an Audi."),
        ("Mail goes to ops@old.org.", "ops@new.org", "", "Mail goes to ops@new.org."),
        ("The shop opens at 9:00 on Mondays.", "10:30", "", "The shop opens at 10:30 on Mondays."),
    ],
)  # fmt: skip
def test_a_value_takes_the_place_of_its_like(sentence: str, value: str, wrong: str, right: str) -> None:
    told = put(sentence, value, wrong)
    assert told is not None
    assert told.text == right


def test_money_takes_no_place_of_months() -> None:
    assert put("The contract ends in 12 months.", "950 euros") is None


OF_ANOTHER = [
    (
        "No, it's port 5470, not 4374.",
        "The travel service listens on port 4374.",
        "The mail service listens on port 7525.",
    ),
    ("No, it's in Porto, not in Oslo.", "The maple class is in Oslo.", "The fjord service listens on port 7525."),
    (
        "I told you, the violet review is on Thursdays.",
        "The violet review is on Mondays.",
        "The rowan review is on Mondays.",
    ),
    (
        "Actually, the loan's bills go to Luis, not to Mina.",
        "The loan's bills go to Mina.",
        "The rent's bills go to Luis.",
    ),
    (
        "Actually, the invoices of the maple survey project go to Hana, not to Goran.",
        "Invoices of the maple survey project go to Goran.",
        "Invoices of the amber stock project go to Goran.",
    ),
    (
        "Actually, the bills of the maple lab go to Hana, not to Goran.",
        "Bills of the maple lab go to Goran.",
        "Bills of the amber lab go to Goran, not to Ivo.",
    ),
    ("no, Fedora", "The demo laptop runs Ubuntu.", "The build box runs Ubuntu."),
    ("Max moved to Vienna", "Max is your trainer.", "Mira's trainer is Max."),
]


@pytest.mark.parametrize(("text", "turn", "item"), OF_ANOTHER)
def test_an_entry_with_another_subject_is_never_meant(text: str, turn: str, item: str) -> None:
    assert matched(text, item, turn=turn).hits == ()


def test_only_the_entries_that_say_the_old_value_of_the_same_subject_are_corrected() -> None:
    items = ("The maple class is in Oslo.", "The birch class is in Oslo.", "The fjord service listens on port 75.")
    hits = matched("No, it's in Porto, not in Oslo.", *items, turn="The maple class is in Oslo.").hits
    assert [(hit.place.entry.text, hit.text) for hit in hits] == [(items[0], "The maple class is in Porto.")]


def test_a_corrected_sentence_keeps_the_small_words_before_the_value() -> None:
    said = "Actually, the invoices of the quartz project go to Luis, not to Mina."
    hits = matched(said, "Invoices of the quartz project go to Mina.").hits
    assert [hit.text for hit in hits] == ["Invoices of the quartz project go to Luis."]


def test_three_thousand_entries_are_matched_at_once() -> None:
    items = [
        f"The {one} of the {two}{number} office is in Rome." for number in range(750) for one in "pq" for two in "rs"
    ]
    begun = perf_counter()
    assert matched("No, it's Berlin, not Paris", "Office is in Paris.", *items).hits
    assert perf_counter() - begun < SLOWEST


@settings(max_examples=60)
@given(ANY_TEXT, ANY_TEXT)
def test_reading_never_fails(text: str, turn: str) -> None:
    place = Place("MEMORY.md", entries("- The office is in Paris.\n")[0])
    for objection in heard(text).objections:
        assert (
            found(objection, Scene("", turn, turn, NOW), [place]).right
            == found(objection, Scene("", turn, turn, NOW), [place]).right
        )
        assert objection.value


def test_a_name_that_ends_in_no_keeps_its_end() -> None:
    """A year of simulated life moved seven workshops from Brno to Br."""
    values = [one.value for text in ("No, it's in Brno.", "No no, Brno.") for one in heard(text).objections]
    assert values == ["in Brno", "Brno"]
