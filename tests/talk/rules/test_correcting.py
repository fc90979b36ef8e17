"""What becomes of CORRECTIONS.md and of texts that say what was set right: sections, the archive,
right and wrong."""

from datetime import UTC, date, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.correcting import corrected
from clawgit.core.errors import UsageError
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.corrections import (
    ARCHIVED,
    CONFIRMED,
    CORRECTIONS,
    OPEN,
    QUOTED,
    RE_EMBEDDED,
    STATUS,
    Correction,
    added,
    all_corrections,
    archived,
    corrections,
    render,
    with_fields,
)
from clawgit.talk.rules.pairs import meant, overtaken, pairs, statements, tells_wrong
from tests.each import for_each

TODAY = date(2026, 2, 28)


def correction(ident: str, day: int = 1, month: int = 1, **fields: object) -> Correction:
    time = datetime(2026, month, day, 9, 30, tzinfo=UTC)
    told = {
        "correct": "The office is in Berlin.",
        "status": CONFIRMED,
        "re_embedded": True,
        **fields,
    }
    return Correction(ident, time, **told)  # type: ignore[arg-type]


def log(*found: Correction) -> str:
    text = "# CORRECTIONS.md\n\nWords of the operator's own.\n"
    for one in found:
        text = added(text, one)
    return text


def test_old_ones_that_were_taken_in_move_to_the_archive_of_their_month() -> None:
    due = correction("kkaaaa", 5), correction("kkbbbb", 6, month=2)
    stay = (
        correction("kkcccc", 20, month=2),
        correction("kkdddd", re_embedded=False),
        correction("kkeeee", status=OPEN),
    )
    files = {CORRECTIONS: log(*due, *stay)}
    done = archived(files, TODAY, 14)
    assert [one.id for one in done.moved] == ["kkaaaa", "kkbbbb"]
    assert set(done.files) == {
        CORRECTIONS, "Archive/Corrections/2026-January.md", "Archive/Corrections/2026-February.md",
    }  # fmt: skip
    after = {**files, **done.files}
    assert [one.status for one in all_corrections(after)] == [
        ARCHIVED,
        ARCHIVED,
        CONFIRMED,
        CONFIRMED,
        OPEN,
    ]
    assert archived(after, TODAY, 14).files == {}


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
    one = correction(
        "kkaaaa", said="The office is in Paris.", was="h1234567 Office in Paris, near the river."
    )
    [pair, longer] = pairs([one])
    assert [sorted(words) for words in pair[:3]] == [["paris"], ["berlin"], ["office"]]
    assert longer.wrong == {"paris", "near", "river"}
    assert pair.evidence == "CORRECTIONS.md#kkaaaa"
    assert tells_wrong(meant("Back then the office was in Paris"), pair)
    assert not tells_wrong(meant("The office moved from Paris to Berlin"), pair)
    assert not tells_wrong(meant("Paris is nice"), pair)


def test_a_correction_that_a_later_one_overtook_proves_nothing_wrong() -> None:
    first = correction("kkaaaa", 1, said="The bills go to Ana.", correct="The bills go to Goran.")
    later = correction("kkbbbb", 2, said="The bills go to Goran.", correct="The bills go to Ana.")
    assert [pair.right for pair in pairs([later, first])] == [meant("Ana")]


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
    first = correction("kkaaaa", 1, correct=earlier, status=QUOTED)
    second = correction("kkbbbb", 2, said=said, correct=later)
    [pair] = pairs([first, second])
    assert (pair.wrong | pair.right).isdisjoint({"kira", "wrong", "forgot"})
    assert tells_wrong(meant(earlier), pair)
    assert overtaken([first, second]) == {"kkaaaa"}
    assert statements([first, second])[0] == {later}
    assert statements([first])[0] == {earlier}


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


def test_the_wrong_value_of_one_matter_is_no_mistake_in_another() -> None:
    old, new = (
        "Note to self: The pebble rental plan costs 2415 euros.",
        "Note to self: The pebble rental plan costs 1960 euros.",
    )
    [pair] = pairs(
        [Correction("kkaaaa", None, was=f"kkbbbb {old}", correct=new, status="confirmed")]
    )
    assert tells_wrong(meant("Note to self: The pebble rental plan costs 2415 euros."), pair)
    assert not tells_wrong(meant("The rowan warehouse plan costs 2415 euros."), pair)
