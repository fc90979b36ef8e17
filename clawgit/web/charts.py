"""Pictures made of numbers, as SVG. Colours and type are the style sheet's."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from markupsafe import escape

_CELL, _GAP = 11, 2
_WEEKS = 53
_STEPS = (0, 1, 3, 8, 20)
"""From how many changes on a day is darker."""

_WIDE, _HIGH, _PAD = 640, 160, 24


def calendar(counts: Mapping[str, int], today: date) -> str:
    """How much changed on each day of a year: a column a week, Monday on top."""
    first = today - timedelta(days=today.weekday() + 7 * (_WEEKS - 1))
    size = _CELL + _GAP
    cells = []
    for number in range((today - first).days + 1):
        day = first + timedelta(days=number)
        count = counts.get(day.isoformat(), 0)
        depth = sum(count >= step for step in _STEPS) - 1
        x, y = number // 7 * size, number % 7 * size
        told = escape(f"{day.isoformat()}: {count}")
        cells.append(
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="2" class="d{depth}">'
            f"<title>{told}</title></rect>"
        )
    wide, high = _WEEKS * size, 7 * size
    title = f"{sum(counts.values()):,} changes in a year"
    return _svg(wide, high, title, "".join(cells), "calendar")


def curve(points: Sequence[tuple[str, float]], title: str, *, most: float = 0.0) -> str:
    """A line through points, each with its label, from left to right."""
    if not points:
        return ""
    top = max([most, *(value for _, value in points)]) or 1.0
    step = (_WIDE - 2 * _PAD) / max(len(points) - 1, 1)
    places = [
        (_PAD + step * number, _HIGH - _PAD - value / top * (_HIGH - 2 * _PAD))
        for number, (_, value) in enumerate(points)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(label)}: {value:,.4g}</title>'
        "</circle>"
        for (x, y), (label, value) in zip(places, points, strict=True)
    )
    base = _HIGH - _PAD
    marks = (
        f'<line x1="{_PAD}" y1="{base}" x2="{_WIDE - _PAD}" y2="{base}"/>'
        f'<text x="{_PAD}" y="{_HIGH - 6}">{escape(points[0][0])}</text>'
        f'<text x="{_WIDE - _PAD}" y="{_HIGH - 6}" class="end">{escape(points[-1][0])}</text>'
        f'<text x="{_WIDE - _PAD}" y="14" class="end">{points[-1][1]:,.4g}</text>'
    )
    return _svg(_WIDE, _HIGH, title, f'{marks}<polyline points="{path}"/>{dots}', "curve")


def _svg(wide: int, high: int, title: str, body: str, kind: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" class="{kind}" '
        f'role="img" aria-label="{escape(title)}">{body}</svg>'
    )
