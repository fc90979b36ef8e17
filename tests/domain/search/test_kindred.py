"""Forms of words that the index's stemmer does not know, and words made of two."""

import pytest

from clawgit.domain.search.kindred import kindred, kindred_of, stemmed, with_kindred
from clawgit.domain.search.lexicon import EMPTY, Known, Words
from clawgit.domain.search.question import SearchQuestion

_GERMAN = frozenset(("zahnarzt", "termin", "garten", "haus", "schule", "lampe", "karte", "druck"))


@pytest.mark.parametrize(
    "words",
    [
        "zahlen zahlt zahlte zahlten",
        "besprechung besprechungen besprechen",
        "kosten kostet kostete",
    ],
)
def test_the_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stemmed(word, "de") for word in words.split()}) == 1


def test_a_short_word_keeps_its_letters() -> None:
    assert stemmed("rate", "de") == "rate"


@pytest.mark.parametrize(
    ("word", "terms", "found"),
    [
        ("zahnarzt", "zahnarzttermin zahnrad", {"zahnarzttermin"}),
        ("termin", "zahnarzttermin terminal", {"zahnarzttermin"}),
        ("gartenhaus", "garten haus hausen", {"garten", "haus", "hausen"}),
        ("schule", "schulen ganztagsschulx", {"schulen"}),
        ("lampe", "gartenlamp", {"gartenlamp"}),
    ],
)
def test_german_words_are_found_in_words_made_with_them(
    word: str, terms: str, found: set[str]
) -> None:
    lines = "\n".join(("", *terms.split(), ""))
    assert {*kindred(word, "de", lines, _GERMAN.__contains__)} == found


def test_only_the_telling_words_of_such_a_language_have_kindred() -> None:
    question = SearchQuestion("", (("haben",), ("termine",)), frozenset())
    words = Words({"haben": Known(EMPTY)}.get, "de")
    terms = ("haben", "habend", "termin")
    assert kindred_of(question, words, lambda: terms) == {"termine": (("termin", 1.2),)}
    assert kindred_of(question, Words(), lambda: terms) == {}
    assert kindred_of(question, Words(lambda _: None, "es"), lambda: terms) == {}


def test_kindred_come_before_words_that_only_mean_the_same() -> None:
    assert with_kindred(Known(7, (("date", 0.8),)), (("termin", 1.2),)) == Known(
        7, (("termin", 1.2), ("date", 0.8))
    )
    unlisted = with_kindred(None, (("termin", 1.2),))
    assert unlisted is not None
    assert unlisted.near == (("termin", 1.2),)
    assert with_kindred(None, ()) is None
