"""The words that match are found where they stand."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.search.rules.terms import matches, queried
from tests.each import for_each


@for_each(
    "question, text, marked",
    [
        ("Who has two kilns?", "we have one Kiln; no kilnette", ["Kiln"]),
        ("moving", "we moved, the mover", ["moved"]),
        ("小橘为什么不肯吃饭", "小橘不肯", ["小橘不肯"]),
        ("which policy", "policies, no police", ["policies"]),
    ],
)
def test_words_that_match_are_found_where_they_stand(
    question: str, text: str, marked: list[str]
) -> None:
    found = matches(text, queried(question))
    assert [text[start:end] for start, end in found] == marked


_PIECES = ["233kWh", "233 kWh", "kWh", "KSM66", "KSM-66", "42,000", "web search", "web", "水壶"]
_WRITTEN = st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=8).map(" ".join)


@given(_WRITTEN, _WRITTEN)
def test_a_text_that_is_printed_place_by_place_is_the_text(asked: str, text: str) -> None:
    printed, at = "", 0
    for start, end in matches(text, queried(asked)):
        assert start < end
        printed += text[at:start] + text[start:end]
        at = end
    assert printed + text[at:] == text
