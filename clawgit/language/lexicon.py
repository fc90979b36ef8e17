"""A language's word lists, read from its file when its script or its words appear, and where their
phrases stand in a text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any, Generic, TypeVar

from clawgit.core import NamedTuple
from clawgit.core.doors import Stemmer
from clawgit.language.files import LAST_RESORT, SHARED, codes, parsed
from clawgit.language.lazily import lazily
from clawgit.language.tokens import CJK, HANGUL, Token, fold, has_signs, is_hangul, pairs, tokens

_RUN = lazily(rf"[{CJK}]+|[{HANGUL}]+")
_EMPTY = ("function_words", "persons", "pronouns", "auxiliaries")


def content_words(text: str, *besides: str) -> frozenset[str]:
    """The stems of the telling words; of Chinese, Japanese and Korean each two characters that
    stand together. `besides` are more classes of words that do not count.
    """
    languages = lexicons_for(text)
    classes = (*_EMPTY, *besides)
    empty = frozenset().union(*(each.words(name) for each in languages for name in classes))
    told = {token.folded for token in tokens(text)} - empty
    spaced = {word for word in told if not has_signs(word, CJK + HANGUL)}
    name = str(languages[0].data.get("name", "")).lower()
    unspaced = _pairs(text, empty) if spaced != told else ()
    return frozenset((*(_stem(word, name) for word in spaced), *unspaced))


def _pairs(text: str, empty: frozenset[str]) -> set[str]:
    runs = _RUN.findall(text)
    found = {*chain.from_iterable(map(pairs, runs))}
    return {pair for pair in found if is_hangul(pair) or not empty.intersection(pair)} - empty


def _stem(word: str, language: str) -> str:
    """`équipe` of “l'équipe”, and `ana` of “Ana's”."""
    head, _, rest = word.partition("'")
    return stemmed(rest if len(rest) > len(head) else head, language)


@lru_cache(100_000)
def stemmed(word: str, algorithm: str) -> str:
    """A word's stem by a Snowball algorithm; the word itself where there is none of that name."""
    stemmer = _stemmer(algorithm)
    return str(stemmer.stemWord(word)) if stemmer else word


@cache
def _stemmer(algorithm: str) -> Any:
    return Stemmer.Stemmer(algorithm) if algorithm in Stemmer.algorithms() else None


T = TypeVar("T")
_STOP = lazily(r"[.!?;:\n。！？；：|]")
_WIDEST_GAP = 2
_SHARE = 4
"""A language counts if it has at least a quarter as many words as the likeliest one."""
_LONGEST_CACHED = 2_000
_TELLING = 4
"""A second language must have words of its own with this many letters together: “et” or “na” alone
may be anything.
"""
_SAMPLE = 20_000
"""This many characters of a long text are enough to show its languages."""
_ABBREVIATED = 4
_SHORT_FORM = 2

# Of single letters, only those beyond a to z show a language: `à`, `é`.
_SIGN = lazily(r"[^\W\d_]{2,}|[^\W\d_]+'[^\W\d_]*|[^\W\d_a-zºª]")
_ABOUT = ("name", "script", "drops_subjects")
"""What a file says of its language; all else is words of it."""
_SCRIPTS = {
    "kana": "\u3041-\u309f\u30a1-\u30fa\uff66-\uff9f",
    "hangul": HANGUL,
    "han": "\u3400-\u9fff\uf900-\ufaff",
}
"""Scripts that show the language. In any other script, the words do."""


class Match(NamedTuple, Generic[T]):
    """The tokens from `first` up to `after`, and the characters from `start` up to `end`."""

    first: int
    after: int
    start: int
    end: int
    value: T


class _Row(NamedTuple, Generic[T]):
    """A phrase by its words. `is_open`: its last word stands for every word that begins so."""

    words: tuple[str, ...]
    is_open: bool
    value: T


class Phrases(Generic[T]):
    """Listed phrases, each with a value.

    A row that ends in `*` stands for every word that begins so. So does a Hangul word, because
    particles are written onto it; with `whole`, only the whole Hangul word counts.
    """

    def __init__(self, rows: Iterable[tuple[str, T]], *, whole: bool = False) -> None:
        self._rows: dict[str, list[_Row[T]]] = {}
        for phrase, value in rows:
            words = tuple(token.folded for token in tokens(phrase)) or (phrase,)
            is_open = phrase.endswith("*") or (not whole and is_hangul(words[-1]))
            self._rows.setdefault(words[0], []).append(_Row(words, is_open, value))
        for listed in self._rows.values():
            # The longest first, so that `at` finds it.
            listed.sort(key=lambda row: -len(row.words))
        open_ones = filter(_is_opening, chain.from_iterable(self._rows.values()))
        self._longest = max((len(row.words[0]) for row in open_ones), default=0)

    def at(self, source: str, among: Sequence[Token], index: int) -> Match[T] | None:
        """The longest phrase that begins at this token."""
        token, heads = among[index], [among[index].folded]
        if self._longest and is_hangul(token.folded[0]):
            longest = min(self._longest, len(token.folded) - 1)
            heads += (token.folded[:size] for size in range(longest, 0, -1))
        for row in (row for head in heads for row in self._rows.get(head, ())):
            if end := self._ends(source, among, index, row):
                return Match(index, index + len(row.words), token.start, end, row.value)
        return None

    def every(self, source: str, among: Sequence[Token]) -> Iterator[Match[T]]:
        """All of them from left to right; none overlaps another."""
        after = 0
        for index, token in enumerate(among) if self._rows else ():
            if index >= after and (self._longest or token.folded in self._rows):
                match = self.at(source, among, index)
                if match is not None:
                    after = match.after
                    yield match

    @staticmethod
    def _ends(source: str, among: Sequence[Token], index: int, row: _Row[T]) -> int:
        """Where the phrase ends in the source, 0 if other words stand there."""
        after = index + len(row.words)
        if after > len(among):
            return 0
        for step, word in enumerate(row.words[:-1]):
            token, after_it = among[index + step], among[index + step + 1]
            if token.folded != word or not _is_beside(source[token.end : after_it.start]):
                return 0
        last, word = among[after - 1], row.words[-1]
        if last.folded == word:
            return last.end
        begins = row.is_open and last.folded.startswith(word)
        return last.start + len(word) if begins else 0


def _is_opening(row: _Row[Any]) -> bool:
    """Whether a row is the beginning of a single word."""
    return row.is_open and len(row.words) == 1


def _is_beside(gap: str) -> bool:
    return gap == "." or (len(gap) <= _WIDEST_GAP and not _STOP.search(gap))


class Lexicon:
    """One language. Each class is as its file lists it: see docs/extending.md."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        self.code = code
        self.data = data

    def rows(self, name: str) -> tuple[str, ...]:
        """The words of a class, () if the language has none."""
        return tuple(self.data.get(name, ()))

    def words(self, name: str) -> frozenset[str]:
        """The words of a class in the form in which words are compared."""
        return _folded(self, name)

    def phrases(self, name: str) -> Phrases[str]:
        """The words of a class, as beginnings of words in languages with written-on particles."""
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
        heads = self.rows("weekday_heads") or ("",)
        return {
            fold(head + word): at
            for at, words in enumerate(self.data.get("weekdays", ()))
            for word in words
            for head in heads
        }

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return self._counted("numbers")

    @cached_property
    def day_phrases(self) -> Phrases[int]:
        return Phrases(self._counted("days").items())

    @cached_property
    def weekday_phrases(self) -> Phrases[int]:
        return Phrases(self._plurals(self.weekdays, "weekday_plural", _ABBREVIATED).items())

    @cached_property
    def month_phrases(self) -> Phrases[int]:
        return Phrases(self.months.items())

    @cached_property
    def span_phrases(self) -> Phrases[str]:
        return Phrases(self.by_word("spans").items())

    @cached_property
    def known(self) -> frozenset[str]:
        """Words that show that a text is in this language."""
        classes = (
            "function_words",
            "persons",
            "pronouns",
            "first_person",
            "second_person",
            "negations",
            "conditions",
            "auxiliaries",
        )
        listed = (self.words(name) for name in classes)
        return frozenset().union(*listed, self.months, self.weekdays, self._counted("days"))

    def _counted(self, name: str) -> Mapping[str, int]:
        listed = self.table(name).items()
        return {fold(word): int(count) for count, words in listed for word in words}

    def table(self, name: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.data.get(name, {})
        return table

    def by_word(self, name: str) -> dict[str, str]:
        """The words of a table with their keys, the plural beside the singular."""
        listed = {fold(word): key for key, words in self.table(name).items() for word in words}
        return self._plurals(listed, "plural", _SHORT_FORM)

    def _plurals(self, words: Mapping[str, T], name: str, longest: int) -> dict[str, T]:
        """The words, and their plurals where the language has an ending for them; short forms of at
        most so many letters have none.
        """
        ending = str(self.data.get(name, ""))
        plurals = {word + ending: value for word, value in words.items() if len(word) > longest}
        return {**plurals, **words}


@cache
def lexicon(code: str) -> Lexicon:
    """A language, with what all languages share."""
    return Lexicon(code, _joined(parsed(code), parsed(SHARED)))


def lexicons_for(text: str) -> tuple[Lexicon, ...]:
    """The languages of a text, the likeliest first. English is always among them."""
    return _short_text(text) if len(text) <= _LONGEST_CACHED else _choose(text)


def has_any(text: str, *names: str) -> bool:
    """Whether a text has a word of one of these classes, in one of its languages."""
    among = tokens(text)
    return any(
        match
        for language in lexicons_for(text)
        for name in names
        for match in language.exact(name).every(text, among)
    )


def begins_with(text: str, *names: str) -> bool:
    """Whether a text begins with a word of one of these classes, in one of its languages."""
    among = tokens(text)
    return any(
        language.exact(name).at(text, among, 0)
        for language in lexicons_for(text)
        for name in names
        if among
    )


def number_of(word: str, text: str) -> int:
    """What a word counts in a language of the text, 0 if it is no number."""
    return next(filter(None, (each.numbers.get(word) for each in lexicons_for(text))), 0)


def _joined(own: Mapping[str, Any], shared: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of a language with the shared data after it, key by key and month by month."""
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
            joined[key] = [[*own_row, *row] for own_row, row in zip(mine, rows, strict=True)]
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
def _signs(code: str) -> frozenset[str]:
    """All words in a language's file."""
    told = (value for key, value in parsed(code).items() if key not in _ABOUT)
    return frozenset(fold(word) for word in _texts(told) if _SIGN.fullmatch(word))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(value.values())
    else:
        for one in value:
            yield from _texts(one)


def _choose(text: str) -> tuple[Lexicon, ...]:
    """The languages by script, then by words: those of numbers alone show none."""
    chosen = [*_by_script(text), *_by_words(text)]
    if LAST_RESORT not in chosen:
        chosen.append(LAST_RESORT)
    return tuple(map(lexicon, chosen))


_short_text = lru_cache(maxsize=512)(_choose)


def _by_script(text: str) -> list[str]:
    """The languages of the scripts in a text. Kana tells Japanese from Chinese, which
    shares Han.
    """
    shown = [script for script, signs in _SCRIPTS.items() if has_signs(text, signs)]
    if {"kana", "han"} <= {*shown}:
        shown.remove("han")
    # `来週` and `月曜日` have no Kana, so Han alone may be Japanese as well.
    elif "han" in shown:
        shown.append("kana")
    return [code for script in shown for code in codes() if parsed(code)["script"] == script]


def _forms(word: str) -> tuple[str, ...]:
    """A word, and what is written onto it: `l'` of “l'équipe”."""
    head, mark, _ = word.partition("'")
    return (word, head + mark) if mark else (word,)


def _by_words(text: str) -> list[str]:
    """The languages with words in the text that neither English nor a likelier one has, the
    likeliest first.

    One with far fewer words in it than another does not count. English does in any case.
    """
    counted = _counted(text[:_SAMPLE])
    totals = {code: words.total() for code, words in counted.items()}
    least = max(1, max(totals.values()) / _SHARE)
    return [
        code
        for code in sorted(totals, key=lambda code: -totals[code])
        if totals[code] >= least and (code == LAST_RESORT or _shows(code, counted))
    ]


def _counted(text: str) -> Mapping[str, Counter[str]]:
    """The words of each language in a text, as often as they stand there."""
    words = Counter(form for token in tokens(text) for form in _forms(token.folded))
    return {
        code: Counter({word: words[word] for word in words.keys() & _signs(code)})
        for code in codes()
        if parsed(code)["script"] not in _SCRIPTS
    }


def _shows(code: str, counted: Mapping[str, Counter[str]]) -> bool:
    """Whether a text shows a language by words that neither English nor a likelier one has."""
    mine = counted[code]
    likelier = [other for other in counted.values() if other.total() > mine.total()]
    own = (mine.keys() - counted[LAST_RESORT].keys()).difference(*likelier)
    return sum(map(len, own)) >= (_TELLING if likelier else 1)
