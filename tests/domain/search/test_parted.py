"""Words that others write in two."""

from clawgit.domain.search.parted import halves, runs, spans
from tests.each import for_each


@for_each(
    "word, parts",
    [
        ("ksm66", ("ksm", "66")),
        ("2fa", ("2", "fa")),
        ("b2b", ("b", "2", "b")),
        ("h1d498fa", ()),
        ("kiln", ()),
        ("2117", ()),
        ("小橘", ()),
    ],
)
def test_letters_and_digits_are_parts(word: str, parts: tuple[str, ...]) -> None:
    assert runs(word) == parts


def test_a_word_of_letters_is_parted_where_each_part_may_be_a_word() -> None:
    assert [*halves("webhook")] == [("web", "hook"), ("webh", "ook")]
    assert [*halves("kilns"), *halves("小橘为什么不肯")] == []


@for_each(
    "text, parts, found",
    [
        ("with KSM-66, 300 mg", ("ksm", "66"), ["KSM-66"]),
        ("KSM 66 or KSM_66", ("ksm", "66"), ["KSM 66", "KSM_66"]),
        ("KSM-660 and xKSM-66", ("ksm", "66"), []),
        ("glm-4.7:cloud", ("glm", "4"), ["glm-4"]),
        ("Web search, then a search of the web", ("web", "search"), ["Web search"]),
        ("@angular/fire@20", ("angular", "fire"), ["angular/fire"]),
        ("an A-4 page, and a 4 there", ("a", "4"), ["A-4"]),
    ],
)
def test_parts_are_found_side_by_side(text: str, parts: tuple[str, ...], found: list[str]) -> None:
    assert [text[start:end] for start, end in spans(text, [parts])] == found
