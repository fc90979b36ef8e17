"""What a question asks for: a time, a figure, a sum of money, a name or advice; and whether a text
gives it.

Many lines of a memory are about the same matter, and few of them give what is asked for. Advice has
to fit what somebody prefers, or wants always.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import filterfalse, pairwise

from clawgit.domain.search.terms import in_order, is_unspaced
from clawgit.language.calendar import (
    month_forms,
    month_names,
    number_forms,
    weekday_names,
)
from clawgit.language.files import ADVICE, SEARCH, codes, listed
from clawgit.language.lazily import lazily

WHEN = lazily(
    r"^\W*(?:when|(?:(?:in|on|at|by|since|until|from) )?(?:what|which) "
    r"(?:date|day|weekday|month|year|time)s?)\b"
    r"|\bhow long\b"
    "|언제|몇 시",
    re.IGNORECASE,
)

_FIRST = 2
"""A word that asks for a time is among the first: “seit wann”."""

_SHORT = 2
"""Letters of a weekday's abbreviation, which may be another word."""

_WISH = 600
"""A wish is looked for in this many characters of a text."""

_WRITTEN = lazily(
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)"
)
"""The day on which a line was written, with its time, is no figure of what it says."""

_FIGURE = lazily(r"\d+")

_ADDRESS = r"(?<![\w.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:[:/][0-9]+)?(?![\w.])"
_LATIN = "[A-Za-z\u00c0-\u024f]"

_PHONE = lazily(r"(?<![\w.-])\+?\d(?:[ ()/-]{0,2}\d){6,14}(?![\w-])")
"""Not part of an identifier, nor that of a chat (`-1003707068198`)."""

_HOUR = lazily(r"\b(?:what|which) (?:time|hour)\b|几点|何時|몇 시", re.IGNORECASE)

_NAME = lazily(r"(?<=[\w,;:()] )[A-Z][a-zà-ÿ]+")
"""A word with a capital inside a sentence."""


def wanted(question: str) -> tuple[str, ...]:
    """The kinds of answer that a question asks for."""
    words = in_order(question)
    asks = {
        "time": WHEN.search(question) is not None
        or not _words("asks_time").isdisjoint(words[:_FIRST]),
        "hour": _HOUR.search(question) is not None,
        "figure": _asks("asks_figure", "asks_much", question, words),
        "money": _says("asks_money", question, words),
        "phone": _says("asks_phone", question, words),
        "name": not _words("asks_name").isdisjoint(words),
        "wish": _asks("asks_advice", "asks_way", question, words),
    }
    return tuple(kind for kind, is_asked in asks.items() if is_asked)


def gives(kind: str, question: str, text: str) -> bool:
    """Whether a text gives what is asked for, and does not only repeat the question."""
    return _GIVES[kind](question, text)


def _asks(key: str, after_how: str, question: str, words: list[str]) -> bool:
    """Whether a question has a word of one class, or “how” before one of another."""
    how, second = _words("asks_how"), _words(after_how)
    if any(one in how and other in second for one, other in pairwise(words)):
        return True
    return _says(key, question, words)


def _says(key: str, question: str, words: list[str]) -> bool:
    """Whether a question has a word of a class."""
    if not _words(key).isdisjoint(words):
        return True
    return not question.isascii() and any(sign in question for sign in _signs(key))


def _gives_figure(question: str, text: str) -> bool:
    """Those of a day or an hour count only if the question is about days, and those of a name or an
    IP address (“x64”, “GPT-4”) only if it is about such things.
    """
    asked = {*_FIGURE.findall(question)}
    if asked.issuperset(_FIGURE.findall(text)):
        return False  # most texts, and this is the quickest to see
    days = _WRITTEN if _is_about_days(question) else _day()
    said = days.sub(" ", text)
    said = said if _is_about_ids(question) else _named().sub(" ", said)
    return not asked.issuperset(_FIGURE.findall(said))


def _gives_phone(_question: str, text: str) -> bool:
    return _PHONE.search(_WRITTEN.sub(" ", text)) is not None


def _gives_name(question: str, text: str) -> bool:
    asked = _asked(question)
    return any(name.casefold() not in asked for name in _NAME.findall(text) if name not in _dates())


def _gives_wish(_question: str, text: str) -> bool:
    said = text[:_WISH]
    return _says("gives_wish", said, in_order(said))


@lru_cache(maxsize=8)
def _is_about_days(question: str) -> bool:
    return WHEN.search(question) is not None or _says("asks_days", question, in_order(question))


@lru_cache(maxsize=8)
def _is_about_ids(question: str) -> bool:
    """Whether a question asks for something that may be made of letters and figures."""
    return _says("asks_id", question, in_order(question))


@lru_cache(maxsize=8)
def _asked(question: str) -> frozenset[str]:
    """The words of a question; each text that was found is compared with them."""
    return frozenset(in_order(question))


@cache
def _words(key: str) -> frozenset[str]:
    """The words of a class in all languages that have spaces between words, as a question has
    them.
    """
    rows = filterfalse(is_unspaced, _rows(key))
    return frozenset(word for row in rows for word in in_order(row))


def _rows(key: str) -> tuple[str, ...]:
    return (*listed(SEARCH, key), *listed(ADVICE, key))


@cache
def _signs(key: str) -> tuple[str, ...]:
    """Those of the other languages, which stand anywhere in a question."""
    return tuple(filter(is_unspaced, _rows(key)))


@cache
def _dates() -> frozenset[str]:
    return frozenset((*month_names(), *weekday_names()))


@cache
def _time() -> re.Pattern[str]:
    named = (
        re.escape(name)
        for code in codes()
        for key in ("weekdays", "months")
        for name in listed(code, key)
        if len(name) > _SHORT and not is_unspaced(name)
    )
    said = "|".join((*named, *listed(SEARCH, "gives_time")))
    return re.compile(
        r"\b(?:yesterday|today|tomorrow|tonight|ago|last|next|recently|soon|since"
        r"|(?:week|month|year|weekend|morning|evening)s?"
        f"|(?:{said})s?"
        r"|summer|winter|spring|birthday|anniversary|[0-9]{1,2}:[0-9]{2}|(?:19|20)[0-9]{2})\b"
        "|[0-9][년월일시]|요일|어제|내일",
        re.IGNORECASE,
    )


@cache
def _day() -> re.Pattern[str]:
    """A day or an hour in figures. Capitals are looked for: to ignore case takes ten times as
    long.
    """
    forms = (form for forms in month_forms() for form in forms)
    month = f"(?:{'|'.join(way for form in forms for way in (form, form.title()))})"
    return re.compile(
        rf"\b[0-9]{{1,2}}(?:st|nd|rd|th|:[0-9]{{2}}| {month})\b|\b{month} [0-9]{{1,2}}\b"
        r"|\b(?:19|20)[0-9]{2}(?:-[0-9]{2}-[0-9]{2})?\b"
    )


@cache
def _hour() -> re.Pattern[str]:
    numbers = "|".join(word for _, word, *_ in number_forms())
    return re.compile(
        r"\b[0-9]{1,2}:[0-9]{2}\b"
        r"|\b[0-9]{1,2} ?(?:am|pm|a\.m\.|p\.m\.|o[’']clock|h(?:[0-9]{2})?|uhr)\b"
        rf"|\b(?:noon|midnight)\b|\bat (?:half (?:past )?)?(?:[0-9]{{1,2}}|{numbers})\b"
        "|[0-9][点點時시]",
        re.IGNORECASE,
    )


@cache
def _named() -> re.Pattern[str]:
    """A name of letters and figures, or an IP address. A sum is no name: “CHF40”."""
    return re.compile(
        rf"{_ADDRESS}|(?<![\w.])(?!(?:{_codes()}|Rs?|kr)[0-9]){_LATIN}\w*(?:-[0-9]|[0-9])[\w.-]*"
    )


@cache
def _money() -> re.Pattern[str]:
    """A sum with a sign, the code or the name of a currency."""
    names = "|".join(map(re.escape, listed(SEARCH, "currencies")))
    return re.compile(
        rf"(?:[$€£¥₹₩]|\b(?:{_codes()}|Rs?|kr)\.?) ?[0-9]"
        rf"|[0-9] ?(?:[$€£¥₹₩元円원]|(?:{_codes()})\b|(?i:(?:million |thousand )?(?:{names})s?\b))"
    )


def _codes() -> str:
    return "|".join(listed(SEARCH, "currency_codes"))


def _holds(pattern: Callable[[], re.Pattern[str]]) -> Callable[[str, str], bool]:
    """Whether a text has what a pattern finds, whatever the question; compiled at first use."""
    return lambda _question, text: pattern().search(text) is not None


_GIVES: Mapping[str, Callable[[str, str], bool]] = {
    "time": _holds(_time),
    "hour": _holds(_hour),
    "figure": _gives_figure,
    "money": _holds(_money),
    "phone": _gives_phone,
    "name": _gives_name,
    "wish": _gives_wish,
}
