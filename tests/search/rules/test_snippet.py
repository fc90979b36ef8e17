"""The words that match are found where they stand."""

from clawgit.search.rules.hit_line import matches
from clawgit.search.rules.terms import queried
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
