"""What of two lines cannot both be true."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.entry import Entry, entries
from clawgit.memory.rules.conflict_log import Conflict, ConflictSide, appended, conflicts, decided
from clawgit.memory.rules.contradicting import (
    NAME,
    NEGATION,
    Contradiction,
    Settlement,
    contradictions,
    dispute,
    settle,
)
from clawgit.talk.rules.corrections import CONFIRMED, OPEN, Correction
from tests.each import for_each


@for_each(
    "a, b, kind, words",
    [
        ("The standup is at 9:30.", "The standup is at 10:00.", "time", ("9:30", "10:00")),
        ("Hosting costs 40 EUR a month.", "Hosting costs 55 EUR a month.", "money",
            ("40 EUR", "55 EUR")),
        ("The office is in Paris.", "The office is in Berlin.", NAME, ("Paris", "Berlin")),
        ("The ring size is 6.", "The ring size is 5.5.", "number", ("6", "5.5")),
        ("Answer in three sentences.", "Answer in four sentences.", "number", ("three", "four")),
        ("Lena eats meat.", "Lena does not eat meat.", NEGATION, ("", "not")),
        ("妈妈喜欢喝绿茶。", "妈妈不喜欢喝绿茶。", NEGATION, ("", "不")),
    ],
)  # fmt: skip
def test_the_one_thing_that_differs_is_named(
    a: str, b: str, kind: str, words: tuple[str, str]
) -> None:
    assert dispute(a, b) == (kind, *words)
    assert dispute(b, a) == (kind, *reversed(words))


def test_below_another_heading_stands_another_thing_and_what_has_none_may_be_about_it() -> None:
    api, web, any_ = (
        entries(f"# Notes\n\n{heading}- The build of it takes {time} minutes.\n")[0]
        for heading, time in (("## Api\n\n", 5), ("## Web\n\n", 6), ("", 7))
    )
    assert [*contradictions([(api, web)])] == []
    assert [each.sides for each in contradictions([(api, any_), (any_, web)])] == [
        (api, any_),
        (any_, web),
    ]


@for_each(
    "a, b",
    [
        ("Latest run (2026-05-04): all passed.", "Latest run (2026-05-05): all passed."),
        ("Duration: 41 min", "Duration: 38 min"),
        ("The backup runs daily at 01:00.", "The backup runs on Sunday at 22:00."),
        ("The standup was at 9:30.", "The standup is at 10:00."),
        ("Maybe the standup is at 9:30.", "The standup is at 10:00."),
        ("The standup will be at 9:30.", "The standup is at 10:00."),
        ("The gym is open until 9:30.", "The gym is open from 10:00."),
        ("Is the standup at 9:30?", "Is the standup at 10:00?"),
        ("db-fsn-1 runs Postgres 15.", "db-hel-1 runs Postgres 17."),
        ("The Harbor staging database listens on port 5433.",
            "The Harbor reporting database listens on port 6543."),
        ("Renewal is on Feb 11.", "Renewal is on 11 February."),
        ("Sync is on 3 May.", "Sync is on 4 May 2027."),
        ("The route is 12 km long.", "The route takes 12 kg of rope."),
        ("Tea is at 9:30 and at 11:00.", "Tea is at 9:45 and at 11:15."),
        ("The standup is at 9:30. Ana leads it.", "The standup is at 10:00."),
        ("Kyle fixes printers.", "Kyle fixes lamps."),
        ("Ana drinks green tea.", "Ben drinks green tea."),
        ("Project Alpha is in review.", "Project Beta is in review."),
        ("Ana speaks good German.", "Ana speaks good French."),
        ("The old office is in Paris.", "The new office is in Berlin."),
        ("The office is open from 9:00.", "The office is open to 17:00."),
        ("One of her sisters is Ewa.", "One of her sisters is Kasia."),
        ("There is a pharmacy on Main Street.", "There is a bakery on Main Street."),
        ("A favourite film is Alien.", "A favourite film is Heat."),
        ("Eine Tante ist jetzt in Rom.", "Eine Tante ist jetzt in Bonn."),
        ("Una hermana es médica en Lima.", "Una hermana es pintora en Lima."),
        ("Mira: “My desk is at 3:00.”", "Ole: “My desk is at 4:00.”"),
    ],
)  # fmt: skip
def test_what_can_both_be_true_is_none(a: str, b: str) -> None:
    assert dispute(a, b) is None


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_can_be_compared(a: str, b: str) -> None:
    one, other = dispute(a, b), dispute(b, a)
    assert (one is None) == (other is None)
    assert dispute(a, a) is None


# Which side stands: the auto-resolution rules of the spec, each with a test named after it.


def places(text: str, path: str = "MEMORY.md") -> list[Entry]:
    return [*entries(text, path)]


def side(day: str, tag: str = "knowledge", meta: str = "src=explicit ev=chat:s/1") -> Entry:
    when = f"first={day} last={day} " if day else ""
    words = "is not" if day < "2026-02" else "is"
    return places(f"- The tea {words} green. #{tag} <!-- claw:maaaaa {when}{meta} -->")[0]


def settled(*sides: Entry, known: Iterable[Correction] = ()) -> Settlement:
    a, b = sides
    found = dispute(a.text, b.text)
    assert found
    return settle(Contradiction((a, b), found), known)


OLD, NEW = side("2026-01-01"), side("2026-02-14")
NOTED = side("2026-02-14", meta="src=inferred ev=chat:s/1")


@for_each("tag", ["event", "knowledge", "decision"])
def test_newer_by_30_days_from_direct_conversation_and_tagged_wins(tag: str) -> None:
    old, new = side("2026-01-15", tag), side("2026-02-14", "decision")
    assert settled(old, new) == Settlement(1, "newer by 30 days, said in direct conversation")
    assert settled(new, old).winner == 0


@for_each("new", [NOTED, side("2026-02-14", "skill")])
def test_where_no_rule_fits_it_is_flagged(new: Entry) -> None:
    assert settled(OLD, new).winner is None
    assert settled(new, OLD).winner is None


def test_what_the_operator_set_right_is_known_by_the_log_and_by_no_mark() -> None:
    told = Correction(
        "k3x9ab", None, said="The tea is at 1:00", correct="The tea is green", status=CONFIRMED
    )
    one, two, green, marked, plain = places(
        "- The tea is at 1:00.\n- The tea is at 2:00.\n- The tea is green.\n"
        "- The tea is not green. #correction\n- The tea is not green.\n"
    )
    assert settled(one, two, known=[told]).winner == 1
    assert settled(green, plain, known=[told]).winner == 0
    assert settled(green, plain, known=[told._replace(status=OPEN)]).winner is None
    assert settled(green, marked).winner is None
    both = [told, told._replace(id="k3x9ac", correct="The tea is not green")]
    assert settled(green, marked, known=both).why == "the operator corrected both sides"


# CONFLICTS.md: what is written is read back; whatever else stands there stays.


DAY = date(2026, 1, 3)
A = ConflictSide("The office is in Paris. #knowledge", "MEMORY.md", "m7k2q9", "explicit", DAY)
B = ConflictSide("The office is in Berlin.", "memory/2026-02-13.md", "h3fa2911", "by hand")
WHEN = datetime(2026, 2, 14, 7, tzinfo=UTC)
ONE = Conflict("k3x9ab", WHEN, A, B, "value (a against b); why", "flagged: the operator")
HEAD = "# CONFLICTS.md: where two memories disagree\n\nWords of the operator.\n"


def test_an_outcome_is_replaced_and_every_other_byte_stays() -> None:
    two = appended(HEAD.replace("\n", "\r\n"), [ONE, ONE._replace(id="z2z2z2")])
    text = f"{two}## Notes\r\n\r\n- Outcome: mine\r\n"
    done = decided(text, {"z2z2z2": "A wins: decided"})
    assert [one.outcome for one in conflicts(done)] == ["flagged: the operator", "A wins: decided"]
    assert done.count("\r\n") == done.count("\n")
    assert done.endswith("- Outcome: mine\r\n")
    assert done.replace("A wins: decided", "flagged: the operator") == text


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp", "Zs"))))
def test_any_words_come_back(text: str) -> None:
    one = ONE._replace(a=A._replace(text=text))
    assert conflicts(appended(HEAD, [one]))[0].a.text == text
