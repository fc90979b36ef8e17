"""Words that others write in two."""

from clawgit.domain.search.parted import halves, in_one, phone, phones, runs, spans
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
        ("(555) 123-4567, 5551234567", ("555", "123", "4567"), ["555) 123-4567"]),
    ],
)
def test_parts_are_found_side_by_side(text: str, parts: tuple[str, ...], found: list[str]) -> None:
    assert [text[start:end] for start, end in spans(text, [parts])] == found


@for_each(
    "text, found",
    [
        ("call 555-123-4567 or (555) 123 4568", [("555", "123", "4567"), ("555", "123", "4568")]),
        ("+1 555.123.4567", [("555", "123", "4567")]),
        ("5551234567, 192.168.120.1555, 2026-555-123-4567, 555-1234", []),
    ],
)
def test_a_phone_number_has_three_parts(text: str, found: list[tuple[str, ...]]) -> None:
    assert [*phones(text)] == found


def test_a_phone_number_in_one_has_the_number_of_its_country_or_not() -> None:
    assert phone("5551234567") == phone("15551234567") == ("555", "123", "4567")
    assert phone("25551234567") == phone("555123456") == ()
    assert in_one(("555", "123", "4567")) == ("5551234567", "15551234567")
