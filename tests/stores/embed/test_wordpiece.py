"""Word pieces as BERT's own tokenizer cuts them; `tokenizers` is the judge."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from clawgit.stores.embed.static import MODEL, VOCABULARY
from clawgit.stores.embed.wordpiece import WordPieces

WORDS = (MODEL / VOCABULARY).read_text("utf-8").split("\n")
UNKNOWN = WORDS.index("[UNK]")
OURS = WordPieces(WORDS, (UNKNOWN,))
LETTERS = [
    chr(code)
    for first, last in (
        (0x20, 0x5FF),
        (0x1E00, 0x23FF),
        (0x2600, 0x27BF),
        (0x3000, 0x30FF),
        (0x1F300, 0x1F64F),
    )
    for code in range(first, last)
    if unicodedata.category(chr(code)) not in ("Cn", "Cc", "Cs")
] + list("\t\n\r猫語가나다\ufffd\ufb01豈\U00020000")


@pytest.fixture(scope="module")
def theirs() -> Tokenizer:
    judge = Tokenizer(WordPiece({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106 - a token of another kind
    judge.normalizer = BertNormalizer()
    judge.pre_tokenizer = BertPreTokenizer()
    return judge


def test_each_letter_is_read_as_bert_reads_it(theirs: Tokenizer) -> None:
    texts = [f"ab{letter}cd é" for letter in LETTERS]
    expected = [encoding.ids for encoding in theirs.encode_batch(texts)]
    assert [OURS.ids(text) for text in texts] == expected


@given(
    st.text(st.sampled_from(LETTERS), max_size=60)
    | st.text(st.characters(max_codepoint=126, min_codepoint=32))
)
def test_any_text_is_cut_as_bert_cuts_it(theirs: Tokenizer, text: str) -> None:
    assert OURS.ids(text) == theirs.encode(text).ids


@pytest.mark.parametrize(
    "word", ["a" * 100, "a" * 101, "zzqxjk", "unaffable", "x-y_z", "don't", "1,000.50€"]
)
def test_words_at_the_border(theirs: Tokenizer, word: str) -> None:
    assert OURS.ids(word) == theirs.encode(word).ids


def test_without_a_sign_for_the_unknown_it_leaves_no_trace() -> None:
    assert WordPieces(["dog"]).ids("dog cat dog") == [0, 0]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clawgit.stores.embed.wordpiece._MOST_REMEMBERED", 3)
    pieces = WordPieces(["dog", "cat", "cow", "hen"])
    assert [pieces.ids("dog cat cow hen dog") for _ in range(2)] == [[0, 1, 2, 3, 0]] * 2
    assert len(pieces._words) <= 3
