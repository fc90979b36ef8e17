"""A growth digest as Markdown."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta

from clawgit.domain.digest.digest import (
    Digest,
    DigestConflict,
    DigestCorrection,
    DigestSection,
    Period,
    SoulChange,
)
from clawgit.domain.digest.entries import HEADINGS, KINDS, MERGED, LearnedEntry
from clawgit.domain.markdown.plain import plain
from clawgit.errors import counted

MOST = 40
"""A page shows at most this many rows of one kind for a period; `--json` has them all."""

_OPENS = re.compile(r"^([0-9]{0,9})([#>+=|.)-]|&gt;)")
ASKED = "Waiting for the operator: what is right?"
NOTHING = "Nothing was learned, and the soul did not change."


def markdown(digest: Digest) -> str:
    """The whole digest. Nothing that files or commits say becomes Markdown of ours."""
    lines = [f"# {plain(title(digest))}", "", plain(lead(digest)), ""]
    is_parted = len(digest.periods) > 1  # else the lead says what a headline would
    for period in digest.periods:
        lines += [f"## {plain(headline(period))}", ""] if is_parted else []
        lines += _period(period)
    if digest.open_conflicts:
        lines += ["## Open conflicts", "", *map(_conflict, digest.open_conflicts), ""]
    for section in digest.sections:
        lines += _section(section)
    return "\n".join(lines).rstrip("\n") + "\n"


def title(digest: Digest) -> str:
    return f"What {digest.agent} learned"


def lead(digest: Digest) -> str:
    """The first and the last moment, and the counts of everything in between."""
    counted = _counts(digest.periods)
    return f"{moment(digest.since)} to {moment(digest.until)}. {counted or NOTHING}"


def headline(period: Period) -> str:
    """The day or the days of a period, and its counts."""
    first, last = period.begin, period.end
    if first.date() == _last_day(last):
        days = f"{first:%A, %Y-%m-%d}"
    else:
        days = f"{first:%Y-%m-%d} to {_last_day(last)}"
    return f"{days}: {_counts([period]) or 'quiet'}"


def by_kind(learned: Iterable[LearnedEntry]) -> Iterator[tuple[str, list[LearnedEntry]]]:
    """The rows of each kind, without kinds that have none."""
    rows = list(learned)
    for kind in KINDS:
        of_kind = [row for row in rows if row.kind == kind]
        if of_kind:
            yield kind, of_kind


def more(hidden: int) -> str:
    return f"and {hidden} more; clawgit digest --json has them all"


def moment(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"


def _period(period: Period) -> Iterator[str]:
    for kind, rows in by_kind(period.learned):
        yield from (f"### {HEADINGS[kind]}", "")
        yield from map(_learned, rows[:MOST])
        yield from _rest(rows)
    for name, lines in _others(period):
        if lines:
            yield from (f"### {name}", "", *lines, "")


def _others(period: Period) -> Iterator[tuple[str, list[str]]]:
    yield "The soul", [line for change in period.soul for line in _soul(change)]
    yield "Corrected by the operator", [_set_right(one) for one in period.set_right]
    yield ASKED, [_set_right(one) for one in period.asked]


def _soul(change: SoulChange) -> Iterator[str]:
    yield f"- {_item(change.file)} · {plain(change.actor)} {plain(change.commit)}"
    yield from (f"  - {plain(line)}" for line in change.what[:MOST])
    yield f"  - why: {plain(change.why)}"
    if change.evidence:
        yield f"  - evidence: {', '.join(map(plain, change.evidence))}"
    yield f"  - take back: `{change.take_back}`"


def _conflict(conflict: DigestConflict) -> str:
    return f"- {_quoted(conflict.a)} or {_quoted(conflict.b)} ({plain(conflict.id)})"


def _set_right(correction: DigestCorrection) -> str:
    link = "or" if correction.is_asked else "not"
    wrong = f", {link} {_quoted(correction.said)}" if correction.said else ""
    return f"- {_quoted(correction.correct)}{wrong} ({plain(correction.id)})"


def _rest(rows: Sequence[LearnedEntry]) -> Iterator[str]:
    if len(rows) > MOST:
        yield f"- {more(len(rows) - MOST)}"
    yield ""


def _learned(learned: LearnedEntry) -> str:
    was = f" (was: {plain(learned.was)})" if learned.was else ""
    times = f", {learned.mentions} mentions" if learned.kind == MERGED else ""
    return (
        f"- {_item(learned.text)}{was} · {plain(learned.path)} {plain(learned.entry)}{times} · "
        f"{plain(learned.actor)} {learned.commit}"
    )


def _section(section: DigestSection) -> list[str]:
    return [f"## {plain(section.title)}", "", *(f"- {_item(line)}" for line in section.lines), ""]


def _counts(periods: Sequence[Period]) -> str:
    counts = [
        f"{count} {HEADINGS[kind].lower()}" for kind, count in count_by_kind(periods) if count
    ]
    others = (
        (sum(len(period.soul) for period in periods), "change of the soul", "changes of the soul"),
        (sum(len(period.set_right) for period in periods), "correction", ""),
        (sum(len(period.asked) for period in periods), "open question", ""),
    )
    counts += [counted(*count) for count in others if count[0]]
    return ", ".join(counts)


def count_by_kind(periods: Sequence[Period]) -> list[tuple[str, int]]:
    """How many entries of each kind there are, in the order of a digest."""
    counted = Counter(row.kind for period in periods for row in period.learned)
    return [(kind, counted[kind]) for kind in KINDS]


def _item(text: str) -> str:
    """Text at the beginning of a list item, where more signs than elsewhere would open a block."""
    return _OPENS.sub(lambda sign: f"{sign[1]}\\{sign[2]}", plain(text))


def _quoted(text: str) -> str:
    return f"“{plain(text)}”"


def _last_day(end: datetime) -> date:
    """The last day of a period. If it ends at midnight, that is the day before."""
    return (end - timedelta(microseconds=1)).date()
