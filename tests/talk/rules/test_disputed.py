"""Quotes under an entry: put there, read, taken away again without a trace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.entry import entries
from clawgit.talk.rules.disputed import quotes_of, undisputed, with_quote, without_quotes
from tests.each import for_each

WORDS = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=60
)

RAWS = [
    "- The call is on Monday. <!-- claw:mabcde n=1 -->\n",
    "- The call is on Monday.\n  - with Bengt\n  - in room 4\n",
    "- The call\r\n  - is on Monday\r\n",
    "- 会议在周一",
]


@pytest.mark.parametrize("raw", RAWS)
@given(words=WORDS)
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
