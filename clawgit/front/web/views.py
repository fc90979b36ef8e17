"""What each page shows, read from the answers of commands. A view gives a template its values. And
what pictures are made of: how much changed, how the soul moved, how memory grew.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import accumulate, groupby
from typing import Any
from urllib.parse import urlencode

from clawgit.core import NamedTuple
from clawgit.core.errors import counted
from clawgit.front.web import asking as items
from clawgit.front.web.asking import (
    DECIDED,
    Asker,
    Part,
    Values,
    all_waiting,
    beside,
    has_versions,
    is_elsewhere,
    queue_of,
    tried,
)
from clawgit.front.web.wording import MOST_LINES, bare, by_word, local, told
from clawgit.language.days import last_day

Query = Mapping[str, str]

_CHANGES_AT_ONCE, _ENTRIES_AT_ONCE, _VERSIONS = 30, 100, 20

_FEW = 12
"""Lines of each file that a change in a list is told with."""

_CHAT = "chat:"


class Shown(NamedTuple):
    """One view: its title, its template, what it shows."""

    title: str
    template: str
    values: Callable[[Asker, Query], Values]


def _given(query: Query, names: Iterable[str]) -> list[str]:
    """The options of a command that a query names. Each is one word, so no value is an option."""
    return [f"--{_OPTIONS.get(name, name)}={query[name]}" for name in names if query.get(name)]


_OPTIONS = {"q": "grep"}


def today(ask: Asker, _: Query) -> Values:
    """Where things stand. What could not be read says so; what is empty is not the same."""
    status = ask.read("status", "--all")
    changes = tried(ask.read, "log", "--since=yesterday", "-n", str(_DAYS_MOST))
    commits = changes.value["commits"] if changes.value else ()
    return {
        "status": status,
        # What waits is told above; of the rest, what was done, and what is done at the terminal.
        "alerts": [
            row for row in items.one_a_change(status["alerts"]) if row["id"] or is_elsewhere(row)
        ],
        "since": _since_yesterday(changes),
        "changes": commits[:_FEW],
        "more": max(0, len(commits) - _FEW),
        **_waiting(ask),
        **_jobs(status["jobs"]),
    }


def _waiting(ask: Asker) -> Values:
    """What waits for the operator, of what nothing does, and what could not be read."""
    waits, empty, broken = [], [], []
    for kind, part in all_waiting(ask).items():
        nouns = DECIDED[kind]
        if part.trouble:
            broken.append((nouns[1], part.trouble))
        elif part.value and kind != "alert":  # those stand above
            waits.append((kind, counted(len(part.value), *nouns)))
        elif not part.value:
            empty.append(nouns[1])
    return {"waits": waits, "empty": empty, "broken": broken}


def _jobs(jobs: Iterable[Values]) -> Values:
    coming = [job for job in jobs if job["next"] and not job["late"]]
    return {
        "failed": [job for job in jobs if job["trouble"]],
        "late": [job for job in jobs if job["late"]],
        "next": sorted(coming, key=lambda job: str(job["next"]))[:5],
    }


_DAYS_MOST = 1000
"""Changes since yesterday that are counted."""

_WHO = {"agent": "the agent", "operator": "the operator", "unknown": "somebody unknown"}


def _since_yesterday(changes: Part) -> str:
    """The sentence of who changed how much."""
    if not changes.value:
        return f"The changes could not be read: {changes.trouble}"
    by = Counter(change["actor"] for change in changes.value["commits"])
    if not by:
        return "Nothing was changed since yesterday."
    parts = [f"{number:,} by {_WHO.get(actor, actor)}" for actor, number in by.most_common()]
    told = f"{', '.join(parts[:-1])} and {parts[-1]}" if parts[1:] else parts[0]
    more = "more than " * changes.value["more"]
    return f"Since yesterday: {more}{counted(by.total(), 'change')}, {told}."


def _days(commits: Iterable[Mapping[str, Any]]) -> list[Values]:
    """The changes by day, newest first."""
    days = groupby(commits, lambda each: local(each["time"]).date().isoformat())
    return [{"day": day, "changes": [_told(row, _FEW) for row in rows]} for day, rows in days]


def _told(row: Mapping[str, Any], most: int = MOST_LINES) -> Values:
    """A change as lines, with its mark."""
    return {**row, "lines": told(row["files"], most), "seal": items.seal(items.change(row))}


_LOG = ("by", "kind", "since", "until", "q")


def timeline(ask: Asker, query: Query, most: int = _CHANGES_AT_ONCE) -> Values:
    """A page of changes. `before` is where it begins, `more` the address of the next one."""
    filters = {name: query.get(name, "") for name in (*_LOG, "path")}
    words = _given(query, (*_LOG, "before"))
    words += ["--", query["path"]] if query.get("path") else []
    found = ask.read("log", "-p", "-n", str(most), *words)
    commits = found["commits"]
    quotes = _quoted(ask, {ref for commit in commits for ref in commit["evidence"]})
    return {
        "days": _days(commits),
        "quotes": quotes,
        "more": _address("timeline", filters, before=commits[-1]["sha"]) if found["more"] else "",
        "here": _address("timeline", filters, before=query.get("before", "")),
        "filters": filters,
        **ask.made(strip),
    }


def _address(view: str, filters: Query, **more: str) -> str:
    """A view with what it is narrowed to."""
    return f"{view}?{urlencode({name: text for name, text in {**filters, **more}.items() if text})}"


def _quoted(ask: Asker, evidence: Iterable[str]) -> dict[str, Values]:
    """The message that a reference names, by the reference."""
    wanted = {ref for ref in evidence if ref.startswith(_CHAT)}
    if not wanted:
        return {}
    found = tried(ask.read, "chat", "search", *(f"--ref={ref}" for ref in sorted(wanted)))
    return _by_reference(found.value["messages"] if found.value else ())


def _by_reference(messages: Iterable[Values]) -> dict[str, Values]:
    """A message by both of its names: the one in its record, and the one that it had before."""
    return {_CHAT + message[name]: message
            for message in messages for name in ("record", "live") if message[name]}  # fmt: skip


def change(ask: Asker, query: Query) -> Values:
    """One change, whole."""
    shown = ask.read("show", "--", query["id"])
    return {"change": _told(shown), "quotes": _quoted(ask, shown["evidence"])}


def soul(ask: Asker, query: Query) -> Values:
    """The soul today, by line and who wrote it; its versions; what is proposed."""
    which = _which(query)
    blame = ask.read("soul", "blame", *which)
    shown = max(_VERSIONS, min(_number(query.get("n", "")), 10 * _DAYS_MOST))
    is_operator = bool(query.get("operator"))
    proposals = items.listed(ask, items.LISTINGS["proposal"], as_operator=is_operator)
    return {
        "which": query.get("file", "soul"),
        "here": _address("soul", {}, file=query.get("file", ""), n=query.get("n", "")),
        "lines": [*_by_writer(blame["lines"])],
        "versions": ask.read("soul", "log", "-n", str(shown), *which),
        "older": 5 * shown,
        **ask.made(drift),
        "proposals": [
            beside(ask, "proposal", {**row}) for row in proposals if blame["path"] in row["paths"]
        ],
    }


def _which(query: Query) -> list[str]:
    return ["--identity"] if query.get("file") == "identity" else []


def _by_writer(lines: Iterable[Mapping[str, Any]]) -> Iterator[Values]:
    """Lines of Markdown; `same`: by whom and when the one above is, too; `level` of a heading."""
    writer = None
    for line in filter(lambda line: line["text"].strip(), lines):
        marks, _, heading = line["text"].partition(" ")
        level = 0 if marks.strip("#") else len(marks)
        same, writer = line["sha"] == writer, line["sha"]
        yield {**line, "same": same, "level": level, "words": heading if level else line["text"]}


def versions(ask: Asker, query: Query) -> Values:
    """Two versions of the soul side by side, by word."""
    named = filter(None, (query.get("a"), query.get("b")))
    shown = ask.read("soul", "diff", *_which(query), "--", *named)
    sections = [
        {**part, "reworded": [by_word(bare(old), bare(new)) for old, new in part["reworded"]]}
        for part in shown["sections"]
    ]
    return {"diff": {**shown, "sections": sections}}


_LIST = ("tag", "file", "status", "since", "until", "q", "sure")
_STATUSES = ("", "active", "disputed", "corrected", "superseded", "archived", "all")


def memory(ask: Asker, query: Query, most: int = _ENTRIES_AT_ONCE) -> Values:
    """A page of the entries by file, tag, confidence, status, day and word."""
    start = _number(query.get("from", ""))
    filters = {name: query.get(name, "") for name in _LIST}
    words = ["-n", str(most), f"--skip={start}", *_given(query, _LIST)]
    found = ask.read("memory", "list", *words)
    entries = found["entries"]
    end = start + len(entries)
    return {
        "files": [(path, tuple(rows)) for path, rows in groupby(entries, lambda row: row["path"])],
        "first": start + 1 if entries else 0,
        "last": end,
        "more": _address("memory", filters, **{"from": str(end)}) if found["more"] else "",
        "filters": filters,
        "statuses": _STATUSES,
        **ask.made(counts),
    }


def _number(text: str) -> int:
    return int(text[:9]) if text.isascii() and text.isdigit() else 0


def counts(ask: Asker) -> Values:
    """How many entries that hold there are, by what they may be narrowed to."""
    found = ask.read("memory", "list", "--count")
    months = [
        {"entries": row["entries"], "since": f"{row['month']}-01", "until": _end(row["month"]),
         "name": f"{date.fromisoformat(row['month'] + '-01'):%B %Y}"}
        for row in reversed(found["months"])
    ]  # fmt: skip
    return {"counts": {**found, "months": months}}


def _end(month: str) -> str:
    return f"{month}-{last_day(*map(int, month.split('-')))}"


_ENTRY_LINE = re.compile(r"^(.+)#L(\d+)")


def entry(ask: Asker, query: Query) -> Values:
    """The life of an entry, from the message it came from to today."""
    key = query["id"]
    life = ask.read("why", "--", key)
    changes = [
        {
            **turn,
            "text": bare(turn["text"]),
            "spans": by_word(bare(below["text"]), bare(turn["text"])) if below else (),
        }
        for turn, below in zip(life["changes"], [*life["changes"][1:], None], strict=True)
    ]
    there = life["state"] != "removed"
    item = items.entry(ask, key) if there else None
    refs = {ref for turn in changes for ref in turn["evidence"]}
    refs |= {*(item["evidence"] if item else ())}
    return {
        "key": key,
        "life": {**life, "text": bare(life["text"]), "changes": changes, "seal": items.seal(life)},
        "entry": item,
        "quotes": _quoted(ask, refs),
        **_contested(ask, key, refs),
        "slots": [*_slots_of(ask, life)] if there else [],
        "removal": None if there or not changes else _removal(ask, changes[0]["sha"]),
    }


def _contested(ask: Asker, key: str, refs: Iterable[str]) -> Values:
    """The corrections and the conflicts of an entry."""
    # A correction may have given the entry a new id, and is named by it then.
    return {
        "corrections": [
            row
            for row in ask.read("corrections", "list")["corrections"]
            if row["was"].partition(" ")[0] == key or f"CORRECTIONS.md#{row['id']}" in refs
        ],
        "conflicts": [
            row
            for row in ask.read("conflicts", "list", "--all")["conflicts"]
            if key in (row["a"]["key"], row["b"]["key"])
        ],
    }


def _removal(ask: Asker, sha: str) -> Values:
    """The change that removed an entry, and what else it did."""
    shown = _told(ask.read("show", "--", sha))
    return {**shown, "others": sum(len(file.lines) for file in shown["lines"]) - 1}


def _slots_of(ask: Asker, life: Mapping[str, Any]) -> Iterator[str]:
    """In which slots of the context the entry stands now."""
    for slot in ask.read("context")["slots"]:
        lines = filter(None, map(_ENTRY_LINE.match, slot["sources"]))
        if any(line[1] == life["path"] and int(line[2]) == life["line"] for line in lines):
            yield slot["name"].replace("_", " ")


def search(ask: Asker, query: Query) -> Values:
    """What answers a question, now or as of a day."""
    filters = {name: query.get(name, "") for name in ("q", "at", "explain")}
    if not query.get("q"):
        return {"found": None, "filters": filters}
    words = ["memory", "search", *_given(query, ["at"])]
    if query.get("explain"):
        words.append("--explain")
    found = ask.read(*words, "--", query["q"])
    hits = [
        {**hit, "file": "" if hit["agent"] or hit["source"] == "sessions" else hit["path"]}
        for hit in found["results"]
    ]
    return {"found": {**found, "results": hits}, "filters": filters}


AT_ONCE = 20
"""How much of what waits is shown at once."""


def decide(ask: Asker, query: Query) -> Values:
    """All that waits for the operator, oldest first; what could not be read; and what the page has
    no form for.
    """
    start = _number(query.get("from", ""))
    parts = all_waiting(ask, as_operator=bool(query.get("operator")))
    only, end = query.get("kind", ""), start + AT_ONCE
    queue = [waits for waits in queue_of(parts) if only in ("", waits[0])]
    shown = [beside(ask, *waits) for waits in queue[start:end]]
    return {
        "queue": shown,
        "only": only,
        "count": len(queue),
        "more": end if len(queue) > end else 0,
        "broken": [*dict.fromkeys(part.trouble for part in parts.values() if part.trouble)],
        "elsewhere": [*filter(is_elsewhere, parts["alert"].value)],
        "quotes": _quoted(ask, {ref for each in shown for ref in each.more.get("evidence", ())}),
    }


def context(ask: Asker, query: Query) -> Values:
    """What a conversation would start with now."""
    words = [f"--message={query['q']}"] if query.get("q") else []
    found = ask.read("context", "--explain", *words)
    most = max(1, *(max(slot["budget"], slot["tokens"]) for slot in found["slots"]))
    slots = [
        {**slot, "title": slot["name"].replace("_", " "), "text": slot["text"].strip()}
        for slot in found["slots"]
    ]  # fmt: skip
    shown = {**found, "slots": slots}
    return {"context": shown, "most": most, "q": query.get("q", ""), **ask.made(growth)}


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
    picked = found[::step][:_POINTS][::-1]
    points = [
        (version["time"][:10], ask.read("soul", "log", f"--drift={version['sha']}")["distance"])
        for version in picked
    ]
    return {"chart": curve(points, most=0.2), "has_identity": has_versions(ask, "--identity")}


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
        Point(
            _PAD + step * number,
            _HIGH - _PAD - value * rise,
            label,
            f"{value:,.0f}" if value == int(value) else f"{value:.2f}",
        )
        for number, (label, value) in enumerate(points)
    ]


FLEET = "fleet"


def fleet(ask: Asker, _: Query) -> Values:
    """The fleet that CLAWGIT_FLEET names. It moves by itself, so it is asked anew."""
    ask.forget()
    return {"fleet": ask.read("fleet", "status")}


VIEWS: dict[str, Shown] = {
    "": Shown("Today", "today.html", today),
    "timeline": Shown("Timeline", "timeline.html", timeline),
    "soul": Shown("Soul", "soul.html", soul),
    "memory": Shown("Memory", "memory.html", memory),
    "search": Shown("Search", "search.html", search),
    "decide": Shown("Decide", "decide.html", decide),
    "context": Shown("Context", "context.html", context),
    FLEET: Shown("Fleet", "fleet.html", fleet),
}
"""The views of the bar, by their addresses; the fleet's where there is one."""

PAGES: dict[str, Shown] = {
    "change/{id}": Shown("Change", "change.html", change),
    "entry/{id}": Shown("Entry", "entry.html", entry),
    "versions": Shown("Two versions", "versions.html", versions),
}
"""Those that others lead to."""
