"""What pictures of how it came to be are made of: how much changed, how the soul moved, how memory
grew. `charts.html` draws them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import accumulate
from typing import NamedTuple

from clawgit.web.asking import Asker, Values, tried

_POINTS = _MONTHS = 12
"""Points of a curve: one a month."""


def strip(ask: Asker) -> Values:
    """How much changed on each day of a year."""
    found = ask.read("log", "--days")
    counts = {row["day"]: row["changes"] for row in found["days"]}
    return {"chart": calendar(counts, date.fromisoformat(found["today"]))}


def drift(ask: Asker) -> Values:
    """How far the soul had moved from what it is now, at each of its versions, oldest first."""
    found = ask.read("soul", "log", "-n", "200")["versions"]
    step = max(1, len(found) // _POINTS)
    picked = [*found[::step]][:_POINTS][::-1]
    points = [
        (version["time"][:10], ask.read("soul", "log", f"--drift={version['sha']}")["distance"])
        for version in picked
    ]
    identity = tried(ask, ("soul", "log", "--identity", "-n", "1"))
    return {
        "chart": curve(points, most=0.2),
        "has_identity": bool(identity.value and identity.value["versions"]),
    }


def growth(ask: Asker) -> Values:
    """How it grew, by month."""
    rows = ask.read("memory", "list", "--count")["months"]
    corrected = Counter(row["time"][:7] for row in ask.read("corrections", "list")["corrections"])
    so_far = accumulate(row["entries"] for row in rows)
    charts = {
        "Entries so far": [(row["month"], total) for row, total in zip(rows, so_far, strict=True)],
        "Corrections a month": sorted(corrected.items()),
        "Mean confidence by month": [(row["month"], row["confidence"]) for row in rows],
        "Tokens that a conversation starts with": _sizes(ask, rows[-_SIZES:]),
    }
    drawn = [(name, curve(points[-_MONTHS:])) for name, points in charts.items() if points]
    return {"charts": drawn}


_SIZES = 4
"""Months of which the size of the context is told; each takes a moment, once."""


def _sizes(ask: Asker, months: Iterable[Values]) -> list[tuple[str, int]]:
    """How large the context was at the beginning of each month, and is now."""
    begins = [f"{row['month']}-01" for row in months]
    past = [(day[:7], ask.once("context", f"--at={day}")["used"]) for day in begins]
    now = ask.read("context", "--explain")
    return [*past, (now["now"][:10], now["used"])]


_WEEKS = 53
_STEPS = (1, 3, 8, 20)
"""From how many changes on a day is darker."""

_WIDE, _HIGH, _PAD = 320, 110, 18
"""The room of a curve, as it is drawn, and what is left free around it."""


class Day(NamedTuple):
    day: date
    changes: int
    depth: int


class Point(NamedTuple):
    """A point of a curve: where it is drawn, its label, and its value in words."""

    x: float
    y: float
    label: str
    value: str


def calendar(counts: Mapping[str, int], today: date) -> list[Day]:
    """How much changed on each day of a year, from a Monday on."""
    first = today - timedelta(days=today.weekday() + 7 * (_WEEKS - 1))
    days = [first + timedelta(days=number) for number in range((today - first).days + 1)]
    found = [(day, counts.get(day.isoformat(), 0)) for day in days]
    return [Day(day, count, sum(count >= step for step in _STEPS)) for day, count in found]


def curve(points: Sequence[tuple[str, float]], *, most: float = 0.0) -> list[Point]:
    """Points with their labels, from left to right; the highest is as high as `most` at least."""
    top = max([most, *(value for _, value in points)]) or 1.0
    step = (_WIDE - 2 * _PAD) / max(len(points) - 1, 1)
    rise = (_HIGH - 2 * _PAD) / top
    return [
        Point(_PAD + step * number, _HIGH - _PAD - value * rise, label, _number(value))
        for number, (label, value) in enumerate(points)
    ]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"
