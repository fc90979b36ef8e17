"""What a question in Chinese or Japanese asks for: a time or a figure, which is mostly written in
words; and whether a text gives one.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain, product

from clawgit.domain.search.tongue import han_of
from clawgit.language.files import SEARCH, listed, table
from clawgit.language.lazily import lazily
from clawgit.language.tokens import is_cjk

_HOW_MANY = lazily("(?:几(?!乎)|幾|(?<![任如为為])何(?![故者処事])|多少)([㐀-鿿々ァ-ヶ])")
"""What is counted stands after the word that asks: 几瓶, 何回."""

_ANY = frozenset("个個钱錢")
"""What says nothing of what is counted."""


@lru_cache(maxsize=8)
def asked(question: str) -> str:
    """The kind of answer that a question asks for; "" in another language."""
    if not is_cjk(question):
        return ""
    # A question without kana may be Japanese, too.
    for kind, language in product(("time", "figure"), ("ja", "zh")):
        if any(word in question for word in listed(SEARCH, f"asks_{kind}_{language}")):
            return kind
    return "figure" if _HOW_MANY.search(question) else ""


def gives(question: str, text: str) -> bool:
    """Whether a text gives what is asked for, and does not only repeat the question."""
    language = han_of(question)
    is_time = asked(question) == "time"
    pattern = _time(language) if is_time else _figure(language, _counted(question))
    return not {*pattern.findall(text)} <= {*pattern.findall(question)}


def _counted(question: str) -> str:
    """What a question asks the number of; "" if that may be anything."""
    found = _HOW_MANY.search(question)
    return found[1] if found and found[1] not in _ANY else ""


@lru_cache(maxsize=8)
def _figure(language: str, counted: str) -> re.Pattern[str]:
    numbers = table(language, "numbers")
    digit = _digit(language)
    if counted:
        return re.compile(rf"{digit}+[多余餘数几]?{re.escape(counted)}")
    units = _any((*_words(language, "money"), *listed(language, "count")))
    # A lone 一 is an article.
    return re.compile(rf"[0-9]+|{digit}{{2,}}|(?!{_any(numbers['1'])}){digit}(?={units})")


@cache
def _time(language: str) -> re.Pattern[str]:
    keys = ("months", "weekdays", "am", "pm", "vague")
    listed_words = chain.from_iterable(listed(language, key) for key in keys)
    named = [word for word in (*listed_words, *_words(language, "days")) if len(word) > 1]
    digit = _digit(language)
    return re.compile(
        f"{digit}+[年月日号號點点時时曜]|[周週](?:{digit}|末)|[0-9]:[0-9]|{_any(named)}"
    )


def _digit(language: str) -> str:
    return f"[0-9{''.join(_words(language, 'numbers'))}]"


def _words(language: str, key: str) -> Iterable[str]:
    return chain.from_iterable(table(language, key).values())


def _any(words: Iterable[str]) -> str:
    """A pattern for any of these words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
