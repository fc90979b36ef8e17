"""The word list: each of its words is found, and no other one."""

from pathlib import Path

import pytest

from clawgit.domain.search.lexicon import EMPTY, SAME, Known, is_grammar, telling
from clawgit.domain.search.postings import SYNONYM
from clawgit.stores.lexicon import LEXICON, NEAR, Lexicon
from clawgit.stores.word_list import languages_of


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
        ("Was hat der Arzt zum Hund gesagt?", "arzt", "doktor"),
        ("el coche que compramos", "coche", "automovil"),
        ("生病去了哪家医院", "医院", "住院"),
        ("病院の予約", "病院", "専门 门医"),
        ("o que o médico disse do cachorro?", "medico", "doutor"),
        ("quelle voiture avons-nous achetée ?", "voiture", "automobil"),
        ("wedding guests", "wedding", "bride"),
    ],
)
def test_the_list_of_the_question_s_language_answers(asked: str, word: str, near: str) -> None:
    known = Lexicon().for_text(asked).known(word)
    assert known
    assert near in [other for other, _ in known.near]


@pytest.mark.parametrize(
    ("asked", "asking", "matter"),
    [
        ("¿cuánto cuesta el techo?", "cuesta", "techo"),
        ("¿cuánto costaban las sillas?", "costaban", "sillas"),
        ("quanto custa o telhado", "custa", "telhado"),
        ("quanto custou a cadeira", "custou", "cadeira"),
        ("combien coûte le toit", "coute", "toit"),
        ("combien coûtaient les chaises", "coutaient", "chaises"),
        ("was kostet das Dach", "kostet", "dach"),
        ("was kostete der Stuhl", "kostete", "stuhl"),
        ("wie sind die Kosten für das Dach", "wie", "kosten"),
        ("¿cuál es el costo del techo?", "cual", "costo"),
    ],
)
def test_the_verb_of_a_question_for_a_price_only_asks(asked: str, asking: str, matter: str) -> None:
    words = Lexicon().for_text(asked)
    assert is_grammar(words.known(asking))
    assert words.is_word(matter)


def test_the_lists_of_other_languages_are_found_by_halving_too() -> None:
    for language in languages_of(LEXICON.parent, NEAR):
        path = LEXICON.with_name(f"{LEXICON.stem}-{language}.txt")
        words = [line.partition(" ")[0] for line in path.read_text("utf-8").splitlines()]
        assert words == sorted(set(words), key=str.encode)
        some = words[::97]
        assert all(map(Lexicon(path).known, some)), language


def test_a_name_alone_is_looked_up_in_english() -> None:
    words = Lexicon().for_text("Priyanka")
    assert (words.language, words.is_word("priyanka")) == ("", False)
    assert Lexicon().for_text("").is_word("wedding")


def test_words_that_are_little_but_grammar_say_little_in_every_language() -> None:
    lexicon = Lexicon()
    for asked, empty, said in (
        ("Haben wir eine Versicherung?", "haben", "versicherung"),
        ("¿cuál es el seguro?", "cual", "seguro"),
        ("qual é o preço do seguro?", "qual", "seguro"),
        ("Quelle est notre assurance ?", "notre", "assurance"),
        ("我们的医院", "我们", "医院"),
        ("どこの病院", "どこ", "病院"),
    ):
        known = lexicon.for_text(asked).known
        assert telling(known(empty)) < 0.2 < telling(known(said)), asked


@pytest.mark.parametrize(
    ("asked", "word", "near"),
    [
        ("Wer bewilligt das Darlehen?", "darlehen", ("kredi", 0.9)),
        ("Hat der Gast wegen dem Hahn reklamiert?", "darlehens", ("kredi", 0.9)),
        ("¿quién paga las ventanas?", "hospitales", ("hospitaliz", 0.74)),
    ],
)
def test_other_languages_are_listed_by_stems(
    asked: str, word: str, near: tuple[str, float]
) -> None:
    known = Lexicon().for_text(asked).known(word)
    assert known
    assert near in known.near


def test_words_that_share_some_translations_do_not_say_the_same() -> None:
    for asked, word in (
        ("a reunião é na segunda-feira?", "reuniao"),
        ("a fatura do carro", "fatura"),
    ):
        known = Lexicon().for_text(asked).known(word)
        assert known
        assert known.near
        assert all(cosine < SYNONYM for _, cosine in known.near), word


def test_a_word_that_is_little_but_grammar_is_listed_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "near_words-de.txt").write_text("haben -1\nhaus 3 heim:100 wohnung:80\n")
    (tmp_path / "same_words-de.txt").write_text("haus gebaud\n")
    known = Lexicon(tmp_path / "near_words.txt").for_text("haben hauses").known
    assert known("haben") == Known(EMPTY)
    assert known("hauses") == Known(3, (("gebaud", SAME), ("heim", 1.0), ("wohnung", 0.74)))
    assert known("hab") is None
