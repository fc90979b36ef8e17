"""The categories of a line of a daily note, by the words of the languages and of the operator."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from clawgit.domain.promotion.marks import label
from clawgit.language.notes import MARKS, PROMOTION, rows
from clawgit.language.quantities import quantities
from clawgit.language.tokens import is_cjk, is_hangul, tokens

WEIGHTS = {
    "explicit": 1.0,
    "financial": 0.9,
    "legal": 0.9,
    "decision": 0.8,
    "strategy": 0.8,
    "architecture": 0.7,
    "milestone": 0.7,
    "people": 0.6,
}
"""Category → its weight."""

OWN_WEIGHT = 1.0
"""The weight of a category that the operator made."""

_NUMBERED = r"\d+(?!\w)"
_LONGEST = 400
_STEPS = ("milestone", "people")
"""`Phase 3: …` and `Client: …` are labels of steps and fields, and do not make a line last."""
_NEAR = 3
"""A word of deciding stands so near to the beginning or the end. Further inside, the text is only
about deciding."""
_SIGNS = re.compile(r"^[^\w★]+")


def categories(text: str) -> Mapping[str, str]:
    """Category → the word that speaks for it, the weightiest category first."""
    named: dict[str, str] = {}
    for category in sorted(WEIGHTS, key=lambda name: (-WEIGHTS[name], name)):
        if match := _listed(category).search(text):
            named[category] = match[0]
    if "financial" not in named and any(map(str.isdigit, text)):
        amounts = (amount for amount in quantities(text[:_LONGEST]) if amount.kind == "money")
        if money := next(amounts, None):
            named["financial"] = money.text
    return named


def own_category(text: str, own: Iterable[str]) -> tuple[str, str] | None:
    """The category and word of the operator's own triggers, each written `category: words`."""
    for line in own:
        category, _, words = line.partition(":")
        if match := re.search(_word(words.strip()), text, re.IGNORECASE):
            return category.strip().lower(), match[0]
    return None


def opens_with(text: str) -> str:
    """The category whose word is the whole label, or a first word that asks to keep the line."""
    if _listed("explicit").match(_SIGNS.sub("", text, count=1)):
        return "explicit"
    mark = label(text)
    if mark is None:
        return ""
    for category in WEIGHTS:
        if category not in _STEPS and _listed(category).fullmatch(mark.words):
            return category
    return ""


def deciding_word(text: str) -> str:
    """The word that says that something was decided, near the beginning or the end of a text."""
    match = _deciding().search(text)
    if match is None:
        return ""
    before, behind = tokens(text[: match.start()]), tokens(text[match.end() :])
    return match[0] if min(len(before), len(behind)) <= _NEAR else ""


def weight(category: str) -> float:
    return WEIGHTS.get(category, OWN_WEIGHT)


@cache
def _listed(category: str) -> re.Pattern[str]:
    return re.compile("|".join(map(_cased, rows(PROMOTION, category))))


@cache
def _deciding() -> re.Pattern[str]:
    return re.compile("|".join(map(_cased, rows(MARKS, "deciding"))))


def _cased(row: str) -> str:
    """A row with capitals only matches in capitals; any other matches in any case."""
    if row.endswith(" N"):
        return f"(?i:{_word(row[:-1])}){_NUMBERED}"
    return _word(row) if any(sign.isupper() for sign in row[1:]) else f"(?i:{_word(row)})"


def _word(words: str) -> str:
    """A pattern of whole words. In a script without blanks, words stand side by side."""
    before = r"(?<!\w)" if _is_spaced(words[:1]) else ""
    after = r"(?!\w)" if _is_spaced(words[-1:]) else ""
    return f"{before}{re.escape(words)}{after}"


def _is_spaced(sign: str) -> bool:
    return sign.isalnum() and not is_cjk(sign) and not is_hangul(sign)
