import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.git.rules.word_diff import likeness, word_diff
from tests.long_form import LONG_FORM
from tests.strategies import ANY_TEXT, versions


def marked(old: str, new: str) -> str:
    marks = {"same": "{}", "dropped": "[-{}-]", "added": "{{+{}+}}"}
    return "".join(marks[piece.kind].format(piece.text) for piece in word_diff(old, new))


def test_a_word_that_changed_is_marked_alone() -> None:
    assert marked("- Ask before deleting files.", "- Ask before moving files.") == (
        "- Ask before [-deleting-]{+moving+} files."
    )
    assert marked("Be kind.\n", "Be kind and clear.\n") == "Be kind{+ and clear+}.\n"


@given(st.tuples(ANY_TEXT, ANY_TEXT) | versions().map(lambda texts: (texts[0], texts[1])))
def test_the_pieces_give_both_texts_back(texts: tuple[str, str]) -> None:
    old, new = texts
    pieces = word_diff(old, new)
    assert old == "".join(piece.text for piece in pieces if piece.kind != "added")
    assert new == "".join(piece.text for piece in pieces if piece.kind != "dropped")
    assert all(piece.text for piece in pieces)
    assert 0 <= likeness(old, new) <= 1


@pytest.mark.parametrize("times", [15_000, pytest.param(100_000, marks=LONG_FORM)])
@pytest.mark.parametrize("piece", ["word ", "x"])
def test_no_text_is_too_long(piece: str, times: int) -> None:
    old = piece * times
    assert (
        "".join(piece.text for piece in word_diff(old, f"y{old}z") if piece.kind != "dropped")
        == f"y{old}z"
    )
    assert 0 <= likeness(old, old + "- new thing\n") <= 1
