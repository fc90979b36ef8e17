"""The beginnings of identifiers."""

from clawgit.domain.search.beginnings import begins_in, begun, is_beginning, runs_of
from tests.each import for_each


@for_each(
    "typed, runs",
    [
        ("46.105", ["46", "105"]),
        ("A5576e", ["a5576e"]),
        ("CONTEXT_WIN", ["context", "win"]),
        ("poet", []),
        ("水壶2", []),
    ],
)
def test_a_usual_word_is_no_beginning(typed: str, runs: list[str]) -> None:
    assert [*runs_of(typed)] == runs


@for_each(
    "typed, text, begins",
    [
        ("46.105", "on 46.105.70.14", True),
        ("46.105", "on 46.1055", False),
        ("46.105", "on 146.105", False),
        ("a5576e4511", "Tx: `A5576e45116478`", True),
        ("18", "18GB, not more", True),
        ("18", "180", False),
    ],
)
def test_a_beginning_stands_at_the_beginning(typed: str, text: str, *, begins: bool) -> None:
    assert begins_in(typed, text) is begins


@for_each(
    "word, is_long",
    [
        ("erd1a7", True),
        ("a5576", False),
        ("settings", False),
        ("100000", False),
        ("水壶a123456", False),
    ],
)
def test_a_long_word_with_a_digit_stands_for_an_identifier(word: str, *, is_long: bool) -> None:
    assert is_beginning(word) is is_long


def test_what_begins_with_a_word_is_found_once() -> None:
    texts = ["Tx `A5576e45b`, a5576e45b", "to a5576e45cc, not 0a5576e45"]
    assert begun("a5576e", texts) == ["a5576e45b", "a5576e45cc"]
