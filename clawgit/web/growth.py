"""Pictures of how it came to be: how much changed, how the soul moved, how memory grew.

Each takes a moment, and is the same until the next commit.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from itertools import accumulate

from clawgit.web.asking import Asker, Values, tried
from clawgit.web.charts import calendar, curve

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
        "chart": curve(points, "How far the soul has moved since", most=0.2),
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
    drawn = [(name, curve(points[-_MONTHS:], name)) for name, points in charts.items() if points]
    return {"charts": drawn}


_SIZES = 4
"""Months of which the size of the context is told; each takes a moment, once."""


def _sizes(ask: Asker, months: Iterable[Values]) -> list[tuple[str, int]]:
    """How large the context was at the beginning of each month, and is now."""
    begins = [f"{row['month']}-01" for row in months]
    past = [(day[:7], ask.once("context", f"--at={day}")["used"]) for day in begins]
    now = ask.read("context", "--explain")
    return [*past, (now["now"][:10], now["used"])]
