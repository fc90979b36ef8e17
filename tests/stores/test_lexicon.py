"""The word list: each of its words is found, and no other one."""

from pathlib import Path

from clawgit.domain.search.lexicon import Known, telling
from clawgit.stores.lexicon import LEXICON, Lexicon


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
