"""What a question asks for, and what gives it."""

import pytest

from clawgit.domain.search.wanted import gives, wanted


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("When is the notary?", ("time",)),
        ("Ruf mich an, wann du willst", ()),
        ("What time does the ferry leave?", ("time", "hour")),
        ("phone of the plumber", ("figure", "phone")),
        ("what do we pay the organist", ("money",)),
        ("strength of the reading glasses", ("figure",)),
        ("Who has the spare key?", ("name",)),
        ("¿Cuántas sillas faltan?", ("figure",)),
        ("チケットはいくら", ("money",)),
        ("방이 몇 개야?", ("figure",)),
        ("¿Cómo puedo secar la madera?", ("wish",)),
        ("Que devrais-je cuisiner ?", ("wish",)),
        ("o que ele disse quando chegou", ()),
        ("如何处理旧电池", ()),
    ],
)
def test_what_a_question_asks_for(question: str, kinds: tuple[str, ...]) -> None:
    assert wanted(question) == kinds


@pytest.mark.parametrize(
    ("kind", "question", "text", "given"),
    [
        ("figure", "price of tin", "2026-01-26: tin is dear this year", False),
        ("figure", "price of tin", "tin is 27.60 euros a kilo", True),
        ("figure", "size of the boots", "the boots came on 3 March 2026 at 10:20", False),
        ("money", "cost of the boots", "the roofer asks N$ 9,600", True),
        ("money", "cost of the FortiGate", "the FortiGate 40F has 1 WAN and 4 LAN ports", False),
        ("figure", "how much memory does it have", "it runs Linux x64 and GPT-4.1", False),
        ("figure", "code of the gate", "the gate: B2117", True),
        ("figure", "多少钱换的", "换了 x64", False),
        ("phone", "phone of Ana", "Ana, seen on 2026-02-09T09:56:31.692565", False),
        ("phone", "phone of Ana", "Ana, since 2026-03-03: (555) 010-9944", True),
        ("hour", "what time is it", "the ferry leaves on Monday", False),
        ("hour", "what time is it", "Mass 10:30", True),
        ("figure", "price of 75 percent tin", "ordered the 75 percent tin", False),
        ("name", "Who builds the raft?", "the raft is built by Fillemon", True),
        ("name", "Who told Ana?", "it was told to Ana on Monday", False),
        ("wish", "推荐一家餐厅", "安娜喜欢吃鱼", True),
        ("time", "When is it due?", "the rent is due tomorrow", True),
        ("time", "When is it due?", "the rent is due", False),
        ("time", "Wann kommt er?", "er kommt mit dem Kran", False),
    ],
)
def test_what_gives_it_does_not_only_repeat_the_question(
    kind: str, question: str, text: str, given: bool
) -> None:
    assert gives(kind, question, text) is given
