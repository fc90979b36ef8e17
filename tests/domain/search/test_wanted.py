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
        ("What time does the ferry leave?", ("time", "hour")),
        ("phone of the plumber", ("figure", "phone")),
        ("What did the roof cost?", ("figure", "money")),
        ("what do we pay the organist", ("money",)),
        ("strength of the reading glasses", ("figure",)),
        ("our rent for the shed", ("figure", "money")),
        ("Who has the spare key?", ("name",)),
        ("name of the rabbit", ("name",)),
        ("Wie hoch ist die Miete?", ("figure",)),
        ("¿Cuántas sillas faltan?", ("figure",)),
        ("チケットはいくら", ("money",)),
        ("방이 몇 개야?", ("figure",)),
        ("What should I cook for Ana?", ("wish",)),
        ("how to store the clay", ("wish",)),
        ("Was soll ich kochen?", ("wish",)),
        ("¿Cómo puedo secar la madera?", ("wish",)),
        ("quando é a reunião", ("time",)),
        ("Depuis quand habite-t-elle ici ?", ("time",)),
        ("quanto custa o aluguel", ("figure", "money")),
        ("Combien de chaises manquent ?", ("figure",)),
        ("le téléphone du plombier", ("figure", "phone")),
        ("quem é o dono", ("name",)),
        ("o que devo cozinhar?", ("wish",)),
        ("Que devrais-je cuisiner ?", ("wish",)),
        ("je ne sais pas où il est", ()),
        ("o que ele disse quando chegou", ()),
        ("推荐一家餐厅", ("wish",)),
        ("¿Qué dijo Goyo cuando llegó?", ()),
        ("几乎都忘了", ()),
        ("如何处理旧电池", ()),
        ("兄は何て言った", ()),
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
        ("figure", "size of the boots", "the boots came on 3 March 2026 at 10:20", False),
        ("figure", "how many days", "the trip is on 3 March", True),
        ("money", "cost of the boots", "the boots came in 2 boxes", False),
        ("money", "cost of the boots", "the roofer asks N$ 9,600", True),
        ("money", "cost of the boots", "his client claims 620,000 forints", True),
        ("money", "cost of the boots", "the fee is 40 CHF", True),
        ("money", "cost of the FortiGate", "the FortiGate 40F has 1 WAN and 4 LAN ports", False),
        ("money", "cost of the boots", "TOP 10 of the boots", False),
        ("money", "cost of the boots", "the boots: PLN 120", True),
        ("figure", "how much memory does it have", "it runs Linux x64 and GPT-4.1", False),
        ("figure", "how much memory does it have", "it is at 192.168.2.100", False),
        ("figure", "how much memory does it have", "it is at 10.0.0.1:22, with 16GB", True),
        ("figure", "how much did it cost", "it was CHF40", True),
        ("figure", "code of the gate", "the gate: B2117", True),
        ("figure", "what is the ip of the switch", "the switch is 192.168.2.100", True),
        ("figure", "多少钱换的", "换了 x64", False),
        ("figure", "门的密码", "门是 B2117", True),
        ("phone", "phone of Ana", "Ana has room 118 since 2026-03-03", False),
        ("phone", "phone of Ana", "Ana, seen on 2026-02-09T09:56:31.692565", False),
        ("phone", "phone of Ana", "Ana's group is -1003707068198, commit a1234567", False),
        ("phone", "phone of Ana", "Ana, since 2026-03-03: (555) 010-9944", True),
        ("phone", "phone of Ana", "Ana is on +264 63 555 044", True),
        ("hour", "what time is it", "the ferry leaves on Monday", False),
        ("hour", "what time is it", "the ferry leaves at six", True),
        ("hour", "what time is it", "Mass 10:30", True),
        ("figure", "price of 75 percent tin", "ordered the 75 percent tin", False),
        ("name", "Who builds the raft?", "Fillemon builds the raft", False),
        ("name", "Who builds the raft?", "the raft is built by Fillemon", True),
        ("name", "Who told Ana?", "it was told to Ana on Monday", False),
        ("wish", "What should I cook?", "Ana prefers fish", True),
        ("wish", "What should I cook?", "Ana caught a fish", False),
        ("wish", "推荐一家餐厅", "安娜喜欢吃鱼", True),
        ("time", "When is it due?", "the rent is due tomorrow", True),
        ("time", "When is it due?", "the rent is due", False),
        ("figure", "多少钱换的", "换了一个新的", False),
        ("figure", "果酱做了几瓶", "果酱十五块", False),
        ("time", "什么时候退休", "快要退了", False),
        ("figure", "いくらだった", "交換した", False),
        ("figure", "何年ごとに", "三回替えた", False),
        ("time", "いつ来るの", "納車はまだ", False),
        ("time", "Wann kommt er?", "er kommt am 12. März", True),
        ("time", "Wann kommt er?", "er kommt mit dem Kran", False),
        ("time", "¿Cuándo viene?", "viene el martes", True),
    ],
)
def test_what_gives_it_does_not_only_repeat_the_question(
    kind: str, question: str, text: str, given: bool
) -> None:
    assert gives(kind, question, text) is given
