"""Traditional and simplified characters of a word are the same to a search."""

import pytest

from clawgit.language.tokens import simplified
from clawgit.search import asked
from clawgit.search.index.index import of_texts
from clawgit.search.rules.terms import held, matches


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("醫院的電話", "医院的电话"),
        ("东京", "东京"),
        ("東京の病院", "东京の病院"),
        ("Zürich 3", "Zürich 3"),
        ("plain", "plain"),
    ],
)
def test_each_character_has_one_form(text: str, simple: str) -> None:
    assert simplified(text) == simple
    assert simplified(simple) == simple


@pytest.mark.parametrize(
    ("question", "text", "marked"),
    [
        ("医院在哪里", "醫院 3", "醫院"),
        ("醫院在哪裡", "医院 3", "医院"),
        ("東京の病院はどこ", "東京病院 3", "東京病院"),
    ],
)
def test_a_word_is_found_in_the_other_script(question: str, text: str, marked: str) -> None:
    terms = asked.read(question, of_texts({"memory/a.md": text})).terms
    assert held(text).intersection(terms)
    assert [text[start:end] for start, end in matches(text, terms)] == [marked]
