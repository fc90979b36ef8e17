"""The table of words: each of its words is found, and no other one."""

from pathlib import Path

import pytest

from clawgit.domain.search.lexicon import EMPTY, Known, is_grammar, telling
from clawgit.stores.lexicon import LEXICON, Lexicon


def test_each_word_of_the_table_is_found() -> None:
    lexicon = Lexicon()
    rows = [line.split(" ", 2)[:2] for line in LEXICON.read_text("utf-8").splitlines()]
    words = [word for word, _ in rows]
    assert words == sorted({*words}, key=str.encode)
    english = [word for word, rank in rows if not rank.startswith("~")]
    assert [word for word in (*english[:50], *english[::97]) if not lexicon.known(word)] == []
    assert LEXICON.stat().st_size < 3 * 2**20


def test_a_word_that_is_not_in_the_table_is_unknown() -> None:
    lexicon = Lexicon()
    for word in ("", "aaaaaa", "weddin", "weddingx", "Wedding", "wedding bride", "橘", "\ud800"):
        assert lexicon.known(word) is None, word


def test_a_word_has_its_rank_and_its_nearest_words(tmp_path: Path) -> None:
    path = tmp_path / "near.txt"
    path.write_text(
        "bride 9 wedding:85 vows:66\ncup 3\nhaus ~7 heims:80\nrat 90 mouse:60 ~4\n", "utf-8"
    )
    lexicon = Lexicon(path)
    assert lexicon.known("bride") == Known(9, (("wedding", 0.85), ("vows", 0.66)))
    assert lexicon.known("cup") == Known(3)
    assert lexicon.known("haus") is None, "it is not English"
    german = lexicon.for_text("wo ist das Haus")
    assert german.language == "de"
    assert german.known("haus") == Known(7, (("heim", 0.8),))
    assert german.known("cup") is None
    assert (lexicon.known("rat"), german.known("rat")) == (Known(90, (("mouse", 0.6),)), Known(4))
    assert german.known("ist") == Known(EMPTY)


def test_without_a_table_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "missing"):
        assert Lexicon(tmp_path / name).known("wedding") is None


def test_a_common_word_says_less_than_a_rare_or_unknown_one() -> None:
    lexicon = Lexicon()
    thing, zebra = (telling(lexicon.known(word)) for word in ("thing", "zebra"))
    assert 0 < thing < zebra == telling(None) == 1


@pytest.mark.parametrize(
    ("asked", "empty", "said"),
    [
        ("Was kostet eine Versicherung?", "kostet", "versicherung"),
        ("¿cuál es el seguro?", "cual", "seguro"),
        ("qual é o preço do seguro?", "qual", "seguro"),
        ("Quelle est notre assurance ?", "notre", "assurance"),
        ("我们的医院", "我们", "医院"),
        ("どこの病院", "どこ", "病院"),
    ],
)
def test_words_that_only_ask_say_little_in_every_language(
    asked: str, empty: str, said: str
) -> None:
    known = Lexicon().for_text(asked).known
    assert is_grammar(known(empty))
    assert telling(known(empty)) < 0.2 < telling(known(said))
