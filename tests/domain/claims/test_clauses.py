"""The disputed clause of an entry is exchanged; every other byte stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.claims.clauses import (
    exchanged,
    reworded,
    says_more,
    sides,
)
from clawgit.domain.claims.contradicting import exchange
from clawgit.domain.claims.settling import restored, words_before
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.language.spans import Span
from tests.each import for_each

WINNER = "- The standup is at 10:00. #knowledge\n"


def entry(text: str) -> Entry:
    return entries(text)[0]


@for_each(
    "loser, more",
    [
        ("- The standup is at 9:30. #knowledge\n", False),
        ("- Standup at 9:30.\n", False),
        ("- The standup is at 9:30. Ana leads it.\n", True),
        ("- The standup in room 4 is at 9:30.\n", True),
        ("- The standup is at 9:30.\n  - Ana leads it.\n", True),
        ("- The standup is at 9:30.\n  - Marta: “No, later.” #correction\n", False),
    ],
)
def test_whether_an_entry_says_more_than_its_disputed_clause(loser: str, more: bool) -> None:
    start = loser.index("9:30") - 2
    assert says_more(entry(loser), entry(WINNER), Span(start, start + 4, "9:30")) is more


def test_the_value_is_exchanged_and_the_old_words_stand_in_the_comment() -> None:
    text = (
        "* The **standup** is at 9:30. Ana leads it. #event  <!-- x --> <!-- claw:maaaaa n=2 "
        "-->\r\n  - with tea\r\n"
    )
    old, new = entry(text), entry(WINNER)
    found = exchange(old.text, new.text)
    assert found is not None
    raw = exchanged(old, found, 1, Meta("maaaaa", ("n=2",)))
    was = "<!-- was: The **standup** is at 9:30. Ana leads it. -->"
    assert raw == text.replace("9:30", "10:00").replace("<!-- x -->", f"<!-- x --> {was}")
    after = entry(raw or "")
    assert words_before(after) == old.text.split("\n")[0]
    assert restored(after) == text


@pytest.mark.parametrize(
    "loser",
    [
        "- The standup is at 9:30, I said 9:30. Ana leads.\n",
        "- The standup is not at 10:00. Ana leads.\n",
    ],
)
def test_what_is_not_certain_is_not_cut(loser: str) -> None:
    found = exchange(entry(loser).text, entry(WINNER).text)
    assert found is None or exchanged(entry(loser), found, 1, Meta("")) is None


def test_other_words_for_an_entry_keep_its_tags() -> None:
    raw = reworded(
        entry("- The standup is at 9:30. Ana leads. #event\n"), "Ana leads the standup.", Meta("")
    )
    assert (
        raw == "- Ana leads the standup. #event <!-- was: The standup is at 9:30. Ana leads. -->\n"
    )


@given(st.text("abc äß中文#*_` .,", max_size=40), st.text("abc äß中文 .", max_size=20))
def test_no_byte_beside_the_value_changes(before: str, after: str) -> None:
    text = f"- x{before}The standup is at 9:30{after}\n"
    old = entry(text)
    found = exchange(old.text, entry(WINNER).text)
    if found and (raw := exchanged(old, found, 1, Meta(""))):
        cleaned = raw.partition(" <!-- was:")[0] + raw.rpartition("-->")[2]
        new, gone = sides(found, 1)
        assert cleaned.replace(new.text, gone.text, 1) == text.replace(
            " \n", "\n"
        ) or cleaned.split() == [part.replace(gone.text, new.text) for part in text.split()]
