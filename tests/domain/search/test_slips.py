"""Typing slips: which words are repaired, and which are another word."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing

from clawgit.domain.search.slips import repairs
from clawgit.stores.index.reading import stems_by
from tests.each import for_each


def stems(words: Iterable[str]) -> dict[str, str]:
    with closing(sqlite3.connect(":memory:")) as db:
        return stems_by(db, words)


WORDS = (
    "notary himalaya impostor allot registrater mortgage interrupt kill goat roast per bicycle tomorrow "
    "cardamom marathon b2117 names gummies practice warehouse asset canoe Kessemeier Dittmar "
    "Rauchmelder Vakuumheber Dachdecker Versorger красноярск θεσσαλονικη ספריא голод "
    "図書館図書館図書館 security tracking subagents sensors experience"
)


def repaired(wrong: str) -> str:
    """The stem of the word that a wrong one is repaired to, as the index looks it up."""
    memory = stems(WORDS.lower().split())
    found = repairs([wrong], memory.values, stems).get(wrong, "")
    return stems([found])[found] if found else ""


@for_each(
    "wrong, right",
    [
        ("notray", "notary"),
        ("himalayan", "himalaya"),
        ("imposter", "impostor"),
        ("morgtage", "mortgage"),
        ("kesemeier", "kessemeier"),
        ("rauchmleder", "rauchmelder"),
        ("красноярк", "красноярск"),
        ("securty", "security"),
    ],
)
def test_a_word_that_stands_nowhere_is_repaired_by_one_close_by(wrong: str, right: str) -> None:
    assert repaired(wrong) == stems([right])[right]


def test_what_is_repaired_is_found_though_its_stem_has_another_one() -> None:
    # The index has `warehous`, and that of `warehous` is `warehou`, which it has not.
    assert repaired("wharehouse") == "warehous"


@for_each(
    "right",
    [
        "cardigan",
        "allowed",
        "canon",
        "xqzzt",
        "b2118",
        "город",
        "seniority",  # “sensority” would have the stem of “sensors”
    ],
)
def test_a_word_that_may_be_right_is_not_repaired(right: str) -> None:
    assert repaired(right) == ""


def test_the_vocabulary_is_not_asked_for_when_nothing_is_wrong() -> None:
    def never() -> list[str]:
        raise AssertionError("asked for")

    assert repairs(["abc", "1234567", "小橘"], never, stems) == {}
