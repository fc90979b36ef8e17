"""What a question asks of a memory: its telling words, and what stands for each of them there."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.language.terms import held
from clawgit.search import asked
from clawgit.search.index.index import Index, of_texts
from clawgit.search.rules.question import Asked

_OTHER = "- The kettle is new.\n- Papel, Brot, vino, 电车, 電車.\n" * 3


def memory(*lines: str) -> Index:
    return of_texts({"memory/a.md": "".join(f"- {line}\n" for line in lines) + _OTHER})


def ask(question: str, *lines: str) -> Asked:
    return asked.read(question, memory(*lines))


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Two parcels were shipped.", "when do we ship a parcel"),
        ("Les factures sont payées.", "où est la facture de mai"),
        ("De vergaderingen zijn lang.", "hoe lang duurt de vergadering"),
        ("醫生說要多喝水。", "医生说了什么"),
        ("Am Montag zum Zahnarzt.", "wann war der Zahnarzttermin"),
    ],
)
def test_a_word_finds_its_other_forms(line: str, question: str) -> None:
    read = ask(question, line)
    others = max(read.worth(held(other)) for other in _OTHER.splitlines())
    assert read.worth(held(line)) > 0.2 * read.whole
    assert read.worth(held(line)) > others


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("where is the zebra, in a kettle?", ("zebra",)),
        ("wer ist der Besitzer vom Zebra?", ("Besitzer", "Zebra")),
    ],
)
def test_words_that_stand_nowhere_are_named_as_they_were_typed(
    question: str, missing: tuple[str, ...]
) -> None:
    assert ask(question).missing == missing


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wo ist der Schlüssel?", "de"),
        ("¿Dónde está la llave?", "es"),
        ("Où est la clé ?", "fr"),
    ],
)
def test_the_language_is_that_of_the_question(text: str, language: str) -> None:
    assert asked.language_of(text, memory()) == language


def test_grammar_asks_for_nothing_where_there_is_another_word() -> None:
    assert [word.word for word in ask("What is the kettle?").words] == ["kettle"]
    assert ask("what is it that we do").words


_MEMORY = memory("The kiln burnt out.", "账单已付", "Zoë", "कील", "Ключ", "🔑")


@given(st.text(st.characters(), max_size=60))
@example("kiln " * 2_000)
@example("账" * 10_000)
@example("x" * 10_000)
@example("\ud800a")
@example('\0 NEAR("kiln" AND *')
@example("İ ﬁ ß ŉ")
def test_any_text_is_a_question(text: str) -> None:
    read = asked.read(text, _MEMORY)
    assert len(read.words) <= 40
    assert all(word.forms for word in read.words)
    assert 0 <= read.worth(frozenset(read.terms)) <= read.whole + 1e-9
    assert len(asked.telling(text)) <= 40 or not read.words
    assert len(_MEMORY.best(read.terms, 5)) <= 5
