"""Whatever the text: each piece is where it says, none overlaps another, and nothing breaks."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.language.clauses import core, needs_speaker, negations, sentences
from clawgit.language.days import bracket, whens
from clawgit.language.lexicon import content_words
from clawgit.language.tokens import tokens
from tests.language.turning import turns

SAID = datetime(2026, 11, 18, 10, tzinfo=UTC)
SNIPPETS = st.sampled_from(
    [
        "I", "i", "my", "Remember that", "FYI,", "don't", "unless", "Sunday", "next", "March", "3",
        "1.200 €", "3:30", "pm", "2026-11-18", "in", "days", "ago", "我", "记住，", "3月3日", "下午3点半",
        "百", "万", "私は", "明日", "さん", "월요일에", "오후", "3시", "v1.2.3", "a@b.de", "https://x.y/z",
        "~/a/b", "**", "- ", "> ", "# ", "`", "```\n", "\n", "| ", "“", "”", ":", "(", ")",
        "#event", "(2026-11-22)", "<!-- x -->", "vor", "zwei", "Tagen", "fünfundzwanzig", "el",
        "pasado", "Bank", "of",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.one_of(SNIPPETS, st.text(max_size=4)), max_size=14).map(" ".join),
)
READERS = {"tokens": tokens, "sentences": sentences, "negations": negations}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@given(text=TEXTS)
def test_each_piece_stands_where_it_says_and_apart_from_the_next(
    read: Callable[[str], tuple[Any, ...]], text: str
) -> None:
    end = 0
    for piece in read(text):
        assert text[piece.start : piece.end] == piece.text != ""
        assert piece.start >= end
        end = piece.end


@given(text=TEXTS)
def test_days_stand_apart(text: str) -> None:
    days = whens(text, SAID)
    assert all(day.start < day.end <= len(text) for day in days)
    assert all(day.end <= after.start for day, after in pairwise(days))


@given(text=TEXTS)
def test_the_others_answer_for_any_text(text: str) -> None:
    inner = core(text)
    assert text[inner.start : inner.end] == inner.text
    assert bracket(text, SAID) in ("", "(said 2026-11-18)") or bracket(text, SAID)[1:5].isdigit()
    assert needs_speaker(text) in (True, False)
    assert all(text[turn.start : turn.end] == turn.text for turn in turns(text))
    assert all(content_words(text))


@given(text=TEXTS)
def test_what_is_cut_at_the_edges_turns_nothing(text: str) -> None:
    """A denial in `don't forget that` is cut with it; any other one stays, and so does each
    condition and hedge."""
    inner = core(text)
    before, behind = text[: inner.start], text[inner.end :]
    assert not turns(behind)
    assert {turn.text.lower() for turn in turns(before)} <= {
        "don't", "not", "nicht", "no", "别", "不要", "不",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("signs", "other"),
    [
        ("aZ09 _'.,:-\n\t#\x00\x7f", "ä"),
        ("aZ09é'’.-—→😀\u0301\u1200\ua000\uffa0 ", "茶"),
    ],
    ids=["ASCII", "spaced scripts"],
)
@given(data=st.data())
def test_a_word_in_another_script_changes_none_before_it(
    data: st.DataObject, signs: str, other: str
) -> None:
    """With it the whole text is cut by the pattern of more scripts."""
    text = data.draw(st.text(st.sampled_from(signs), max_size=30))
    *words, last = tokens(f"{text} {other}")
    assert last.text == other
    assert [*tokens(text)] == words
