"""Words that are to be forgotten, found however they are written; and nothing else found."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.errors import UsageError
from clawgit.history.rules.needle import Matcher, needle_of, words_of
from tests.each import for_each

SENTENCE = "Ana's PIN is Übermut 4711"
MATCHER = Matcher([needle_of(SENTENCE)])

WRITTEN = [
    SENTENCE,
    "ana’s pin is **übermut** (4711)!",
    "ANA'S PIN IS ÜBERMUT 4711",
    "Ana's\n  PIN is\nU\u0308bermut — 4711",
    json.dumps("He said:\nAna's PIN is Übermut 4711"),
    "key: “Ana's PIN is Übermut: 4711”",
]


@for_each("text", WRITTEN)
def test_it_is_found_in_any_writing(text: str) -> None:
    assert MATCHER.is_in(text)
    assert "4711" not in MATCHER.without(text)


@for_each("text", WRITTEN)
def test_it_is_found_in_raw_bytes(text: str) -> None:
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        assert MATCHER.is_in_bytes(b"\x00\x01main" + text.encode(encoding) + b"\xff\xfe")


@for_each(
    "text",
    [
        "Diana's PIN is Übermut 4711",
        "Ana's PIN is Übermut 47110",
        "Ana's PIN was Übermut 4711",
        "Übermut 4711 is Ana's PIN",
    ],
)
def test_other_words_are_left_alone(text: str) -> None:
    assert not MATCHER.is_in(text)
    assert MATCHER.without(text) == text


def test_a_short_word_is_no_part_of_a_longer_one_in_bytes_either() -> None:
    pin = Matcher([needle_of("4711")])
    assert pin.is_in_bytes(b"\x03main\x004711\x00")
    assert not pin.is_in_bytes(b"247118")


def test_a_script_without_blanks() -> None:
    matcher = Matcher([needle_of("密码是红色")])
    assert matcher.without("我的密码是红色的") == "我的[forgotten]的"
    assert matcher.is_in_bytes("我的密码是红色的".encode("utf-16-le"))
    assert not matcher.is_in("我的密码是蓝色的")


def test_of_two_that_overlap_the_longer_goes() -> None:
    matcher = Matcher([needle_of("Ana lives in Rome"), needle_of("Ana lives in Rome near the sea")])
    assert matcher.without("Now Ana lives in Rome near the sea.") == "Now [forgotten]."


@for_each("text", ["", "a", "- it", "a b", "…!", "Forgotten", "红"])
def test_too_little_to_go_by(text: str) -> None:
    with pytest.raises(UsageError):
        needle_of(text)


@given(st.text(max_size=200), st.text(max_size=200))
def test_what_is_taken_out_is_gone_and_the_rest_stays(before: str, after: str) -> None:
    text = f"{before} {SENTENCE} {after}"
    left = MATCHER.without(text)
    assert not MATCHER.is_in(left)
    assert [*words_of(before), *words_of(after)] == [
        word for word in words_of(left) if word != "forgotten"
    ] or "forgotten" in words_of(before + after)
