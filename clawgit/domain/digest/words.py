"""A growth digest as Markdown, and what both of its pages say in the same words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta

from clawgit.domain.digest.digest import Digest, Disagreement, Foreign, Period, Section, SoulChange
from clawgit.domain.digest.entries import KINDS, Learned
from clawgit.domain.markdown.plain import plain

MOST = 40
"""Rows of one kind that a page shows of a period; `--json` has them all."""

_OPENS = re.compile(r"^([0-9]{0,9})([#>+=|.)-]|&gt;)")
HEADINGS = {
    "added": "New",
    "corrected": "Corrected",
    "superseded": "Superseded",
    "archived": "Archived",
    "removed": "Removed",
    "reworded": "Reworded",
    "moved": "Moved",
    "merged": "Heard again",
}
NOTHING = "Nothing was learned, and the soul stands as it did."


def markdown(digest: Digest) -> str:
    """The whole digest. Nothing that files or commits say becomes Markdown of ours."""
    lines = [f"# {plain(title(digest))}", "", plain(lead(digest)), ""]
    for period in digest.periods:
        lines += _period(period)
    if digest.open_conflicts:
        lines += ["## Open conflicts", "", *map(_conflict, digest.open_conflicts), ""]
    for section in digest.sections:
        lines += _section(section)
    return "\n".join(lines).rstrip("\n") + "\n"


def title(digest: Digest) -> str:
    return f"What {digest.agent} learned"


def lead(digest: Digest) -> str:
    """From when to when, and what there is in all of it."""
    counted = _counts(digest.periods)
    return f"{moment(digest.since)} to {moment(digest.until)}. {counted or NOTHING}"


def headline(period: Period) -> str:
    """The day, or the days from the first to the last."""
    first, last = period.begin, period.end
    days = (
        f"{first:%A, %Y-%m-%d}"
        if _is_one_day(first, last)
        else f"{first:%Y-%m-%d} to {_last_day(last)}"
    )
    return f"{days}: {_counts([period]) or 'quiet'}"


def by_kind(learned: Iterable[Learned]) -> Iterator[tuple[str, list[Learned]]]:
    """The rows of each kind that there are."""
    rows = list(learned)
    for kind in KINDS:
        if found := [one for one in rows if one.kind == kind]:
            yield kind, found


def more(hidden: int) -> str:
    return f"and {hidden} more; clawgit digest --json has them all"


def foreign(one: Foreign) -> str:
    return f"{one.actor}: {many(one.commits, 'commit')}, {many(len(one.files), 'file')}"


def moment(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"


def _period(period: Period) -> Iterator[str]:
    yield from (f"## {plain(headline(period))}", "")
    for kind, rows in by_kind(period.learned):
        yield from (f"### {HEADINGS[kind]}", "")
        yield from map(_learned, rows[:MOST])
        yield from _rest(rows)
    for name, lines in _others(period):
        if lines:
            yield from (f"### {name}", "", *lines, "")


def _others(period: Period) -> Iterator[tuple[str, list[str]]]:
    yield "The soul", [line for one in period.soul for line in _soul(one)]
    yield (
        "Set right by the operator",
        [
            f"- {_quoted(one.correct)}"
            + (f", not {_quoted(one.said)}" if one.said else "")
            + f" ({plain(one.id)})"
            for one in period.corrections
        ],
    )
    yield "Conflicts settled", [_conflict(one) for one in period.settled]
    yield (
        "Compacted",
        [
            f"- {_item(one.summary)}: {many(one.entries, 'entry', 'entries')} ({plain(one.commit)})"
            for one in period.compactions
        ],
    )
    yield "Written by others", [f"- {_item(foreign(one))}" for one in period.foreign]


def _rest(rows: Sequence[Learned]) -> Iterator[str]:
    if len(rows) > MOST:
        yield f"- {more(len(rows) - MOST)}"
    yield ""


def _learned(one: Learned) -> str:
    was = f" (was: {plain(one.was)})" if one.was else ""
    times = f", {one.mentions} mentions" if one.kind == "merged" else ""
    return (
        f"- {_item(one.text)}{was} · {plain(one.path)} {plain(one.entry)}{times} · "
        f"{plain(one.actor)} {one.commit}"
    )


def _soul(change: SoulChange) -> Iterator[str]:
    yield (
        f"- {_item(change.file)}: {plain(change.summary)} · {plain(change.actor)} "
        f"{plain(change.commit)}"
    )
    for one in change.what[:MOST]:
        was = f"{plain(one.was)} → " if one.was else ""
        yield f"  - {plain(one.section or 'top')}, {one.kind}: {was}{plain(one.text)}"
    if change.why:
        yield f"  - why: {plain(change.why)}"
    if change.evidence:
        yield f"  - evidence: {', '.join(map(plain, change.evidence))}"
    yield f"  - take back: `{change.take_back}`"


def _conflict(one: Disagreement) -> str:
    return f"- {_quoted(one.a)} or {_quoted(one.b)}: {plain(one.outcome)} ({plain(one.id)})"


def _section(section: Section) -> list[str]:
    return [f"## {plain(section.title)}", "", *(f"- {_item(line)}" for line in section.lines), ""]


def _counts(periods: Sequence[Period]) -> str:
    rows = [one for period in periods for one in period.learned]
    counted = [(sum(one.kind == kind for one in rows), HEADINGS[kind].lower()) for kind in KINDS]
    soul = sum(len(period.soul) for period in periods)
    right = sum(len(period.corrections) for period in periods)
    said = [f"{count} {name}" for count, name in counted if count]
    said += [many(soul, "change of the soul", "changes of the soul")] * bool(soul)
    said += [many(right, "correction")] * bool(right)
    return ", ".join(said)


def _item(text: str) -> str:
    """Text as the first of a list item, where a few more signs would open a block."""
    return _OPENS.sub(lambda sign: f"{sign[1]}\\{sign[2]}", plain(text))


def many(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"


def _quoted(text: str) -> str:
    return f"“{plain(text)}”"


def _is_one_day(first: datetime, last: datetime) -> bool:
    return first.date() == _last_day(last)


def _last_day(end: datetime) -> date:
    """A period that ends at midnight has the day before for its last."""
    return (end - timedelta(microseconds=1)).date()
