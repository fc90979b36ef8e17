"""What a question asks for, and what gives it."""

import pytest

from clawgit.domain.search.wanted import gives, wanted


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("When is the notary?", ("time",)),
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
        ("What should I cook for Ana?", ("wish",)),
        ("how to store the clay", ("wish",)),
        ("Was soll ich kochen?", ("wish",)),
        ("¿Cómo puedo secar la madera?", ("wish",)),
        ("推荐一家餐厅", ("wish",)),
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
        ("wish", "What should I cook?", "Ana prefers fish", True),
        ("wish", "What should I cook?", "Ana caught a fish", False),
        ("wish", "推荐一家餐厅", "安娜喜欢吃鱼", True),
        ("time", "When is it due?", "the rent is due tomorrow", True),
        ("time", "When is it due?", "the rent is due", False),
    ],
)
def test_what_gives_it_does_not_only_repeat_the_question(
    kind: str, question: str, text: str, given: bool
) -> None:
    assert gives(kind, question, text) is given
