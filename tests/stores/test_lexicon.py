"""The word list: each of its words is found, and no other one."""

from pathlib import Path

import pytest

from clawgit.domain.search.lexicon import Known, telling
from clawgit.stores.lexicon import LEXICON, OTHERS, Lexicon


def test_each_word_of_the_list_is_found() -> None:
    lexicon = Lexicon()
    words = [line.partition(" ")[0] for line in LEXICON.read_text("utf-8").splitlines()]
    assert words == sorted(set(words))
    assert [
        word for word in (*words[:50], *words[::97], words[-1]) if not lexicon.known(word)
    ] == []


def test_a_word_that_is_not_in_the_list_is_unknown() -> None:
    lexicon = Lexicon()
    for word in ("", "aaaaaa", "zzzzzz", "weddin", "weddingx", "Wedding", "wedding bride", "橘"):
        assert lexicon.known(word) is None, word


def test_a_word_has_its_rank_and_its_nearest_words(tmp_path: Path) -> None:
    path = tmp_path / "near.txt"
    path.write_text("bride 9 wedding:85 vows:66\ncup 3\n")
    lexicon = Lexicon(path)
    assert lexicon.known("bride") == Known(9, (("wedding", 0.85), ("vows", 0.66)))
    assert lexicon.known("cup") == Known(3)
    assert lexicon.known("bri") is None


def test_without_a_list_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "missing"):
        assert Lexicon(tmp_path / name).known("wedding") is None


def test_a_common_word_says_less_than_a_rare_or_unknown_one() -> None:
    lexicon = Lexicon()
    thing, zebra = (telling(lexicon.known(word)) for word in ("thing", "zebra"))
    assert 0 < thing < zebra == telling(None) == 1


@pytest.mark.parametrize(
    ("asked", "word", "near"),
    [
        (["hund", "arzt", "gesagt"], "arzt", "doktor"),
        (["coche", "comprado"], "coche", "automovil"),
        (["生病", "医院"], "医院", "住院"),
        (["病院", "予約"], "病院", "医者"),
        (["wedding", "guests"], "wedding", "bride"),
    ],
)
def test_the_list_of_the_question_s_language_answers(
    asked: list[str], word: str, near: str
) -> None:
    known = Lexicon().for_words(asked)(word)
    assert known
    assert near in [other for other, _ in known.near]


def test_the_lists_of_other_languages_are_found_by_halving_too() -> None:
    lexicon = Lexicon()
    for language in OTHERS:
        path = LEXICON.with_name(f"{LEXICON.stem}-{language}.txt")
        words = [line.partition(" ")[0] for line in path.read_text("utf-8").splitlines()]
        assert words == sorted(set(words), key=str.encode)
        some = words[::97]
        assert all(map(lexicon.for_words(some), some)), language


def test_a_name_alone_is_looked_up_in_english() -> None:
    assert Lexicon().for_words(["priyanka"])("priyanka") is None
    assert Lexicon().for_words([])("wedding")


def test_words_that_are_little_but_grammar_say_little_in_every_language() -> None:
    lexicon = Lexicon()
    for asked in (["haben", "wir", "versicherung"], ["el", "seguro"], ["我们", "医院"]):
        of = lexicon.for_words(asked)
        empty, telling_word = telling(of(asked[0])), telling(of(asked[-1]))
        assert empty < 0.2 < telling_word, asked
