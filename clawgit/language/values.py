"""Values in a text: figures, days, money, addresses. Two lines that differ in one disagree."""

import re
from collections.abc import Iterable

from clawgit.language.lexicon import Lexicon, lexicons_for
from clawgit.language.tokens import is_cjk, is_hangul

_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
    r"|\b(?:https?|ssh|ftp|file)://\S|\bwww\.\S"
)
_AMOUNT = re.compile(
    r"(R\$|[$€£¥₩₹]|\b[A-Z]{3})?\s?(?<![\w.,])(\d{1,15}(?:[.,'’\u00a0]\d{1,9})*)"
    r"(?:\s?([$€£¥₩₹]|[^\W\d_]{1,24}))?"
)


def names_address(text: str) -> bool:
    """Whether an address of the mail or of the web stands in a text."""
    return _ADDRESS.search(text) is not None


def money_in(text: str) -> str:
    """The first amount of money in figures, with its currency, "" if there is none."""
    languages = lexicons_for(text)
    for amount in _AMOUNT.finditer(text):
        if amount[1] and _is_money(amount[1], languages):
            return amount[0][: amount.end(2) - amount.start()].strip()
        if amount[3] and _is_money(amount[3], languages):
            return text[amount.start(2) : amount.end()]
    return ""


def _is_money(word: str, languages: Iterable[Lexicon]) -> bool:
    """In `300元左右`, the currency is the beginning of what stands after the number."""
    folded = word.casefold()
    return any(
        folded == name or ((is_cjk(name) or is_hangul(name)) and folded.startswith(name))
        for language in languages
        for name in language.money
    )
