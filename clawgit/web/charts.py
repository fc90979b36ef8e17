"""Pictures made of numbers, as SVG. Colours and type are the style sheet's."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from markupsafe import Markup, escape

from clawgit.errors import counted

_CELL, _GAP, _HEAD = 11, 2, 14
_WEEKS = 53
_STEPS = (0, 1, 3, 8, 20)
"""From how many changes on a day is darker."""

_WIDE, _HIGH, _PAD = 320, 110, 18


def calendar(counts: Mapping[str, int], today: date) -> Markup:
    """How much changed on each day of a year: a column a week, Monday on top. A day on which
    something did leads to its changes.
    """
    first = today - timedelta(days=today.weekday() + 7 * (_WEEKS - 1))
    size = _CELL + _GAP
    cells = []
    for number in range((today - first).days + 1):
        day = first + timedelta(days=number)
        count = counts.get(day.isoformat(), 0)
        depth = sum(count >= step for step in _STEPS) - 1
        x, y = number // 7 * size, number % 7 * size + _HEAD
        title = f"{day:%-d %B %Y}: {counted(count, 'change')}"
        cell = (
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="2" class="d{depth}">'
            f"<title>{title}</title></rect>"
        )
        if count:
            # Not a stop of the Tab key: a year of them would stand before all that follows.
            cell = f'<a href="timeline?since={day}&amp;until={day}" tabindex="-1">{cell}</a>'
        if day.day == 1:
            cell += f'<text x="{x}" y="{_HEAD - 4}">{day:%b}</text>'
        cells.append(cell)
    title = f"{counted(sum(counts.values()), 'change')} in a year"
    return _svg(_WEEKS * size, 7 * size + _HEAD, title, "".join(cells), "calendar", "group")


def bar(used: float, room: float) -> Markup:
    """How much of its room something takes, both as parts of the widest bar."""
    rows = (("room", room), ("used", used))
    body = "".join(
        f'<rect class="{kind}" width="{part * _WIDE:.1f}" height="8" rx="1"/>'
        for kind, part in rows
    )
    told = f"{used / room:.0%} of its room" if room else "no room"
    return _svg(_WIDE, 8, told, body, "bar", "img")


def curve(points: Sequence[tuple[str, float]], title: str, *, most: float = 0.0) -> Markup:
    """A line through points, each with its label, from left to right."""
    if not points:
        return Markup()
    if len(points) == 1:
        return Markup("<p>{} ({})</p>").format(_number(points[0][1]), points[0][0])
    top = max([most, *(value for _, value in points)]) or 1.0
    step = (_WIDE - 2 * _PAD) / max(len(points) - 1, 1)
    places = [
        (_PAD + step * number, _HIGH - _PAD - value / top * (_HIGH - 2 * _PAD))
        for number, (_, value) in enumerate(points)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2"><title>{escape(label)}: {_number(value)}</title>'
        "</circle>"
        for (x, y), (label, value) in zip(places, points, strict=True)
    )
    base, (last_x, last_y) = _HIGH - _PAD, places[-1]
    marks = (
        f'<line x1="{_PAD}" y1="{base}" x2="{_WIDE - _PAD}" y2="{base}"/>'
        f'<text x="{_PAD}" y="{_HIGH - 4}">{escape(points[0][0])}</text>'
        f'<text x="{_WIDE - _PAD}" y="{_HIGH - 4}" class="end">{escape(points[-1][0])}</text>'
        f'<text x="{last_x}" y="{last_y - 6:.1f}" class="end now">{_number(points[-1][1])}</text>'
    )
    told = f"{title}: {_number(points[-1][1])} at the end, {_number(points[0][1])} at the beginning"
    return _svg(_WIDE, _HIGH, told, f'{marks}<polyline points="{path}"/>{dots}', "curve", "img")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def _svg(wide: int, high: int, title: str, body: str, kind: str, role: str) -> Markup:
    return Markup(  # noqa: S704 - made of numbers, dates and escaped labels
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" class="{kind}" '
        f'role="{role}" aria-label="{escape(title)}">{body}</svg>'
    )
