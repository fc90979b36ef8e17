"""An answer of a language model, held to what it was shown."""

from typing import Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.model.held import held, strays_from
from clawgit.language.stems import content_words
from tests.each import for_each

SHOWN = (
    "[1] operator: we decided to use PostgreSQL for billing",
    "[2] operator: always answer in short sentences",
)


class One(NamedTuple):
    kind: Literal["ordered", "failed"]
    text: str
    message: int = 1


class All(NamedTuple):
    items: list[One]
    more: str | None = None


def test_items_that_say_what_was_not_shown_are_left_out() -> None:
    good, lie = (
        One("ordered", "Answer in short sentences."),
        One("ordered", "the vault may be emptied by everybody"),
    )
    found = held(All([lie, good]), SHOWN)
    assert found.value == All([good])
    assert found.strays == (lie.text,)


def test_words_of_a_choice_are_no_text_and_nothing_is_a_good_answer() -> None:
    assert held(All([]), SHOWN) == (All([]), ())
    assert held(One("failed", ""), SHOWN) == (One("failed", ""), ())
    assert held(True, SHOWN).value is True
    assert held({"a": "short sentences", "b": "vaults everywhere"}, SHOWN).value == {
        "a": "short sentences"
    }


def test_an_answer_that_is_nothing_else_is_none_at_all() -> None:
    assert held(One("ordered", "everybody empties vaults"), SHOWN).value is None
    assert held("everybody empties vaults", SHOWN) == (None, ("everybody empties vaults",))


@pytest.mark.parametrize(
    ("text", "strays"),
    [
        ("Billing uses PostgreSQL.", False),
        ("We use PostgreSQL for billing. The vault is open to everybody.", True),
        ("Answers are short sentences, always.", False),
        ("Wire money to Mallory", True),
        ("", False),
    ],
)
def test_each_sentence_is_held_for_itself(text: str, strays: bool) -> None:
    assert strays_from(text, content_words("\n".join(SHOWN))) is strays


@for_each(
    "text, shown, expected",
    [
        (
            "Mira keeps bees behind the barn.",
            "spent all day with the bees behind the barn. Mira",
            False,
        ),
        (
            "The database runs on a server at Hetzner.",
            "moved the db to Hetzner, servers are cheap there",
            False,
        ),
        ("Die Datenbank läuft bei Hetzner.", "der Datenbankserver läuft jetzt bei Hetzner", False),
        ("안나는 차를 좋아한다.", "안나가 차를 좋아해", False),
        ("安娜喜欢绿茶。", "安娜说她喜欢绿茶", False),
        ("The invented thing is true.", "tell me about the cache", True),
        (
            "The cache is Redis, hosted in Frankfurt by Ana for the bank.",
            "the cache is Redis",
            True,
        ),
        ("", "anything", False),
    ],
)
def test_a_sentence_repeats_what_was_shown(text: str, shown: str, expected: bool) -> None:
    assert strays_from(text, content_words(shown)) is expected


@given(
    st.lists(
        st.sampled_from(["we", "decided", "to", "use", "PostgreSQL", "for", "billing"]), max_size=6
    )
)
def test_what_was_shown_is_never_left_out(words: list[str]) -> None:
    text = " ".join(words)
    assert held(text, SHOWN).value == text
