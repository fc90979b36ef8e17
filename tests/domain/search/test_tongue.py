"""In which language a text is."""

import pytest

from clawgit.domain.search.tongue import han_of, latin_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wann ist der Termin beim Zahnarzt?", "de"),
        ("¿cuánto costó la bicicleta?", "es"),
        ("o que decidimos na reunião", "pt"),
        ("combien coûte le loyer", "fr"),
        ("who is Moritz", ""),
        ("", ""),
    ],
)
def test_a_text_is_in_the_language_whose_small_words_it_has(text: str, language: str) -> None:
    assert latin_of(text) == language


def test_words_that_tell_no_language_are_in_that_of_the_memory() -> None:
    german = {"": 100, "de": 300, "zh": 900}
    for text in ("Bandscheibe", "", "Server Backup"):
        assert latin_of(text, german) == "de", text
        assert latin_of(text, {"": 300}) == "", text
    assert latin_of("what is the wifi password", german) == ""
    assert latin_of("wo ist der Sensor", {"": 300}) == "de"
    assert latin_of("Sensor", {"de": 3}) == ""


def test_kana_tells_japanese_from_chinese_and_else_the_memory_does() -> None:
    assert [han_of(text) for text in ("会議はいつ", "会议", "スミレ 会議")] == ["ja", "zh", "ja"]
    assert han_of("検知", {"ja": 2, "zh": 1}) == "ja"
