"""How two orders in Chinese or in Korean stand to each other: a start, by their signs without the small words."""

import re
from functools import cache
from typing import NamedTuple

from clawgit.domain.growth_order_words import (
    ASIAN_DENIES,
    ASIAN_KINDS,
    ASIAN_PERMITS,
    ASIAN_SAYS_THE_SAME,
    ASIAN_SILENT,
)


class _Told(NamedTuple):
    denies: bool
    matter: str


def is_asian(text: str) -> bool:
    return _compiled(_SCRIPT).search(text) is not None


def asian(rule: str, line: str) -> str:
    """How the newer one stands to the older one, in the words of `growth_orders`."""
    new, old = _read(rule), _read(line)
    if not new.matter or not old.matter:
        return "same" if rule == line else "other"
    if new.matter == old.matter:
        return "same" if new.denies == old.denies else "contrary"
    if new.denies and not old.denies and len(new.matter) > 1 and new.matter in old.matter:
        return "contrary"
    return "value" if not new.denies and not old.denies and _excludes(new.matter, old.matter) else "other"


def asian_denies(rule: str) -> bool:
    return _read(rule).denies


def asian_permits(rule: str) -> bool:
    return not _read(rule).denies and _compiled(ASIAN_PERMITS).search(rule) is not None


def _excludes(mine: str, theirs: str) -> bool:
    """The same but for one word of a kind."""
    return any(
        mine.replace(one, "\0", 1) == theirs.replace(other, "\0", 1)
        for kind in ASIAN_KINDS
        for one in kind
        for other in kind
        if one != other and one in mine and other in theirs
    )


def _read(text: str) -> _Told:
    for pattern, sign in ASIAN_SAYS_THE_SAME:
        text = _compiled(pattern).sub(sign, text)
    bare, denials = _compiled(ASIAN_DENIES).subn("", text)
    return _Told(denials % 2 == 1, _compiled(f"{ASIAN_PERMITS}|{ASIAN_SILENT}").sub("", bare))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_SCRIPT = "[\u3400-\u9fff\uac00-\ud7af]"
