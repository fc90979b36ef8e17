"""What a question asks for, and what gives it."""

import pytest

from clawgit.domain.search.wanted import gives, wanted


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("When is the notary?", ("time",)),
        ("Seit wann gilt die Preisliste?", ("time",)),
        ("¿Desde cuándo vive aquí?", ("time",)),
        ("Ruf mich an, wann du willst", ()),
        ("how long does the dough rest", ("time", "figure")),
        ("phone of the plumber", ("figure",)),
        ("What did the roof cost?", ("figure",)),
        ("Who has the spare key?", ("name",)),
        ("name of the rabbit", ("name",)),
        ("Wie hoch ist die Miete?", ("figure",)),
        ("¿Cuántas sillas faltan?", ("figure",)),
        ("门口的密码是多少", ("figure",)),
        ("チケットはいくら", ("figure",)),
        ("방이 몇 개야?", ("figure",)),
        ("How did it go?", ()),
        ("What did we decide about the roof?", ()),
    ],
)
def test_what_a_question_asks_for(question: str, kinds: tuple[str, ...]) -> None:
    assert wanted(question) == kinds


@pytest.mark.parametrize(
    ("kind", "question", "text", "given"),
    [
        ("figure", "price of tin", "2026-01-26: tin is dear this year", False),
        ("figure", "price of tin", "tin is 27.60 euros a kilo", True),
        ("figure", "price of 75 percent tin", "ordered the 75 percent tin", False),
        ("name", "Who builds the raft?", "Fillemon builds the raft", False),
        ("name", "Who builds the raft?", "the raft is built by Fillemon", True),
        ("name", "Who told Ana?", "it was told to Ana on Monday", False),
        ("time", "When is it due?", "the rent is due tomorrow", True),
        ("time", "When is it due?", "the rent is due", False),
        ("time", "Wann kommt er?", "er kommt am 12. März", True),
        ("time", "Wann kommt er?", "er kommt mit dem Kran", False),
        ("time", "¿Cuándo viene?", "viene el martes", True),
    ],
)
def test_what_gives_it_does_not_only_repeat_the_question(
    kind: str, question: str, text: str, given: bool
) -> None:
    assert gives(kind, question, text) is given
