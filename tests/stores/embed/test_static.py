"""The model that ships: its file, what it knows, and how little it needs."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from clawgit.domain.search.passage import parts, passage
from clawgit.stores.embed import EmbedderError, EmbedderOptions, open_embedder
from clawgit.stores.embed.other_words import PIECES, TABLE, WORDS, OtherWords, WordRows
from clawgit.stores.embed.static import MODEL, TURN, VECTORS, VOCABULARY, WEIGHTS, StaticEmbedder
from clawgit.stores.lexicon import LEXICON, NEAR, SAME_WORDS
from clawgit.stores.word_list import line_of, opened

LANGUAGES = ("de", "es", "fr", "ja", "pt", "zh")


def test_the_shipped_table_has_a_row_for_each_word() -> None:
    table = np.load(MODEL / VECTORS)
    words = (MODEL / VOCABULARY).read_text("utf-8").split("\n")
    assert (table.dtype, table.shape) == (np.int8, (len(words), 256))
    assert len(set(words)) == len(words)
    weights, turn = np.load(MODEL / WEIGHTS), np.load(MODEL / TURN)
    assert (weights.shape, turn.shape) == ((len(words),), (256, 256))
    assert {path.name for path in MODEL.iterdir()} == {
        *(VECTORS, VOCABULARY, WEIGHTS, TURN, TABLE, LEXICON.name),
        *(WORDS.format(language) for language in LANGUAGES),
        *(NEAR.format(language) for language in LANGUAGES),
        SAME_WORDS.format("de"),
        *("ORIGIN.md", "LICENSE", "LICENSE.LGPL-2.1"),
    }


def rows_of(path: Path) -> dict[str, str]:
    """Each word of a list with its row."""
    return dict(line.split(" ") for line in path.read_text("utf-8").splitlines())


def test_the_other_words_have_a_row_each_and_are_small() -> None:
    table = np.load(MODEL / TABLE)
    listed = {name: rows_of(MODEL / WORDS.format(name)) for name in LANGUAGES}
    assert {int(row) for rows in listed.values() for row in rows.values()} == {*range(len(table))}
    assert (table.dtype, table.shape[1]) == (np.uint16, 2 * PIECES)
    assert table[:, PIECES].all(), "a word without a vector"
    names = (VECTORS, VOCABULARY, WEIGHTS, TURN, TABLE, *(WORDS.format(name) for name in LANGUAGES))
    assert sum((MODEL / name).stat().st_size for name in names) <= 14 * 2**20


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_has_the_same_row_whether_few_or_many_are_asked_for(language: str) -> None:
    """A search looks a few words up; who embeds a memory reads the whole list."""
    path = MODEL / WORDS.format(language)
    every = rows_of(path)
    some = [*[*every][::400], "〇", "qqq", "", "zz zz", "\ud800"]
    assert [*every] == sorted(every, key=str.encode)
    looked_up = [line_of(opened(path), word) for word in some]
    assert looked_up == [every.get(word, "") for word in some]
    known = WordRows(path)
    asked = [known.get(word) for word in some * 30]
    assert asked == [int(row) if row else None for row in looked_up] * 30


def test_only_a_text_that_is_not_english_is_read_by_the_other_words() -> None:
    pieces = (MODEL / VOCABULARY).read_text("utf-8").split("\n")
    places = {piece: place for place, piece in enumerate(pieces)}
    words = OtherWords(MODEL, places, np.load(MODEL / VECTORS))
    for text in ("The gift is from Die Zeit", "Ana's dog is named Biscuit.", "", "42 / 7"):
        assert words.taken(text) == ([], text.lower()), text
    assert all("_list" not in vars(rows) for rows in words._rows.values()), "read for English"
    for text, rest in (
        ("Der Hund frisst nichts", ""),
        ("Zahnarzttermin verschoben", ""),
        ("mañana llamo a Priya", "priya"),
        ("manana llamo", ""),
        ("明天去医院 Priya", "priya"),
    ):
        rows, left = words.taken(text)
        assert (bool(rows), left.split()) == (True, rest.split()), text


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("what is her pet called", "Ana's dog is named Biscuit.", "Ana's train is on time."),
        ("which lawyer do we have", "Our attorney is Mrs. Okafor.", "Our printer is out of toner."),
        (
            "what injury did he have",
            "Tom broke his leg on the mountain.",
            "Tom bought bread in the village.",
        ),
        ("where is the money kept", "The cash is in the bank.", "The cat is in the garden."),
        ("Wo ist das Fahrrad?", "Das Rad steht im Keller.", "Das Brot liegt im Korb."),
        ("¿Quién compró el coche?", "Luis adquirió un automóvil.", "Luis perdió las llaves."),
        ("她的狗叫什么", "宠物犬的名字是小黑", "火车的时间是三点"),
        ("犬の名前は", "ペットはポチと呼ばれる", "電車は三時に出る"),
    ],
)
def test_other_words_for_the_same_are_near(question: str, near: str, far: str) -> None:
    [asked, close, distant] = StaticEmbedder().embed([question, near, far])
    assert asked @ close > asked @ distant + 0.05


def test_what_stands_above_a_line_counts_as_well_but_less_than_the_line() -> None:
    line, above = "40 a month.", ("Lyon", "Bike")
    texts = [line, passage(line, above), " ".join(above)]
    [asked, alone, under, heading] = StaticEmbedder().embed(["what does riding cost me", *texts])
    assert asked @ under > asked @ alone + 0.05
    assert under @ alone > under @ heading + 0.05


def test_a_sign_in_a_line_makes_no_heading_of_its_rest() -> None:
    assert parts(passage("rent\x1fdentist", ("Home",))) == ("rent dentist", ("Home",))


def test_each_word_of_a_question_is_compared_with_the_nearest_word_of_a_text() -> None:
    compared = StaticEmbedder().comparer("where is the internet password?")
    texts = ["The wifi code of the router", "Rent in July", "the password", ""]
    internet, password = zip(*compared(["internet", "password"], texts), strict=True)
    assert internet[0] > 2 * max(internet[1], 0.0)
    assert password[0] > 2 * max(password[1], 0.0)
    assert password[2] == pytest.approx(1, abs=1e-5)
    assert (internet[3], password[3]) == (0, 0)


@pytest.mark.parametrize(
    ("question", "word", "near", "far"),
    [
        ("Wann ist die Besprechung?", "besprechung", "Meeting um neun", "Brot gekauft"),
        ("Wo ist das Gästeschlafzimmer?", "gasteschlafzimmer", "das Zimmer oben", "am Bahnhof"),
        ("¿quién alquila la vivienda?", "vivienda", "Firmamos por la casa", "Llegó el tren"),
        ("歯医者はいつ", "歯医", "来週デンタルクリニックへ", "電車に乗る"),
        ("牙医什么时候", "牙医", "星期二看牙科医生", "买了面包"),
        ("Telegram 流式输出的延迟", "telegram", "telegram bot", "面包"),
        ("Telegram 流式输出的延迟", "延迟", "输出太慢, lag", "面包"),
    ],
)
def test_words_of_other_languages_are_compared_too(
    question: str, word: str, near: str, far: str
) -> None:
    [[close], [distant]] = StaticEmbedder().comparer(question)([word], [near, far])
    assert close > max(distant, 0.0) + 0.1


def test_what_is_no_whole_english_word_is_near_to_nothing() -> None:
    compared = StaticEmbedder().comparer("is it q 7 kubectlx?")
    assert compared(["q", "7", "kubectlx", "(days)"], ["q 7 kubectlx"]) == [[0.0] * 4]


def test_a_text_without_a_known_word_has_no_direction() -> None:
    assert not StaticEmbedder().embed(["", "   "]).any()


def test_it_needs_nothing_but_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; from clawgit.stores.embed import open_embedder, EmbedderOptions;"
        "print('numpy' in sys.modules); open_embedder('static', EmbedderOptions({})).embed(['a dog']);"
        "print(sorted({'tokenizers', 'onnxruntime', 'chromadb', 'urllib.request', 'http.client'} "
        "& set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split("\n")[:2] == [
        "False",
        "[]",
    ]


def test_a_broken_file_is_an_error_that_search_can_fall_back_from(tmp_path: Path) -> None:
    (tmp_path / VECTORS).write_bytes(b"\x93NUMPY")
    with pytest.raises(EmbedderError, match="cannot be read"):
        StaticEmbedder(tmp_path)


def test_another_model_than_its_own_is_refused() -> None:
    with pytest.raises(EmbedderError, match="embedder_model says bge-m3"):
        open_embedder("static", EmbedderOptions({}, model="bge-m3"))


@pytest.mark.parametrize(
    "question",
    [
        *(
            "who is Thang",
            "Noah Kolassa's email address",
            "pottery kiln glaze firing",
            "2026-04-02?",
        ),
        *("caching", "nested folders", "kubernetes", "portcullis mugs"),
        *("hases meeting transcripts", "many mugs had pinholes"),
        *(
            "when is my dentits apointment",
            "my dentist apointment",
            "tailscale exit node",
            "Sentry DSN for the launchpad backend",
        ),
        *("Zahnarzttermin Steuerberater", "quand expire le passeport d'Élodie", "senha do wifi"),
        *("LDL goal after ischemic stroke 2026 guideline", "Leo 的托福成绩", "会議はいつ", ""),
    ],
)
def test_a_question_with_names_slips_and_jargon_is_in_a_language_of_the_model(
    question: str,
) -> None:
    assert StaticEmbedder().knows(question)


@pytest.mark.parametrize(
    "question",
    [
        *("cosa non può mangiare Giulia", "hoe vaak draait de reservekopie van de server"),
        *("kiedy mam iść do dentysty", "när ska jag till tandläkaren", "mitä Aino ei saa syödä"),
        *("kapan saya harus ke dokter gigi", "atölyenin kirası şimdi ne kadar"),
        *("hoe laat is de afspraak bij de tandarts", "når er fristen for skattemeldingen"),
        *("ce nu poate mânca Ioana", "xqzzt vorplin gnarfle"),
    ],
)
def test_a_question_of_words_of_which_the_model_has_pieces_alone_is_in_none(question: str) -> None:
    assert not StaticEmbedder().knows(question)
