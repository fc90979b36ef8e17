"""What a judge sees of two texts: how far one covers the other, and which values they share or exchange."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from clawgit.judges.features import words

_NEGATED = re.compile(r"\b(?:not|no|never|nicht|kein\w*|nie|sin|nunca|\w+n['’]t)\b|[不没無]|ない|안 |못", re.IGNORECASE)


class Reading(NamedTuple):
    """A text as pairs are compared: its stems, its runs of characters, its values by kind."""

    stems: frozenset[str]
    runs: frozenset[str]
    values: frozenset[tuple[str, str]]
    negated: bool
    length: int


def reading(text: str) -> Reading:
    text = text[:3000]
    raw = words(text)
    stems, values = set(), set()
    for word in raw:
        folded = word.casefold()
        if word[0].isdigit():
            values.add(("time" if ":" in word else "number", folded))
        elif word[0].isupper():
            values.add(("name", folded))
        if word[0].isalnum() and (len(folded) > 2 or ord(word[0]) > 0x2E80):
            stems.add(folded[:6])
    flat = re.sub(r"\s+", " ", text.casefold())
    size = 2 if re.search(r"[぀-ヿ㐀-鿿]", flat) else 4
    runs = frozenset(flat[at : at + size] for at in range(len(flat) - size + 1))
    return Reading(frozenset(stems), runs, frozenset(values), bool(_NEGATED.search(text)), len(text))


def rarity(readings: Iterable[Reading]) -> dict[str, float]:
    """How telling a stem is among these entries."""
    listed = list(readings)
    seen = Counter(stem for entry in listed for stem in entry.stems)
    return {stem: log(1 + len(listed) / count) for stem, count in seen.items()}


def _cover(part: Iterable[str], whole: Iterable[str], rare: dict[str, float], usual: float) -> float:
    part, whole = set(part), set(whole)
    total = sum(rare.get(stem, usual) for stem in part)
    return sum(rare.get(stem, usual) for stem in part & whole) / total if total else 0.0


def match(message: Reading, before: Reading, entry: Reading, rare: dict[str, float]) -> list[float]:
    """How an entry fits a message: the features of judge (d), each between 0 and some ones."""
    usual = log(1 + len(rare)) if rare else 1.0
    kinds = {kind for kind, _ in message.values}
    entry_kinds = {kind for kind, _ in entry.values}
    fresh = message.values - entry.values
    exchanged = {kind for kind, _ in fresh} & {kind for kind, _ in entry.values - message.values}
    shared = message.stems & entry.stems
    earlier = before.stems & entry.stems
    return [
        _cover(entry.stems, message.stems, rare, usual),
        _cover(message.stems, entry.stems, rare, usual),
        _cover(entry.stems, before.stems, rare, usual),
        _cover(before.stems, entry.stems, rare, usual),
        _cover(entry.stems, message.stems | before.stems, rare, usual),
        sum(rare.get(stem, usual) for stem in shared) / 4,
        sum(rare.get(stem, usual) for stem in earlier) / 4,
        len(message.runs & entry.runs) / max(1, min(len(message.runs), len(entry.runs))),
        len(before.runs & entry.runs) / max(1, min(len(before.runs), len(entry.runs))),
        float(bool(message.values & entry.values)),
        float(bool(before.values & entry.values)),
        min(len(exchanged), 3) / 1.0,
        float("number" in exchanged),
        float("time" in exchanged),
        float("name" in exchanged),
        float(bool(kinds & entry_kinds)),
        float(bool(entry.values) and entry.values <= message.values),
        float(not shared),
        float(not earlier),
        min(entry.length, 300) / 100,
    ]


def beside(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Each candidate's features, and by how much it falls behind the best of the others."""
    found = []
    for number, row in enumerate(rows):
        others = [other for at, other in enumerate(rows) if at != number]
        best = [max((other[column] for other in others), default=0.0) for column in range(9)]
        found.append([*row, *(row[column] - best[column] for column in range(9))])
    return found


def two(a: Reading, b: Reading, under_a: str, under_b: str) -> list[float]:
    """What two records have in common: the features of judge (e), the same whichever comes first."""
    shared = a.stems & b.stems
    smaller = max(1, min(len(a.stems), len(b.stems)))
    larger = max(1, max(len(a.stems), len(b.stems)))
    fresh_a, fresh_b = a.values - b.values, b.values - a.values
    exchanged = {kind for kind, _ in fresh_a} & {kind for kind, _ in fresh_b}
    same = a.values & b.values
    return [
        len(shared) / smaller,
        len(shared) / larger,
        min(len(shared), 8) / 4,
        len(a.runs & b.runs) / max(1, min(len(a.runs), len(b.runs))),
        len(a.runs & b.runs) / max(1, max(len(a.runs), len(b.runs))),
        min(larger - len(shared), 12) / 6,
        float(a.negated != b.negated),
        float(a.negated and b.negated),
        float(bool(exchanged)),
        min(len(exchanged), 3) / 1.0,
        float("number" in exchanged),
        float("time" in exchanged),
        float("name" in exchanged),
        min(len(same), 4) / 2,
        float(bool(fresh_a) != bool(fresh_b)),
        float(not fresh_a and not fresh_b),
        float(under_a.casefold() == under_b.casefold()),
        float(bool(set(words(under_a.casefold())) & set(words(under_b.casefold())))),
        float(bool(under_a) and bool(under_b)),
        float(bool(exchanged) and under_a.casefold() == under_b.casefold()),
        float(bool(exchanged)) * len(shared) / smaller,
        float(a.negated != b.negated) * len(shared) / smaller,
        abs(a.length - b.length) / max(1, a.length, b.length),
    ]
