"""The closed classes of a language, read from its file when its script or its words turn up."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from clawgit.language.files import LAST_RESORT, SHARED, codes, file_of
from clawgit.language.phrases import Phrases
from clawgit.language.tokens import HANGUL, fold, tokens

_SHARE = 4
"""A language counts where it has at least one in so many of the best one's words."""
_LONGEST_CACHED = 2_000
_SAMPLE = 20_000
"""So much of a text without an end shows which languages its words are of."""
_ABBREVIATED = 4
_SHORT_FORM = 2


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
        return {
            fold(word): at
            for at, words in enumerate(self.data.get("months", ()), 1)
            for word in words
        }

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        """Monday is 0."""
        listed = [
            (word, at) for at, words in enumerate(self.data.get("weekdays", ())) for word in words
        ]
        heads = self.rows("weekday_heads") or ("",)
        return {fold(head + word): at for word, at in listed for head in heads}

    @cached_property
    def relative_days(self) -> Mapping[str, int]:
        return {
            fold(word): int(shift) for shift, words in self.table("days").items() for word in words
        }

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        listed = {
            fold(word): int(value)
            for value, words in self.table("numbers").items()
            for word in words
        }
        pattern = self.data.get("compound")
        if not pattern:
            return listed
        units = {word: value for word, value in listed.items() if 0 < value < 10}  # noqa: PLR2004
        tens = {word: value for word, value in listed.items() if 20 <= value < 100}  # noqa: PLR2004
        joined = {
            pattern.format(unit=one, ten=ten): units[one] + tens[ten]
            for one in units
            for ten in tens
        }
        return {**joined, **listed}

    @cached_property
    def units(self) -> Mapping[str, str]:
        """Each way to write a unit, lengths of time among them."""
        return {**self._by_word("units"), **self._by_word("spans")}

    @cached_property
    def money(self) -> Mapping[str, str]:
        return self._by_word("money")

    @cached_property
    def day_phrases(self) -> Phrases[int]:
        return Phrases(self.relative_days.items())

    @cached_property
    def weekday_phrases(self) -> Phrases[int]:
        plural = str(self.data.get("weekday_plural", ""))
        rows = dict(self.weekdays)
        if plural:
            rows |= {
                day + plural: at for day, at in self.weekdays.items() if len(day) > _ABBREVIATED
            }
        return Phrases(rows.items())

    @cached_property
    def month_phrases(self) -> Phrases[int]:
        return Phrases(self.months.items())

    @cached_property
    def clock_phrases(self) -> Phrases[str]:
        return Phrases(
            (word, clock) for clock, words in self.table("clock").items() for word in words
        )

    @cached_property
    def span_phrases(self) -> Phrases[str]:
        return Phrases(self._by_word("spans").items())

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
        classes = (
            "function_words",
            "pronouns",
            "first_person",
            "second_person",
            "negations",
            "conditions",
            "auxiliaries",
        )
        listed = frozenset().union(*(self.words(name) for name in classes))
        return (
            listed
            | frozenset(self.months)
            | frozenset(self.weekdays)
            | frozenset(self.relative_days)
        )

    def table(self, name: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.data.get(name, {})
        return table

    def _by_word(self, name: str) -> dict[str, str]:
        """The words of a table with their keys, the plural beside the singular."""
        plural = str(self.data.get("plural", ""))
        listed = {fold(word): key for key, words in self.table(name).items() for word in words}
        if not plural:
            return listed
        return {
            **{word + plural: key for word, key in listed.items() if len(word) > _SHORT_FORM},
            **listed,
        }


@cache
def lexicon(code: str) -> Lexicon:
    """A language, with what all languages share."""
    return Lexicon(code, _joined(tomllib.loads(file_of(code)), _shared()))


def lexicons_for(text: str) -> tuple[Lexicon, ...]:
    """The languages that a text is in, the likeliest first; English is always the last resort."""
    return _short_text(text) if len(text) <= _LONGEST_CACHED else _choose(text)


def forget() -> None:
    """Reads the folder anew: for who has put a file there."""
    for cached in (
        codes,
        lexicon,
        file_of,
        _script,
        _shared,
        _signs,
        _own_signs,
        _short_text,
        _folded,
        _phrases,
    ):
        cached.cache_clear()


@cache
def _shared() -> Mapping[str, Any]:
    return tomllib.loads(file_of(SHARED))


def _joined(own: Mapping[str, Any], shared: Mapping[str, Any]) -> Mapping[str, Any]:
    """Lists one behind the other, tables key by key, months month by month."""
    joined = dict(own)
    for key, rows in shared.items():
        mine = joined.get(key)
        if mine is None:
            joined[key] = rows
        elif isinstance(rows, dict):
            joined[key] = {
                unit: [*mine.get(unit, ()), *rows.get(unit, ())] for unit in {**mine, **rows}
            }
        elif rows and isinstance(rows[0], list):
            joined[key] = [[*one, *two] for one, two in zip(mine, rows, strict=True)]
        else:
            joined[key] = [*mine, *rows]
    return joined


@cache
def _folded(language: Lexicon, name: str) -> frozenset[str]:
    return frozenset(fold(word) for word in language.rows(name))


@cache
def _phrases(language: Lexicon, name: str, *, whole: bool) -> Phrases[str]:
    return Phrases(((word, word) for word in language.rows(name)), whole=whole)


@cache
def _script(code: str) -> str:
    found = _SCRIPT_ROW.search(file_of(code))
    return found[1] if found else "latin"


@cache
def _signs(code: str) -> frozenset[str]:
    """Words by which a text shows that it is in this language: all that its file lists, read
    without parsing it.
    """
    return frozenset(fold(word) for word in _LISTED.findall(file_of(code)))


@cache
def _own_signs(code: str) -> frozenset[str]:
    """Those that English has not."""
    return _signs(code) - _signs(LAST_RESORT)


@lru_cache(maxsize=512)
def _short_text(text: str) -> tuple[Lexicon, ...]:
    return _choose(text)


def _choose(text: str) -> tuple[Lexicon, ...]:
    chosen = [*_by_script(text), *(_by_words(text) if _LATIN.search(text) else ())]
    return tuple(map(lexicon, chosen if LAST_RESORT in chosen else (*chosen, LAST_RESORT)))


def _by_script(text: str) -> Iterator[str]:
    """Kana tells Japanese from Chinese, which shares its Han characters."""
    has_kana = _SCRIPTS["kana"].search(text) is not None
    for script, pattern in _SCRIPTS.items():
        if pattern.search(text) and not (script == "han" and has_kana):
            yield from (code for code in codes() if _script(code) == script)
    # `来週` and `月曜日` have no Kana.
    if not has_kana and _SCRIPTS["han"].search(text):
        yield from (code for code in codes() if _script(code) == "kana")


def _by_words(text: str) -> list[str]:
    """Those of which a word turns up that English has not, unless another language has far more of
    them.
    """
    languages = [code for code in codes() if _script(code) not in _SCRIPTS]
    words = Counter(token.folded for token in tokens(text[:_SAMPLE]))
    counts = {
        code: sum(count for word, count in words.items() if word in _signs(code))
        for code in languages
    }
    own = {code: not _own_signs(code).isdisjoint(words) for code in languages}
    least = max(counts.values()) / _SHARE
    likely = [code for code in languages if counts[code] > 0 and counts[code] >= least]
    return sorted(
        (code for code in likely if own[code] or code == LAST_RESORT),
        key=lambda code: -counts[code],
    )


_LISTED = re.compile(r'"([^\W\d_]{2,})"')
_SCRIPT_ROW = re.compile(r'^script = "(\w+)"', re.MULTILINE)
_LATIN = re.compile(r"[^\W\d_]")
_SCRIPTS = {
    "kana": re.compile("[\u3041-\u309f\u30a1-\u30fa\uff66-\uff9f]"),
    "hangul": re.compile(f"[{HANGUL}]"),
    "han": re.compile("[\u3400-\u9fff\uf900-\ufaff]"),
}
"""Scripts that tell the language; in any other, words do."""
