"""Makes what `clawgit/search/stores/words/near_words.txt` says of words that are not English.

    python -m models.training.make_near_words TEXTS

TEXTS has a folder of texts for each language (`de/`, `zh/` …, and `en/`), of which the words and how
often they stand there are taken, and nothing else. Each word, and each whole word of the pieces, gets
its vector from `embedder.onnx`; near it are the words of the same language with the largest cosine, seen
from the middle of all words. What the table says of English words stays as it is.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from clawgit.language.terms import words as split
from clawgit.language.tokens import is_cjk, simplified
from clawgit.search.asked import LEXICON
from clawgit.search.embed import E5Embedder
from clawgit.search.stores.models import PIECES, folder

ENGLISH, JOINED = "en", ("zh", "ja", "ko")
SEEN = 3
"""How often a word must stand in the texts of a language; a whole piece, only once."""

SHARE = 0.5
"""A word is of a language if it is there at least so often, per word of the text, as in English."""

LEAST, MOST_NEAR = 0.58, 6
"""The least cosine of a near word, and how many are listed."""

NEAREST = 74
"""What the table says at most, below what counts as the same word; the least cosine is said as 45."""

WORD = re.compile(r"[^\W\d_]{2,24}")
Counts = Mapping[str, Counter[str]]


def key(word: str) -> str:
    """A word as the index has it."""
    return simplified(word) if is_cjk(word) else " ".join(split(word))


def counted(texts: Path) -> Counts:
    """How often each word stands in the texts of each language."""
    tokenizer = _tokenizer()
    found: dict[str, Counter[str]] = {}
    for language in sorted(texts.iterdir()):
        counts = found[language.name] = Counter()
        for file in language.rglob("*.md"):
            text = file.read_text("utf-8", "replace")
            joined = language.name in JOINED
            words = tokenizer.encode(text).tokens if joined else WORD.findall(text)
            counts.update(key(word.lstrip("▁")) for word in words)
    return found


def _tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(folder() / PIECES))


def whole_pieces() -> set[str]:
    """The pieces that are words; those of Chinese and Japanese stand behind others."""
    pieces = _tokenizer().get_vocab()
    return {piece.lstrip("▁") for piece in pieces if piece.startswith("▁") or is_cjk(piece)}


def languages(counts: Counts, pieces: set[str]) -> dict[str, list[str]]:
    """The words that are listed, each with its languages."""
    totals = {code: sum(words.values()) for code, words in counts.items()}
    found: dict[str, list[str]] = {}
    for word in dict.fromkeys(word for words in counts.values() for word in words):
        if not word.isalpha() or len(word) < (2 if is_cjk(word) else 3):
            continue
        english = counts[ENGLISH][word] / totals[ENGLISH]
        least = 1 if word in pieces else SEEN
        codes = [
            code
            for code in counts
            if code != ENGLISH
            and counts[code][word] >= least
            and counts[code][word] / totals[code] > SHARE * english
        ]
        if codes:
            found[word] = codes
    return found


def near(words: Sequence[str], of: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What is near each word, as the table says it."""
    vectors = E5Embedder().embed(words)
    vectors -= vectors.mean(axis=0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    every = {code for codes in of.values() for code in codes}
    has = {code: np.array([code in of[word] for word in words]) for code in every}
    for at, word in enumerate(words):
        same = np.logical_or.reduce([has[code] for code in of[word]])
        cosines = np.where(same, vectors @ vectors[at], -1)
        order = [int(other) for other in np.argsort(-cosines)[:24] if cosines[other] >= LEAST]
        others = [(words[other], cosines[other]) for other in order if other != at]
        listed = [(other, cosine) for other, cosine in others if not _is_form(word, other)]
        yield "".join(
            f" {other}:{min(NEAREST, round(100 * (0.45 + (cosine - LEAST) * 0.9)))}"
            for other, cosine in listed[:MOST_NEAR]
        )


def _is_form(word: str, other: str) -> bool:
    """Whether two words begin alike, so that the search finds one by the other anyway."""
    start = word[: max(4, len(word) - 3)]
    return not is_cjk(word) and other[: max(4, len(other) - 3)] == start


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the near words of other languages.")
    parser.add_argument("texts", type=Path)
    counts = counted(parser.parse_args().texts)
    of = languages(counts, whole_pieces())
    shares = {code: sum(words.values()) for code, words in counts.items()}
    often = {word: max(counts[code][word] / shares[code] for code in of[word]) for word in of}
    words = sorted(of, key=often.__getitem__, reverse=True)
    said = {
        word: f"~{at // 4}{row}"
        for at, (word, row) in enumerate(zip(words, near(words, of), strict=True))
    }
    rows = (line.partition(" ") for line in LEXICON.read_text("utf-8").splitlines())
    english = {word: rest.partition("~")[0].strip() for word, _, rest in rows}
    lines = [
        " ".join(filter(None, (word, english.get(word, ""), said.get(word, ""))))
        for word in sorted({*english, *said}, key=str.encode)
        if english.get(word) or word in said
    ]
    LEXICON.write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
