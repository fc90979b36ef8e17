"""Which categories a line of a daily note speaks of: by the words that the languages list and those
of the operator.
"""

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
"""Category → what it counts beside the others."""

OWN_WEIGHT = 1.0
"""For a category that the operator made."""

_NUMBERED = r"\d+(?!\w)"
_LONGEST = 400
_STEPS = ("milestone", "people")
"""`Phase 3: …`, `Client: …` label a step or a field, and say nothing of what is to last."""
_NEAR = 3
"""Words, or characters, before or behind a word of deciding: further inside it only speaks of
deciding."""
_SIGNS = re.compile(r"^[^\w★]+")


def categories(text: str) -> Mapping[str, str]:
    """Category → the word that speaks for it, the weightiest category first."""
    found: dict[str, str] = {}
    for category in sorted(WEIGHTS, key=lambda one: (-WEIGHTS[one], one)):
        if match := _listed(category).search(text):
            found[category] = match[0]
    if "financial" not in found and any(map(str.isdigit, text)):
        money = next((one for one in quantities(text[:_LONGEST]) if one.kind == "money"), None)
        if money:
            found["financial"] = money.text
    return found


def own_category(text: str, own: Iterable[str]) -> tuple[str, str] | None:
    """The category, and its word, of the operator's own triggers; each is written `category:
    words`.
    """
    for line in own:
        category, _, words = line.partition(":")
        if match := re.search(_word(words.strip()), text, re.IGNORECASE):
            return category.strip().lower(), match[0]
    return None


def opens_with(text: str) -> str:
    """The category whose word is all of a label, or stands first and says that this is to be kept;
    "" if none.
    """
    if _listed("explicit").match(_SIGNS.sub("", text, count=1)):
        return "explicit"
    found = label(text)
    return next(
        (
            one
            for one in WEIGHTS
            if one not in _STEPS and found and _listed(one).fullmatch(found.words)
        ),
        "",
    )


def told(text: str) -> str:
    """The word by which a text tells of a decision, at its beginning or, as other languages have
    it, at its end.
    """
    found = _deciding().search(text)
    if not found:
        return ""
    near = min(len(tokens(text[: found.start()])), len(tokens(text[found.end() :])))
    return found[0] if near <= _NEAR else ""


def weight(category: str) -> float:
    return WEIGHTS.get(category, OWN_WEIGHT)


@cache
def _listed(category: str) -> re.Pattern[str]:
    return re.compile("|".join(map(_cased, rows(PROMOTION, category))))


@cache
def _deciding() -> re.Pattern[str]:
    return re.compile("|".join(map(_cased, rows(MARKS, "deciding"))))


def _cased(row: str) -> str:
    """A row in capitals is meant in capitals; any other in any letters."""
    if row.endswith(" N"):
        return f"(?i:{_word(row[:-1])}){_NUMBERED}"
    return _word(row) if any(sign.isupper() for sign in row[1:]) else f"(?i:{_word(row)})"


def _word(words: str) -> str:
    """Whole words; in a script without blanks what stands round them belongs to other words."""
    before = r"(?<!\w)" if _is_spaced(words[:1]) else ""
    after = r"(?!\w)" if _is_spaced(words[-1:]) else ""
    return f"{before}{re.escape(words)}{after}"


def _is_spaced(sign: str) -> bool:
    return sign.isalnum() and not is_cjk(sign) and not is_hangul(sign)
