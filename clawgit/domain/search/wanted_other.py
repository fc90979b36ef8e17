"""What a question in another language than English asks for: a time or a figure, which may be in
words; and whether a text gives one.

The words are those of `language/data`; the words that ask tell in which language a question is.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain, product

from clawgit.domain.search.terms import in_order, is_unspaced
from clawgit.domain.search.tongue import han_of
from clawgit.language.files import SEARCH, codes, listed, table
from clawgit.language.lazily import lazily

_KINDS = ("time", "figure")

_WORD = lazily(r"\w+")

_HOW_MANY = lazily("(?:几(?!乎)|幾|(?<![任如为為])何(?![故者処事])|多少)([㐀-鿿々ァ-ヶ])")
"""What is counted stands after the word that asks: 几瓶, 何回."""

_ANY = frozenset("个個钱錢")
"""What says nothing of what is counted."""

_SHORTEST = 3
"""Shorter forms of a month or a weekday are other words, too."""


def asked(question: str) -> tuple[str, ...]:
    """The kinds of answer that a question asks for; none in English."""
    kind = _asked(question)[0]
    return (kind,) if kind else ()


def gives(kind: str, question: str, text: str) -> bool:
    """Whether a text gives what is asked for, and does not only repeat the question."""
    _, language = _asked(question)
    pattern = _time(language) if kind == "time" else _figure(language, _counted(question))
    return not {*pattern.findall(text)} <= {*pattern.findall(question)}


@lru_cache(maxsize=8)
def _asked(question: str) -> tuple[str, str]:
    """The kind that a question asks for, and its language."""
    said, plain = (
        f" {' '.join(words)} " for words in (_WORD.findall(question.casefold()), in_order(question))
    )
    for kind, language in product(_KINDS, _languages()):
        if any(row in said or plain.startswith(bare) for row, bare in _rows(kind, language)):
            return kind, language
    return ("figure", han_of(question)) if _HOW_MANY.search(question) else ("", "")


@cache
def _languages() -> tuple[str, ...]:
    return tuple(code for code in codes() if listed(SEARCH, f"asks_time_{code}"))


@cache
def _rows(kind: str, language: str) -> tuple[tuple[str, str], ...]:
    """The words that ask, and how they are written without accents, which is sure only where a
    question begins with them: “cuando” is a conjunction, too.

    Where words have spaces between them, whole ones.
    """
    rows = listed(SEARCH, f"asks_{kind}_{language}")
    if is_unspaced(rows[0]):
        return tuple((row, row) for row in rows)
    return tuple((f" {row} ", f" {' '.join(in_order(row))} ") for row in rows)


def _counted(question: str) -> str:
    """What a question asks the number of; "" if that may be anything."""
    found = _HOW_MANY.search(question)
    return found[1] if found and found[1] not in _ANY else ""


@lru_cache(maxsize=8)
def _figure(language: str, counted: str) -> re.Pattern[str]:
    numbers = table(language, "numbers")
    words = [*chain.from_iterable(numbers.values())]
    if not is_unspaced(words[0]):
        telling = _any(set(words).difference(numbers["1"]))
        return re.compile(rf"[0-9]+|\b(?:{telling})\b", re.IGNORECASE)
    digit = f"[0-9{''.join(words)}]"
    if counted:
        return re.compile(rf"{digit}+[多余餘数几]?{re.escape(counted)}")
    money = chain.from_iterable(table(language, "money").values())
    units = _any((*money, *listed(language, "count")))
    return re.compile(rf"[0-9]+|{digit}{{2,}}|(?!{_any(numbers['1'])}){digit}(?={units})")


@cache
def _time(language: str) -> re.Pattern[str]:
    keys = ("months", "weekdays", "am", "pm", "seasons", "vague")
    words = chain.from_iterable(listed(language, key) for key in keys)
    days = chain.from_iterable(table(language, "days").values())
    named = [*words, *days]
    if is_unspaced(named[0]):
        numbers = "".join(chain.from_iterable(table(language, "numbers").values()))
        named = [word for word in named if len(word) > 1]
        return re.compile(
            f"[0-9{numbers}]+(?:半)?[年月日号號點点時时曜]|[周週][{numbers}末]|[0-9]:[0-9]|{_any(named)}"
        )
    hours = f"(?:[0-9]+|{_any(chain.from_iterable(table(language, 'numbers').values()))})"
    before = _any(listed(language, "clock_before"))
    named += chain.from_iterable(table(language, "spans").values())
    long = [word for word in named if len(word) >= _SHORTEST]
    return re.compile(
        rf"\b(?:{_any(long)})s?\b|\b(?:{before}) {hours}\b|\b[0-9]{{1,2}}[:.][0-9]{{2}}\b"
        r"|\b(?:19|20)[0-9]{2}\b",
        re.IGNORECASE,
    )


def _any(words: Iterable[str]) -> str:
    """A pattern for any of these words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
