"""CORRECTIONS.md, as people and as we write it."""

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.agents.correcting import corrected
from clawgit.core.errors import UsageError
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.corrections import (
    ARCHIVE,
    CONFIRMED,
    CORRECTIONS,
    QUOTED,
    RE_EMBEDDED,
    STATUS,
    Correction,
    added,
    archived,
    corrections,
    render,
    with_fields,
)
from clawgit.talk.rules.lost import lost_corrections, taken_back
from clawgit.talk.rules.pairs import meant, overtaken, pairs, statements, tells_wrong
from clawgit.talk.rules.quotes import quotes_of, undisputed, with_quote, without_quotes
from tests.each import for_each
from tests.strategies import ANY_TEXT

FILE = """\
# CORRECTIONS.md: where memory failed

## kmnopqrs · 2026-02-14T09:30:00+01:00

- Trigger: I told you already
- Trigger confidence: High
- Agent said: Billing uses MySQL.
  It always has.
- Correct: Billing uses PostgreSQL.
- Was: m7k2q9 Billing uses MySQL.
- Re-embedded: true
- Status: confirmed

## zyxwvuts · 2026-02-15

- **Trigger:** no, it's
- **Correct:** Ana lives in Lyon.
**Status**: Open

## Notes

- Correct: nothing of the kind
"""
FIRST = Correction(
    id="kmnopqrs",
    time=datetime(2026, 2, 14, 9, 30, tzinfo=timezone(timedelta(hours=1))),
    trigger="I told you already",
    confidence="high",
    said="Billing uses MySQL.\nIt always has.",
    correct="Billing uses PostgreSQL.",
    was="m7k2q9 Billing uses MySQL.",
    re_embedded=True,
    status="confirmed",
    line=3,
)


def test_sections_are_read_with_their_fields_however_they_are_marked_up() -> None:
    lyon = Correction("zyxwvuts", datetime(2026, 2, 15, tzinfo=UTC), "no, it's", line=14)
    second = lyon._replace(correct="Ana lives in Lyon.", status="open")
    assert corrections(FILE) == (FIRST, second)


def test_what_stands_in_code_or_is_said_twice_does_not_count() -> None:
    fenced = "```\n## kkkkkkkk · 2026-02-14\n- Correct: a\n```\n"
    [one] = corrections(f"{fenced}\n## llllllll · soon\n- Correct: b\n- Correct: c\n")
    assert (one.id, one.time, one.correct) == ("llllllll", None, "b")


def test_a_quoted_field_does_not_take_the_place_of_a_real_one() -> None:
    said = "- Agent said: yes\n  Correct: no\n  - Status: confirmed\n"
    (found,) = corrections(f"## kkkkkkkk · 2026-02-14\n{said}- Correct: maybe\n- Status: open\n")
    assert (found.said, found.correct) == ("yes\nCorrect: no\n- Status: confirmed", "maybe")
    assert found.status == "open"


NOTED = """\
## kkaaaa · 2026-02-14

Found by Bo.
- Correct: The office is
in Berlin.
- (Bo told me.)

- Was: e1 The office is in Rome.
<!-- seen -->
- Re-embedded: true
which Bo doubts
- Status: open
  - Ask Bo about this one.
and Ann

Trigger what you like.
  Really.

```
pasted
```"""


def test_a_note_beside_the_fields_changes_nothing_that_they_state_and_stays() -> None:
    [found] = corrections(NOTED)
    stated = Correction("kkaaaa", found.time, correct="The office is\nin Berlin.", line=1)
    was = "e1 The office is in Rome."
    assert found == stated._replace(was=was, re_embedded=True, status="open")
    # And when the fields change, each in its place.
    changed = with_fields(NOTED, "kkaaaa", {STATUS: "kept", "Why": "so", RE_EMBEDDED: "false"})
    wanted = NOTED.replace(": open", ": kept").replace(": true", ": false")
    assert changed == wanted.replace("and Ann\n", "and Ann\n- Why: so\n") + "\n"
    [now] = corrections(changed)
    assert now == found._replace(status="kept", re_embedded=False, why="so")
    # A last line that has no end gets one.
    text = "## kkaaaa · 2026-02-14\n\n- Status: confirmed"
    assert with_fields(text, "kkaaaa", {RE_EMBEDDED: "true"}) == f"{text}\n- Re-embedded: true\n"


def test_what_is_written_has_the_line_ends_of_its_file() -> None:
    text = added(FILE.replace("\n", "\r\n"), FIRST._replace(id="kkaaaa"))
    text = with_fields(text, "kkaaaa", {"Why": "so\nit is", RE_EMBEDDED: "true"})
    assert corrections(text)[-1]._replace(line=3, id=FIRST.id, why="") == FIRST
    book = f"{ARCHIVE}2026-February.md"
    moved = archived({CORRECTIONS: text, book: "# Old\r\n"}, date(2026, 12, 1), 30).files
    assert corrections(moved[book])[-1].why == "so\nit is"
    assert all(each.count("\r\n") == each.count("\n") for each in (text, *moved.values()))
    assert not any("\r\r" in each for each in moved.values())


VALUE = st.text("abc é。*-#:·`<>", max_size=12).map(lambda text: " ".join(text.split()))
VALUES = st.lists(VALUE.filter(bool), max_size=3).map("\n".join)


@given(VALUES, VALUES, VALUES, st.booleans(), st.sampled_from(["open", "confirmed", "archived"]))
def test_what_is_rendered_is_read_back(
    said: str, correct: str, was: str, done: bool, status: str
) -> None:
    time = datetime(2026, 2, 14, 9, 30, tzinfo=UTC)
    one = Correction("kmnopqrs", time, "no, it's", "medium", said, correct, was, done, status)
    again = one._replace(id="zyxwvuts")
    found = corrections("# C\n\n" + "\n".join(map(render, [one, again])))
    assert [item._replace(line=0) for item in found] == [one, again]


@given(ANY_TEXT)
def test_reading_never_fails(text: str) -> None:
    assert all(one.id and one.line > 0 for one in corrections(text))
    assert all(one.id and one.line > 0 for one in corrections(f"## k · {text}\n{text}"))


# What becomes of CORRECTIONS.md and of texts that say what was set right: sections, the archive, r


def correction(ident: str, day: int = 1, **fields: object) -> Correction:
    time = datetime(2026, 1, day, 9, 30, tzinfo=UTC)
    made = Correction(ident, time, re_embedded=True, status=CONFIRMED)
    return made._replace(**{"correct": "The office is in Berlin.", **fields})  # type: ignore[arg-type]


@for_each(
    "text", ["claw:zzzzzz conf=1.00 --> Berlin.", "It is <!-- claw:zzzzzz conf=1.00 --> Berlin."]
)
def test_what_clawgit_notes_about_an_entry_is_nothing_that_is_set_right(text: str) -> None:
    [entry] = entries("- The office is in Paris.\n")
    with pytest.raises(UsageError, match="only clawgit may write"):
        corrected(entry, Meta("kkaaaa"), text)


@given(
    st.text("ab -#:·\n", max_size=40),
    st.sampled_from([RE_EMBEDDED, STATUS, "Correct"]),
    st.text("xy", max_size=5),
)
def test_a_field_changes_alone_whatever_stands_around(around: str, label: str, value: str) -> None:
    text = f"# C\n\n{around}\n\n{render(correction('kkzzzz'))}\n{around}"
    if [one.id for one in corrections(text)].count("kkzzzz") == 1:
        changed = with_fields(text, "kkzzzz", {label: value})
        assert changed.startswith(f"# C\n\n{around}\n\n## kkzzzz")
        assert f"- {label}: {value}".rstrip() in changed
        assert with_fields(changed, "kkzzzz", {label: value}) == changed


def test_a_text_is_known_as_wrong_by_the_words_that_only_the_wrong_statement_has() -> None:
    was = "h1234567 Office in Paris, near the river."
    [pair, longer] = pairs([correction("kkaaaa", said="The office is in Paris.", was=was)])
    assert [sorted(words) for words in pair[:3]] == [["paris"], ["berlin"], ["office"]]
    assert longer.wrong == {"paris", "near", "river"}
    assert pair.evidence == "CORRECTIONS.md#kkaaaa"
    assert tells_wrong(meant("Back then the office was in Paris"), pair)
    assert not tells_wrong(meant("The office moved from Paris to Berlin"), pair)
    assert not tells_wrong(meant("Paris is nice"), pair)
    # The wrong value of one matter is no mistake in another.
    old = "Note to self: The pebble rental plan costs 2415 euros."
    [pair] = pairs([correction("kkaaaa", was=f"kkbbbb {old}", correct=old.replace("2415", "1960"))])
    assert tells_wrong(meant(old), pair)
    assert not tells_wrong(meant("The rowan warehouse plan costs 2415 euros."), pair)


@for_each(
    "earlier, said, later",
    [
        (
            "Actually, the bills go to Boris, not to Kira.",
            "The bills go to Boris.",
            "Actually, the bills go to Chen, not to Boris.",
        ),
        (
            "That's wrong, the importer runs on Boreas.",
            "The importer runs on Boreas.",
            "You forgot that the importer runs on Atlas.",
        ),
    ],
)
def test_an_earlier_sentence_of_the_operator_gives_way_to_a_later_one_however_both_are_worded(
    earlier: str, said: str, later: str
) -> None:
    first = correction("kkaaaa", 1, correct=earlier, words=earlier, status=QUOTED)
    second = correction("kkbbbb", 2, said=said, correct=later)
    [pair] = pairs([first, second])
    assert (pair.wrong | pair.right).isdisjoint({"kira", "wrong", "forgot"})
    assert tells_wrong(meant(earlier), pair)
    assert overtaken([first, second]) == {"kkaaaa"}
    assert statements([first, second])[0] == {later}
    assert statements([first])[0] == {earlier}
    agents = correction("kkcccc", 3, said=later, correct=earlier, status=QUOTED)
    assert statements([second, agents])[0] == {later}


def test_a_word_that_often_frames_a_correction_counts_where_it_is_the_value() -> None:
    new, old = "The key is for the new barn.", "The key is for the old barn."
    first = correction("kkaaaa", 1, correct=new)
    second = correction("kkbbbb", 2, said=new, correct=old)
    assert [(*pair.wrong, *pair.right) for pair in pairs([first, second])] == [("new", "old")]
    assert overtaken([first, second]) == {"kkaaaa"}
    right, is_wrong, _ = statements([first, second])
    assert right == {old}
    assert (is_wrong(new), is_wrong(old)) == (True, False)
    # What is said of the new barn is nothing of the old one.
    costs = correction("kkcccc", 3, said="The new barn costs 5 a day.", correct="It costs 7 a day.")
    said = correction("kkdddd", 1, correct="The old barn costs 5 a day.")
    [pair] = pairs([costs, said])
    assert not tells_wrong(meant(said.correct), pair)
    assert overtaken([costs, said]) == set()


def test_what_was_called_wrong_stays_wrong_whatever_follows() -> None:
    days = [f"The tide review is on {day}." for day in ("Mondays", "Fridays", "Sundays", "Fridays")]
    said = [
        correction(f"kkaaa{at}", at, said=old, correct=new)
        for at, (old, new) in enumerate(pairwise(days), 1)
    ]
    right, is_wrong, _ = statements(said)
    assert right == {days[-1]}
    assert [is_wrong(day) for day in days[:3]] == [True, False, True]


# Which changes take back what the operator put right.


RIGHT = Correction("c1", None, correct="The office is in Berlin.", status="confirmed", words="No.")
LOG = render(RIGHT)


@for_each(
    "before, after, is_lost",
    [
        (RIGHT, {}, True),
        (RIGHT, {CORRECTIONS: render(RIGHT._replace(correct="The office is in Rome."))}, True),
        (RIGHT, {CORRECTIONS: render(RIGHT._replace(status="open"))}, True),
        (RIGHT, {CORRECTIONS: render(RIGHT._replace(words="Rome, I said."))}, True),
        (RIGHT, {"notes.md": LOG}, True),
        (RIGHT._replace(status="quoted"), {}, True),  # it stays until he has settled it
        (RIGHT, {f"{ARCHIVE}2026-February.md": LOG}, False),
        (RIGHT, {CORRECTIONS: render(RIGHT._replace(re_embedded=True))}, False),
        (RIGHT._replace(status="open", words=""), {}, False),  # nobody confirmed or said it
    ],
)
def test_a_correction_that_is_gone_or_says_something_else_is_lost(
    before: Correction, after: dict[str, str], is_lost: bool
) -> None:
    lost = lost_corrections({CORRECTIONS: render(before)}, {CORRECTIONS: "", **after})
    assert [loss.name for loss in lost] == ["c1"] * is_lost


ENTRY = "- The office is in Berlin. <!-- claw:kmnpqr src=correction -->\n"


@for_each(
    "after, is_lost",
    [
        ({"MEMORY.md": "- The office is in Paris. <!-- claw:kmnpqr src=inferred -->\n"}, True),
        ({"MEMORY.md": "- The office is in Berlin. <!-- claw:kmnpqr src=inferred -->\n"}, True),
        ({"MEMORY.md": ENTRY.replace("src=", "status=superseded src=")}, True),
        ({"MEMORY.md": ""}, True),
        ({"MEMORY.md": f"# Memory\n\n{ENTRY}"}, False),
        ({"MEMORY.md": "", "memory/2026-02-13.md": ENTRY}, False),
    ],
)
def test_an_entry_that_the_operator_put_right_stays_somewhere(
    after: dict[str, str], is_lost: bool
) -> None:
    assert bool([*taken_back({"MEMORY.md": ENTRY}, after)]) == is_lost


# Quotes under an entry: put there, read, taken away again without a trace.


WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=60)

RAWS = [
    "- The call is on Monday. <!-- claw:mabcde n=1 -->\n",
    "- The call is on Monday.\n  - with Bengt\n  - in room 4\n",
    "- The call\r\n  - is on Monday\r\n",
    "- 会议在周一",
]


@given(st.sampled_from(RAWS), WORDS)
@settings(max_examples=30)
def test_a_quote_comes_and_goes_without_a_trace(raw: str, words: str) -> None:
    once = with_quote(raw, "Marta", words)
    twice = with_quote(once, "Marta", "and another")
    assert [quote.words for quote in quotes_of(twice)] == [words, "and another"]
    assert without_quotes(once) == raw
    assert without_quotes(twice, "and another") == once


@for_each("raw", RAWS)
def test_a_quote_belongs_to_its_entry_and_is_no_entry_of_its_own(raw: str) -> None:
    text = f"# Memory\n\n- before\n{with_quote(raw, 'Marta', 'No, on Tuesday.')}"
    found = entries(text)
    assert "".join(entry.raw for entry in found[-1:]) in text
    assert [quote.speaker for quote in quotes_of(found[-1].raw)] == ["Marta"]
    assert "Tuesday" not in undisputed(found[-1])
    assert undisputed(found[-1]) == entries(f"- before\n{raw}")[-1].text
