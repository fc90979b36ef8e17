"""The line of a hit: the sentence that answers, what stands beside it, and never more than fits."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.language.terms import queried
from clawgit.search.rules.hit_line import BESIDE, LONGEST, HitLine, hit_line, matches
from clawgit.search.rules.question import Asked, Word
from tests.each import for_each


def asked(question: str, **near: str) -> Asked:
    """The words of a question, and one near to each of some of them."""
    forms = {word: {word: 1.0} for word in queried(question)}
    for word, other in near.items():
        forms[word][other] = 0.6
    return Asked(question, tuple(Word(word, found) for word, found in forms.items()))


def told(text: str, question: str, kind: str = "para") -> HitLine:
    return hit_line(text, kind, asked(question))


def test_the_sentence_that_holds_most_of_the_question_is_shown_with_its_neighbours() -> None:
    text = "We met at noon. Billing moved to PostgreSQL in May. Nobody complained."
    line = told(text, "which database does billing use, PostgreSQL?")
    assert line == HitLine(
        "Billing moved to PostgreSQL in May.", "We met at noon.", "Nobody complained."
    )


def test_a_sentence_over_several_lines_is_one_line_and_knows_which_they_were() -> None:
    ferry = "The ferry to Lisbon, which nobody of us had ever taken before that week,"
    line = told(f"It rained.\n\n{ferry}\nleft at nine.\nWe slept.", "ferry Lisbon")
    assert line.text == f"{ferry} left at nine."
    assert (line.first, line.last) == (2, 3)


def test_a_long_sentence_is_cut_where_it_matches() -> None:
    text = "nothing " * 60 + "the heron is grey " + "nothing " * 60
    line = told(text, "grey heron")
    assert "heron is grey" in line.text
    assert line.text.startswith("…nothing")
    assert line.text.endswith("…")
    assert (line.before, line.after) == ("", "")


@given(
    st.text(alphabet="ab .\n|-界é…!?", max_size=900)
    | st.text("ab .-界", max_size=600).map("[2026-02-01] ".__add__),
    st.sampled_from(["item", "para", "table", "fence", "turn", "quote"]),
    st.sampled_from(["a", "界", "ab bb", "zzz"]),
)
def test_whatever_an_item_says_its_line_is_a_piece_of_it(
    text: str, kind: str, question: str
) -> None:
    line = told(text, question, kind)
    words = " ".join(text.split())
    assert "\n" not in line.text
    assert line.text.strip("…") in words or "…" in words
    assert len(line.text) <= LONGEST + 2
    assert len(line.before) <= BESIDE + 1
    assert len(line.after) <= BESIDE + 1
    assert 0 <= line.first <= line.last <= text.count("\n")


# The words that match are found where they stand.


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
