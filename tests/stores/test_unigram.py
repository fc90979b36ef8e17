"""Texts of any language, split into the likeliest pieces."""

import pytest

from clawgit.stores.reranker import Reranker
from clawgit.stores.unigram import (
    END,
    SHIPPED,
    START,
    UNKNOWN,
    Unigrams,
    are_known,
    read_pieces,
)

LINES = (
    *("<s>\t0", "<pad>\t0", "</s>\t0", "<unk>\t0", "▁\t-3000"),
    *("▁der\t-4000", "▁da\t-4000", "ch\t-4000", "▁dach\t-9500", "d\t-6000", "a\t-6000", "c\t-6000"),
    *("h\t-6000", "東京\t-5000", "京都\t-5500", "東\t-8000", "都\t-8000", "庁\t-8000"),
)
PIECES = Unigrams(LINES)


def named(text: str) -> list[str]:
    return [LINES[number].partition("\t")[0] for number in PIECES.ids(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("der", ["▁der"]),
        ("dach", ["▁da", "ch"]),  # likelier than the whole, which is rare
        (" der\n\tda  ", ["▁der", "▁da"]),
        ("dxa", ["▁", "d", "<unk>", "a"]),
        ("東京都庁", ["▁", "東京", "都", "庁"]),
        ("ｄｅｒ", ["▁der"]),  # full-width letters are letters
    ],
)
def test_a_text_is_split_into_its_likeliest_pieces(text: str, pieces: list[str]) -> None:
    assert named(text) == pieces


def test_traditional_chinese_is_read_in_simplified_characters_where_a_letter_has_no_piece() -> None:
    lines = [*LINES, "证\t-6000", "时\t-6000", "時\t-6000"]
    word_begins, simple, simple_hour, hour = map(
        lines.index, ("▁\t-3000", "证\t-6000", "时\t-6000", "時\t-6000")
    )
    pieces = Unigrams(lines)
    assert pieces.ids("證") == [word_begins, simple]
    assert pieces.ids("時證") == [word_begins, simple_hour, simple]
    assert pieces.ids("時") == [word_begins, hour]  # Japanese has this letter, too
    assert pieces.ids("時の證")[1:] == [hour, UNKNOWN, simple]  # with kana, it is Japanese


def test_of_two_ways_the_likelier_one_is_taken() -> None:
    lines = [line.replace("▁dach\t-9500", "▁dach\t-7900") for line in LINES]
    assert Unigrams(lines).ids("dach") == [lines.index("▁dach\t-7900")]


@pytest.mark.parametrize("last", ["▁das", "▁das\t", "▁das\t-4000\t"])
def test_a_file_that_ends_in_the_middle_of_a_line_is_refused(last: str) -> None:
    with pytest.raises(ValueError, match=r"argument|int\(\)"):
        Unigrams([*LINES, last])


def test_of_a_run_without_blanks_only_the_beginning_is_read() -> None:
    assert len(PIECES.ids("x" * 10_000)) == 2_001  # with the sign that begins a word


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ("工作證什麼時候到期？", True),  # in traditional Chinese
        ("邢立铭的手机号", True),  # one rare character, of a name
        ("跡部鍼灸院の院長の名前", False),  # two are too many: a limit, not a wish
        ("邢", False),
        ("почему", False),
        ("где", False),
        ("Wi-Fi ở đâu", False),
        ("họp ở đâu", False),
    ],
)
def test_a_text_is_known_if_nearly_all_of_its_letters_have_pieces(
    text: str, is_known: bool
) -> None:
    assert are_known(text, read_pieces(SHIPPED).ids(text)) is is_known


def test_the_shipped_pieces_begin_with_the_signs_of_a_frame() -> None:
    split = Reranker()._pieces
    assert (split.start, split.end, split.unknown) == (START, END, UNKNOWN)
    for text in (
        "Wann kommt der Bus?",
        "¿Dónde está?",
        "会議はいつ",
        "什么时候开会",
        "회의는 언제",
    ):
        assert split.split(text)
        assert UNKNOWN not in split.split(text)
