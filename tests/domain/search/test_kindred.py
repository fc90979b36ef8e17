"""Forms of words that the index's stemmer does not know, words made of two, and near words."""

import pytest

from clawgit.domain.search.kindred import kindred, known_of, stemmed, terms_of
from clawgit.domain.search.lexicon import EMPTY, Known, Words
from clawgit.domain.search.question import SearchQuestion

_LISTED = frozenset(
    (
        *("zahnarzt", "termin", "garten", "haus", "schule", "lampe"),
        *("karte", "druck", "hund", "hof", "bad", "salz", "auftrag", "nummer"),
    )
)
_GERMAN = Words(lambda word: Known(1) if word in _LISTED else None, "de")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "zahlen zahlt zahlte zahlten"),
        ("de", "operation operieren operiert"),
        ("es", "ventana ventanas"),
        ("es", "hablar hablaron hablado"),
        ("pt", "decidir decidiu decidimos"),
        ("fr", "decider decidait decidee"),
    ],
)
def test_the_forms_of_a_word_have_one_stem(language: str, words: str) -> None:
    assert len({stemmed(word, language) for word in words.split()}) == 1


@pytest.mark.parametrize(
    ("word", "terms", "found"),
    [
        ("zahnarzt", "zahnarzttermin zahnrad", "zahnarzttermin"),
        ("gartenhaus", "garten haus hausen", "garten haus hausen"),
        ("lampe", "gartenlamp", "gartenlamp"),
        ("bad", "salzbad badminton", "salzbad"),
        ("karten", "gartenkart", "gartenkart"),
        ("repariert", "reparatur reparieren", "reparatur reparieren"),
        ("3d", "3d 30", ""),
    ],
)
def test_german_words_are_found_in_other_forms_and_in_words_made_with_them(
    word: str, terms: str, found: str
) -> None:
    ways = kindred(word, _GERMAN, terms_of(terms.split()))
    assert {way.replace(" ", "+") for way in ways} == {*found.split()}


def test_spanish_words_are_found_in_other_forms() -> None:
    terms = terms_of(("ventanas", "ventanilla"))
    assert kindred("ventana", Words(language="es"), terms) == ["ventanas"]


def test_the_kindred_and_the_near_words_of_the_telling_words_are_those_of_the_memory() -> None:
    question = SearchQuestion("", (("haben",), ("termine",), ("xyz",)))
    listed = {"haben": Known(EMPTY), "termine": Known(7, (("uhrzei", 0.8), ("tag", 0.7)))}
    terms = ("haben", "habend", "termin", "uhrzeiten")
    assert known_of(question, Words(listed.get, "de"), lambda: terms_of(terms)) == {
        "haben": Known(EMPTY),
        "termine": Known(7, (("termin", 1.2), ("uhrzeiten", 0.8))),
        "xyz": Known(100_000),
    }
