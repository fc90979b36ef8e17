"""Which words of a memory the words of a question find, and which of them nothing has."""

import pytest

from clawgit.domain.search.postings import weight
from clawgit.ops.search.search import Hit, Request, search
from tests.conftest import Git
from tests.ops.making import space_of
from tests.ops.search.conftest import Ask, first_hit


def _lines_of(hit: Hit) -> list[int]:
    return [hit.line, *(other.startLine for other in hit.more)]


def test_words_alone_find_what_is_said_in_other_words(memory: Git) -> None:
    memory.write("memory/life.md", "- The physician said to rest.\n- The stove broke.\n")
    searched = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    answer = search(searched, Request("what did my doctor say about resting"))
    assert answer.results[0].snippet == "The physician said to rest."
    assert answer.missing == ()


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("Zahnarzttermin am Montag um neun.", "wann muss ich zum Zahnarzt"),
        ("Am Montag zum Zahnarzt.", "wann war der Zahnarzttermin"),
        ("Die Besprechungen dauern zu lange.", "was war mit der Besprechung"),
        ("昨日、壁を塗る人が来た。", "壁はいつ塗ったの"),
        ("医生说要多喝水。", "医生说了什么"),
    ],
)
def test_a_word_is_found_in_another_form_or_in_a_word_made_with_it(
    memory: Git, line: str, query: str
) -> None:
    other = "Brot, Papel, 电车, 電車.\n" * 3
    memory.write("memory/life.md", f"- {line}\n- {other}")
    searched = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    assert search(searched, Request(query)).results[0].snippet == line


def test_a_slip_is_repaired_and_a_word_of_the_list_is_no_slip(memory: Git) -> None:
    memory.write(
        "memory/home.md",
        "- The bicycle has a cardamom smell.\n- The marathi class is on.\n- Едем в Красноярск.\n"
        "- Kessemeier comes on Monday.\n- The warehouse is full.\n"
        "- Security first.\n- Two subagents.\n",
    )
    searched = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    found = (
        *("bycicle", "cardamon", "Красноярк", "Kesemeier", "Kessemeyer", "wharehouse"),
        *("securty", "subagnts"),
    )
    for query, is_found in (*((word, True) for word in found), ("marathon", False)):
        paths = [hit.path for hit in search(searched, Request(query)).results]
        assert ("memory/home.md" in paths) == is_found, query


def test_a_word_that_a_source_has_in_each_line_is_found_in_it(ask: Ask, memory: Git) -> None:
    """However often other sources have it, or the line itself in another form."""
    memory.write("memory/archive/old.md", "- We buy a router: the old one was bought in 2013.\n")
    memory.write("memory/net.md", "- The router.\n- Our router.\n- No router.\n")
    for word in ("router", "buy"):
        hit = first_hit(ask(word, source="archive"))
        assert (hit.path, hit.likely) == ("memory/archive/old.md", True)


def test_a_word_weighs_the_less_the_more_items_have_it() -> None:
    weights = [weight("router", frequency, 3) for frequency in (0, 1, 2, 3, 4)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_words_without_spaces_that_nothing_has_are_named_whole(memory: Git) -> None:
    memory.write("MEMORY.md", "# メモ\n\n- 駅まで歩いた。\n\n- レストランを予約した。\n")
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    asked = "図書館とレストランの病院、kayak"
    assert search(ws, Request(asked)).missing == ("図書館", "病院", "kayak")


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("does the zebra use PostgreSQL?", ("zebra",)),
        ("which project does Ana lead?", ()),
        ("does the zebra use Postgresqul?", ("zebra",)),  # a slip is looked for as what it means
        ("wer ist der Besitzer vom Zebra?", ("Besitzer", "Zebra")),  # no grammar
        ("CONTEXT_WINDOW.md or glm_5?", ("CONTEXT_WINDOW.md", "glm_5")),  # things are named whole
        ("who is ana@getZebra.example?", ("ana@getZebra.example",)),
        ("Елка в репрайсере", ("Елка", "в", "репрайсере")),
        ("क्या हिन्दी है", ("क्या", "हिन्दी", "है")),
        ("Zoë paid 42,000 for a crème", ("Zoë", "paid", "42,000", "crème")),
        ("42'000 kayakを買う", ("42'000", "kayak", "買う")),
        ("x" * 3000, (f"{'x' * 59}…",)),
        ("医院的骑手", ("医院",)),  # a pair of signs that is in no list may be no word
    ],
)
def test_words_that_nothing_has_are_named(ask: Ask, query: str, missing: tuple[str, ...]) -> None:
    assert ask(query).missing == missing


def test_an_emoji_is_found_where_nothing_else_is_asked(ask: Ask, memory: Git) -> None:
    memory.write("memory/keys.md", "- The spare 🔑 lies under the mat.\n")
    assert first_hit(ask("🔑")).path == "memory/keys.md"
    assert [hit.path for hit in ask("GraphQL 🔑").results] == [
        hit.path for hit in ask("GraphQL").results
    ]


def test_near_words_of_japanese_may_have_any_length(memory: Git) -> None:
    memory.write("MEMORY.md", "# メモ\n\n- 駅まで歩いた。\n\n- ドクターに電話した。\n")
    answer = search(space_of(memory, CLAWGIT_SEARCH_MODE="core"), Request("医者の番号"))
    assert first_hit(answer).snippet == "ドクターに電話した。"


def test_a_word_without_its_umlaut_finds_the_one_that_has_it(ask: Ask, memory: Git) -> None:
    memory.write("memory/haus.md", "# Haus\n\n- Der Müll geht am Dienstag, ohne Passwörter.\n")
    answer = ask("Wann geht der Muell?")
    assert (first_hit(answer).path, first_hit(answer).likely) == ("memory/haus.md", True)
    assert answer.missing == ()
    assert ask("Poet").missing == ("Poet",)


def test_a_short_word_is_not_taken_for_one_without_its_umlaut(ask: Ask, memory: Git) -> None:
    memory.write("memory/dia.md", "# Dia\n\n- Fui ao mercado, mas não comprei pão para você.\n" * 9)
    assert ask("mãe").missing == ("mãe",)


_GERMAN = """# Gesundheit

- Die Bandscheibenvorwölbung ist kein Vorfall und wird mit Krankengymnastik behandelt.
- Der Feuchtesensor zeigt in der Nacht 74 %, das ist zu viel.
- Auf dem Dach ist das Moos und auf der Terrasse der Grünbelag weg.
"""


@pytest.mark.parametrize(("query", "line"), [("Bandscheibe", 3), ("Sensor", 4)])
def test_a_single_word_is_read_in_the_language_of_the_memory(
    ask: Ask, memory: Git, query: str, line: int
) -> None:
    memory.write("memory/2026-02-10.md", _GERMAN)
    notes = "- Das ist auf der Liste und mit dem Rest nicht fertig.\n" * 9
    memory.write("memory/2026-02-11.md", f"# Liste\n\n{notes}")
    hit = first_hit(ask(query))
    assert (hit.line, hit.likely) == (line, True)


_JAPANESE = """# 方針

- 優先的に検討する項目と、直接の効果が見える項目を分けた。
- ログの異常を検知したら知らせる。
- 教材では、かけ算の前に筆算を練習した。
- 間違いは次の日までに直してから出した。
- 日にちは後から決める。
"""


@pytest.mark.parametrize(("query", "line"), [("検知", 4), ("かけ算", 5)])
def test_characters_of_the_memorys_language_are_cut_as_its_words(
    ask: Ask, memory: Git, query: str, line: int
) -> None:
    memory.write("memory/2026-02-10.md", _JAPANESE)
    hits = ask(query).results
    assert [(hit.line, hit.likely) for hit in hits if hit.likely] == [(line, True)]
