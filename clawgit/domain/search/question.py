"""Reads a question: the words to look for, names and days, and what kind of answer it wants."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, tzinfo
from functools import cache
from itertools import chain, filterfalse
from typing import Literal, NamedTuple

from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.search.cutting import forms_of, sought
from clawgit.domain.search.lexicon import Words, is_grammar
from clawgit.domain.search.may import MAY, says_may
from clawgit.domain.search.open_ranges import open_range
from clawgit.domain.search.parted import runs
from clawgit.domain.search.periods import Days
from clawgit.domain.search.question_days import days_in, days_said
from clawgit.domain.search.question_ranges import range_said
from clawgit.domain.search.question_words import ASKING, FORMS, STOP
from clawgit.domain.search.terms import (
    as_written,
    identifiers,
    is_picture,
    is_unspaced,
    joined,
    named_things,
    queried,
    singular,
    spaced,
)
from clawgit.domain.search.terms import words as words_of
from clawgit.domain.search.tongue import JAPANESE
from clawgit.domain.search.wanted import WHEN, wanted
from clawgit.domain.search.written_days import spelled, weekdays_on
from clawgit.language.files import SEARCH
from clawgit.language.files import listed as listed_in
from clawgit.language.lazily import lazily
from clawgit.language.lexicon import has_any
from clawgit.language.simplified import simplified
from clawgit.language.tokens import half_width, is_cjk

_LONGEST = 2000
"""At most this many characters of a question are read."""

_MOST_WORDS = 40
"""At most this many words of a question are looked for."""

_MOST_BRIEF = 3
"""Words of a brief question."""

_SIGNS_A_WORD = 2
"""About so many signs are a word where nothing parts words."""

_LONGEST_NAMED = 60
"""At most this many characters of a word are shown."""

_OTHER_LETTERS = 10
"""With at most one letter in this many of another alphabet, a text is not in another script."""

Scripts = Literal["all", "latin", "han"]
"""The scripts that a model knows: `han` are Latin, Chinese and Japanese."""

_LATIN_END = "\u0250"
"""The first character after the Latin letters."""

_DAYS_AND_TIMES = frozenset(
    {"date", "dates", "day", "days", "weekday", "weekdays", "time", "times"}
)

_BLANK = lazily(r"\s")

_NUMBERED = lazily(r"(?<![\w#])#([0-9]+)(?!\w)")

_QUOTED = lazily(r"[\"“„«「『](\S[^\"“”„«»「」『』]{0,199})[\"”“»」』]")


class SearchQuestion(NamedTuple):
    """`words`: those to look for, each with its other forms, the word itself first.

    `names`: the words that could name a speaker. `quoted`: what must match as it stands.
    `spelled`: the ways to write the days that it names.
    `cut`: the words of text without spaces, each with the pairs by which it is looked up. `parted`:
    the parts of words that others may write in two.
    `wanted`: what the answer should give (`wanted.py`). `unknown`: the words that stand nowhere in
    the memory. `near`: of each word that is known, those of nearly the same meaning.
    """

    text: str
    words: tuple[tuple[str, ...], ...]
    names: frozenset[str]
    quoted: tuple[str, ...] = ()
    days: Days | None = None
    spelled: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()
    near: tuple[tuple[str, ...], ...] = ()
    cut: tuple[tuple[str, tuple[str, ...]], ...] = ()
    parted: tuple[tuple[str, ...], ...] = ()

    def things(self) -> Iterator[Sequence[str]]:
        """The words of each thing that is written as one word but looked up as several."""
        yield from named_things(self.text)
        yield from (terms for _, terms in self.cut)

    def whole(self, words: Iterable[str]) -> dict[str, str]:
        """For each of these, what it was cut out of, or itself."""
        cut = {term: word for word, terms in reversed(self.cut) for term in terms}
        return {word: cut.get(word, word) for word in words}

    def numbered(self) -> dict[str, str]:
        """The figures that have a # in front of them, as `#17`: another 17 is not that one."""
        found = {number: f"#{number}" for number in _NUMBERED.findall(self.text)}
        others = words_of(_NUMBERED.sub(" ", self.text)) if found else ()
        return {number: written for number, written in found.items() if number not in others}

    @property
    def is_brief(self) -> bool:
        """Whether it is of so few words that each is meant as it is written, or looks up one."""
        return self.looks_up or sum(map(_words_in, spaced(self.text).split())) <= _MOST_BRIEF

    @property
    def looks_up(self) -> bool:
        """Whether it only names what is looked for: a phrase in quotation marks, or one word or
        thing (“B12”, “anything on Grafana?”, `FORCE_SEND`).
        """
        asked = {forms[0] for forms in self.words}
        phrases = " ".join(self.quoted)
        things = [set(parts) for parts in self.things()]
        is_one = len(asked) == 1 or any(map(asked.issubset, things))
        is_asked = self.wanted or self.days
        return not is_asked and bool(asked) and (is_one or all(map(phrases.__contains__, asked)))

    def written(self, word: str) -> str:
        """A word as the user typed it, or what it is part of: `CONTEXT_WINDOW.md` for `window`.
        Without spaces, it is looked up in simplified characters.
        """
        if is_unspaced(word):
            at = simplified(self.text).find(word)
            return word if at < 0 else self.text[at : at + len(word)]
        typed = next((typed for typed, words in as_written(self.text) if word in words), word)
        return in_a_line(typed, _LONGEST_NAMED)

    def without_unit(self, unknown: Iterable[str]) -> "SearchQuestion":
        """The question without a currency that no item names, beside a sum (“389 Euro”)."""
        units = {word for word in unknown if singular((word,)) & _currencies()}
        if not units or not any(forms[0].isdecimal() for forms in self.words):
            return self
        return self._replace(words=tuple(forms for forms in self.words if forms[0] not in units))

    def without_parts(self, counts: Mapping[str, int]) -> "SearchQuestion":
        """The question without the parts in no item of an identifier that is in one, as the `233k`
        of `233kWh`.
        """
        whole = (
            parts
            for thing in self.things()
            for word, parts in identifiers(thing)
            if counts.get(word)
        )
        dropped = {part for part in chain.from_iterable(whole) if not counts.get(part)}
        return self._replace(words=tuple(forms for forms in self.words if forms[0] not in dropped))

    def with_forms(self, others: Mapping[str, Sequence[str]]) -> "SearchQuestion":
        """The question with further forms of its words."""
        words = tuple((*forms, *others.get(forms[0], ())) for forms in self.words)
        return self._replace(words=tuple(tuple(dict.fromkeys(forms)) for forms in words))

    def repaired(self, other: Mapping[str, str]) -> "SearchQuestion":
        """The question with the words from `repairs` looked for as well."""
        words = tuple(
            (*forms, other[forms[0]]) if forms[0] in other else forms for forms in self.words
        )
        names = self.names | {other[name] for name in self.names & other.keys()}
        return self._replace(words=words, names=names)


def read_question(
    text: str,
    now: datetime,
    zone: tzinfo | None = None,
    aliases: Mapping[str, tuple[str, ...]] | None = None,
    listed: Words = Words(),  # noqa: B008 - an immutable value
) -> SearchQuestion:
    """Reads the first 2,000 characters of a question, full-width letters as others. `aliases` are
    other names of a word, `listed` the words of its language.

    If a question consists of stop words and emoji only, these are looked for. One that names only
    days has no words.
    """
    text = half_width(text[:_LONGEST])
    days, ways, rest = _dated(text, now, zone, listed.language)
    asked = queried(rest)
    cut: list[tuple[str, tuple[str, ...]]] = []

    def terms_of(run: str) -> Iterator[str]:
        for word, terms in sought(run, listed.known, is_japanese=listed.han == JAPANESE):
            cut.append((word, terms))
            yield from terms

    when = WHEN.search(text)
    sought_in = asked if rest.isascii() else queried(rest, terms_of)
    telling = _sought(sought_in, when[0] if when else "", _stop_words(rest))
    # “Was war gestern?” asks for all of the day.
    telling = _without_grammar(telling, listed) if days else telling or [*(asked or queried(text))]
    aliases = aliases or {}
    telling = telling[:_MOST_WORDS]
    return SearchQuestion(
        text=text,
        words=_each_once(_forms(word, aliases) for word in telling),
        names=frozenset(name for word in asked for name in (word, *aliases.get(word, ()))),
        quoted=tuple(" ".join(phrase.split()).casefold() for phrase in _phrases(text)),
        days=days,
        spelled=ways,
        wanted=_wanted(text),
        cut=tuple(cut),
        parted=tuple(filter(None, map(runs, telling))),
    )


def _stop_words(text: str) -> AbstractSet[str]:
    return STOP - {MAY} if says_may(text) else STOP


def _without_grammar(words: Iterable[str], listed: Words) -> list[str]:
    return [word for word in words if not is_grammar(listed.known(word))]


def _phrases(text: str) -> list[str]:
    """What must match as it stands: what is in quotation marks, all that is written in one, or the
    number of something (`#17`).
    """
    found: list[str] = _QUOTED.findall(text)
    if one := _in_one(text):
        return found or [one]
    return found or [number[0] for number in _NUMBERED.finditer(text)]


def _wanted(text: str) -> tuple[str, ...]:
    return () if _in_one(text) else wanted(text)


def _words_in(part: str) -> int:
    """About how many words a part of a question in one script is."""
    return -(-len(part) // _SIGNS_A_WORD) if is_cjk(part) else 1


def bare(name: str) -> str:
    """What is written in one, without the signs around it."""
    return name.strip("`'\"“”„‘’«»()[]<>,;:?!")


def _in_one(text: str) -> str:
    """A question that is a single thing of several words (`gpt-5.6-luna`, a path); "" if it is
    not.
    """
    one = bare(text.strip())
    is_one = not (_BLANK.search(one) or is_cjk(one))
    return one if is_one and len(queried(one)) > 1 else ""


def _dated(
    text: str, now: datetime, zone: tzinfo | None, language: str
) -> tuple[Days | None, tuple[str, ...], str]:
    """The days that a question names, the ways to write them, and the rest of it, without words
    that only ask.
    """
    days, words, ways = _days_said(text, now, zone, language)
    rest = simplified(joined(text.replace(words, " ") if words else text))
    return days, ways, rest if rest.isascii() else _asking().sub(" ", rest)


def _days_said(
    text: str, now: datetime, zone: tzinfo | None, language: str
) -> tuple[Days | None, str, tuple[str, ...]]:
    """The days that a question names, its words for them, and the ways to write them."""
    dated = range_said(text, now, zone, language)
    one_end = None if dated else open_range(text, now, zone, language)
    if one_end:
        ends = spelled(one_end.end, one_end.said) if one_end.has_end else ()
        ways = dict.fromkeys((*spelled(one_end.days, ""), *ends))
        return one_end.days, one_end.words, tuple(ways)
    dated = dated or days_in(text, now, zone) or days_said(text, now, zone, language)
    if dated is None:
        return None, "", ()
    weekdays = (*weekdays_on(dated[1]),)
    if weekdays and has_any(text, "past"):
        weekdays = ()  # “what did we do on Thursday” asks for one of them
    return *dated, tuple(dict.fromkeys((*spelled(*dated), *weekdays)))


def _sought(asked: Iterable[str], when: str, stop: AbstractSet[str]) -> list[str]:
    """The words that say what is asked for. An answer to “on which day” names a day, but not by
    that word, so it is not looked for unless it is the only one.
    """
    telling = [word for word in asked if word not in stop and not is_picture(word)]
    time_words = _DAYS_AND_TIMES.intersection(when.casefold().split())
    return [word for word in telling if word not in time_words] or telling


def is_read(text: str, scripts: Scripts) -> bool:
    """Whether a model that knows some scripts can tell what a text says: not where part of it is in
    another one.

    A single letter of another alphabet, as of a formula, is no such part.
    """
    if scripts == "all" or text.isascii():
        return True
    # Only these are looked at one by one: most texts have none, and a dash or two.
    others = [*filter(str.isalpha, filter(_LATIN_END.__le__, text))]
    unknown = [*filterfalse(is_cjk, others)] if scripts == "han" else others
    if not unknown:
        return True
    if any(map(is_unspaced, unknown)):
        return False
    letters = sum(map(str.isalpha, text)) - len(others) + len(unknown)
    return len(unknown) * _OTHER_LETTERS <= letters


def _each_once(words: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The words without those that are another form of an earlier one."""
    kept: dict[str, tuple[str, ...]] = {}
    for forms in words:
        if forms[0] not in kept:
            kept |= dict.fromkeys(forms, forms)
    return tuple(dict.fromkeys(kept.values()))


def _forms(word: str, aliases: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    forms = FORMS.get(word) or (word, *forms_of(word))
    return tuple(dict.fromkeys((*forms, *aliases.get(word, ()))))


@cache
def _currencies() -> frozenset[str]:
    return frozenset(listed_in(SEARCH, "currencies"))


@cache
def _asking() -> re.Pattern[str]:
    return re.compile("|".join(sorted(ASKING, key=len, reverse=True)))
