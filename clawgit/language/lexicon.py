"""The closed classes of a language, read from its file when its script or its words turn up."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from clawgit.language.phrases import Phrases
from clawgit.language.tokens import HANGUL, fold, tokens

FOLDER = Path(__file__).parent / "data"
LAST_RESORT = "en"
_SHARE = 4
"""A language counts where it has at least one in so many of the best one's words."""
_LONGEST_CACHED = 2_000
_ABBREVIATED = 4


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One language. Each class is as its file lists it; see docs/extending.md."""

    code: str
    data: Mapping[str, Any]

    @property
    def script(self) -> str:
        return str(self.data.get("script", "latin"))

    @property
    def decimal(self) -> str:
        return str(self.data.get("decimal", "."))

    def rows(self, name: str) -> tuple[str, ...]:
        """The words of a class, () where the language has none."""
        return tuple(self.data.get(name, ()))

    def words(self, name: str) -> frozenset[str]:
        """The words of a class in the form in which words are compared."""
        return _folded(self, name)

    def phrases(self, name: str) -> Phrases[str]:
        """The words of a class, as beginnings where particles are written onto them."""
        return _phrases(self, name, whole=False)

    def exact(self, name: str) -> Phrases[str]:
        """The words of a class, as whole words."""
        return _phrases(self, name, whole=True)

    @cached_property
    def months(self) -> Mapping[str, int]:
        return {fold(word): at for at, words in enumerate(self.data.get("months", ()), 1) for word in words}

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        """Monday is 0."""
        return {fold(word): at for at, words in enumerate(self.data.get("weekdays", ())) for word in words}

    @cached_property
    def relative_days(self) -> Mapping[str, int]:
        return {fold(word): int(shift) for shift, words in self.table("days").items() for word in words}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        listed = {fold(word): int(value) for value, words in self.table("numbers").items() for word in words}
        pattern = self.data.get("compound")
        if not pattern:
            return listed
        units = {word: value for word, value in listed.items() if 0 < value < 10}  # noqa: PLR2004
        tens = {word: value for word, value in listed.items() if 20 <= value < 100}  # noqa: PLR2004
        joined = {pattern.format(unit=one, ten=ten): units[one] + tens[ten] for one in units for ten in tens}
        return {**joined, **listed}

    @cached_property
    def units(self) -> Mapping[str, str]:
        return {fold(word): unit for unit, words in self.table("units").items() for word in words}

    @cached_property
    def money(self) -> Mapping[str, str]:
        return {fold(word): unit for unit, words in self.table("money").items() for word in words}

    @cached_property
    def day_phrases(self) -> Phrases[int]:
        return Phrases(self.relative_days.items())

    @cached_property
    def weekday_phrases(self) -> Phrases[int]:
        plural = str(self.data.get("weekday_plural", ""))
        rows = dict(self.weekdays)
        if plural:
            rows |= {day + plural: at for day, at in self.weekdays.items() if len(day) > _ABBREVIATED}
        return Phrases(rows.items())

    @cached_property
    def month_phrases(self) -> Phrases[int]:
        return Phrases(self.months.items())

    @cached_property
    def clock_phrases(self) -> Phrases[str]:
        return Phrases((word, clock) for clock, words in self.table("clock").items() for word in words)

    @cached_property
    def span_phrases(self) -> Phrases[str]:
        return Phrases((word, unit) for unit, words in self.table("spans").items() for word in words)

    @property
    def negations(self) -> frozenset[str]:
        return self.words("negations")

    @property
    def hedges(self) -> frozenset[str]:
        return self.words("hedges")

    @property
    def first_person(self) -> frozenset[str]:
        return self.words("first_person")

    @property
    def second_person(self) -> frozenset[str]:
        return self.words("second_person")

    @property
    def pronouns(self) -> frozenset[str]:
        return self.words("pronouns")

    @property
    def lead_ins(self) -> frozenset[str]:
        return self.words("lead_ins")

    @property
    def function_words(self) -> frozenset[str]:
        return self.words("function_words")

    @cached_property
    def known(self) -> frozenset[str]:
        """Words by which a text shows that it is in this language."""
        classes = ("function_words", "pronouns", "first_person", "second_person", "negations", "conditions")
        listed = frozenset().union(*(self.words(name) for name in classes))
        return listed | frozenset(self.months) | frozenset(self.weekdays) | frozenset(self.relative_days)

    def table(self, name: str) -> Mapping[str, Any]:
        return dict(self.data.get(name, {}))


@cache
def codes() -> tuple[str, ...]:
    """The languages whose files are there; the last resort first."""
    names = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return tuple(sorted(names, key=lambda code: (code != LAST_RESORT, code)))


@cache
def lexicon(code: str) -> Lexicon:
    return Lexicon(code, tomllib.loads((FOLDER / f"{code}.toml").read_text("utf-8")))


def lexicons_for(text: str) -> tuple[Lexicon, ...]:
    """The languages that a text is in, the likeliest first; English is always the last resort."""
    return _short_text(text) if len(text) <= _LONGEST_CACHED else _choose(text)


def forget() -> None:
    """Reads the folder anew: for who has put a file there."""
    for cached in (codes, lexicon, _short_text, _folded, _phrases, _by_script):
        cached.cache_clear()


@cache
def _folded(language: Lexicon, name: str) -> frozenset[str]:
    return frozenset(fold(word) for word in language.rows(name))


@cache
def _phrases(language: Lexicon, name: str, *, whole: bool) -> Phrases[str]:
    return Phrases(((word, word) for word in language.rows(name)), whole=whole)


@lru_cache(maxsize=512)
def _short_text(text: str) -> tuple[Lexicon, ...]:
    return _choose(text)


def _choose(text: str) -> tuple[Lexicon, ...]:
    chosen = [*_by_sign(text)]
    spaced = _by_script("latin")
    if len(spaced) > 1 and _LATIN.search(text):
        chosen += _by_words(text, spaced)
    last = lexicon(LAST_RESORT)
    return (*chosen, last) if last not in chosen else tuple(chosen)


def _by_sign(text: str) -> list[Lexicon]:
    """Kana tells Japanese from Chinese, which shares its Han characters."""
    has_kana = _KANA.search(text) is not None
    chosen = [*_by_script("kana")] if has_kana else []
    if _SCRIPTS["hangul"].search(text):
        chosen += _by_script("hangul")
    if _SCRIPTS["han"].search(text) and not has_kana:
        chosen += _by_script("han")
    return chosen


def _by_words(text: str, languages: tuple[Lexicon, ...]) -> list[Lexicon]:
    words = [token.folded for token in tokens(text)]
    english = lexicon(LAST_RESORT).known
    counts = {one: sum(word in one.known for word in words) for one in languages}
    best = max(counts.values())
    own = {one: one.code == LAST_RESORT or any(w in one.known and w not in english for w in words) for one in languages}
    likely = [one for one in languages if own[one] and counts[one] and counts[one] * _SHARE >= best]
    return sorted(likely, key=lambda one: -counts[one])


@cache
def _by_script(script: str) -> tuple[Lexicon, ...]:
    return tuple(one for one in map(lexicon, codes()) if one.script == script)


_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\uff66-\uff9f]")
_SCRIPTS = {"hangul": re.compile(f"[{HANGUL}]"), "han": re.compile("[\u3400-\u9fff\uf900-\ufaff]")}
