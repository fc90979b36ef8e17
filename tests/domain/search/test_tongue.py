"""In which language a text is."""

import numpy as np
import pytest

from clawgit.domain.search.tongue import han_of, latin_of
from clawgit.stores.embed.other_words import NO_ROWS, OtherWords
from clawgit.stores.embed.static import MODEL, VECTORS, VOCABULARY
from clawgit.stores.lexicon import Lexicon


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wann ist der Termin beim Zahnarzt?", "de"),
        ("Gebühren Kartenlesegerät", "de"),
        ("¿cuánto costó la bicicleta?", "es"),
        ("contrasena del wifi", "es"),
        ("qual é a senha do wifi?", "pt"),
        ("quanto custa o aluguel", "pt"),
        ("o que decidimos na reunião", "pt"),
        ("quel est le mot de passe du wifi ?", "fr"),
        ("combien coûte le loyer", "fr"),
        ("où habite Julie", "fr"),
        ("¿dónde vive Julie?", "es"),
        ("¿cuánto cuesta el alquiler?", "es"),
        ("who is Moritz", ""),
        ("Noah Kolassa's email address", ""),
        ("depth 9.1 m, step D", ""),
        ("AI", ""),
        ("Ana prefers short mails", ""),
        ("NAS 备份", ""),
        ("Leo 的托福成绩", ""),
        ("wifi password", ""),
        ("team meeting budget", ""),
        ("Priyanka", ""),
        ("", ""),
    ],
)
def test_the_lists_and_the_vectors_take_a_text_for_the_same_language(
    text: str, language: str
) -> None:
    assert Lexicon().for_text(text).language == language
    pieces = (MODEL / VOCABULARY).read_text("utf-8").split("\n")
    places = {piece: place for place, piece in enumerate(pieces)}
    others = OtherWords(MODEL, places, np.load(MODEL / VECTORS))
    known, _ = others.vocabulary(text)
    assert known.latin is (others._rows[language] if language else NO_ROWS)


def test_a_language_in_which_the_words_are_commoner_is_likelier() -> None:
    ranks = {"": {"die": 9000, "art": 700}.get, "de": {"die": 0, "art": 300}.get}
    assert latin_of(["die", "art"], lambda: ranks) == "de"
    assert latin_of(["art"], lambda: {"": {"art": 5}.get, "de": {"art": 5}.get}) == ""
    assert latin_of(["the", "die"], dict) == ""


def test_words_that_tell_no_language_are_in_that_of_the_memory() -> None:
    lexicon, german = Lexicon(), {"": 100, "de": 300}
    for text in ("Bandscheibe", "Sensor", "Zug", "", "Server Backup"):
        assert lexicon.for_text(text, german).language == "de", text
        assert lexicon.for_text(text, {"": 300}).language == "", text
    for text in ("what is the wifi password", "invoice payment"):
        assert lexicon.for_text(text, german).language == "", text
    assert lexicon.for_text("wo ist der Sensor", {"": 300}).language == "de"
    assert lexicon.for_text("website font", {"": 300, "fr": 1}).language == ""
    assert lexicon.for_text("Sensor", {"de": 3}).language == ""
    assert [han_of("検知", home) for home in ({}, {"ja": 2, "zh": 1})] == ["zh", "ja"]


def test_kana_tells_japanese_from_chinese() -> None:
    assert [han_of(text) for text in ("会議はいつ", "会议", "スミレ 会議")] == ["ja", "zh", "ja"]
