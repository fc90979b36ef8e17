"""What each page shows, read from the answers of commands. A view gives a template its values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from clawgit.web.asking import Asker, RefusedError
from clawgit.web.charts import calendar, curve
from clawgit.web.items import entry as entry_of
from clawgit.web.wording import bare, by_word, told

Query = Mapping[str, str]
Values = dict[str, Any]

CHANGES_AT_ONCE, _ENTRIES_AT_ONCE = 30, 100

_FEW = 12
"""Lines of each file that a change in a list is told with."""

_POINTS = 12
"""Points of a curve: one a month."""

_CHAT = "chat:"


class Shown(NamedTuple):
    """One view: its title, its template, what it shows; a picture, which may take long to draw."""

    title: str
    template: str
    values: Callable[[Asker, Query], Values]
    chart: Callable[[Asker], str] | None = None


def _given(query: Query, names: Mapping[str, str]) -> list[str]:
    """The options of a command that a query names. Each is one word, so no value is an option."""
    return [f"{option}={query[name]}" for name, option in names.items() if query.get(name)]


def today(ask: Asker, _: Query) -> Values:
    """Where things stand. What could not be read says so; what is empty is not the same."""
    status = ask.read("status", "--all")
    parts = {name: _tried(ask, words) for name, words in _PARTS.items()}
    waiting = {
        name: len(part.value.get(name, ())) if part.value else 0
        for name, part in parts.items()
        if name in ("corrections", "conflicts", "proposals")
    }
    jobs = status["jobs"]
    return {
        "status": status,
        "parts": parts,
        "waiting": waiting,
        "days": _days(parts["commits"].value["commits"]) if parts["commits"].value else (),
        "failed": [job for job in jobs if job["trouble"]],
        "next": sorted((job for job in jobs if job["next"]), key=lambda job: job["next"])[:5],
    }


class Part(NamedTuple):
    """An answer, or why there is none."""

    value: Any
    trouble: str = ""


_PARTS = {
    "commits": ("log", "-p", "--since=yesterday", "-n", "20"),
    "corrections": ("corrections", "list", "--open"),
    "conflicts": ("conflicts", "list"),
    "proposals": ("soul", "proposals"),
}


def _tried(ask: Asker, words: Iterable[str]) -> Part:
    try:
        return Part(ask.read(*words))
    except RefusedError as error:
        return Part(None, error.message)


class Day(NamedTuple):
    """The changes of a day, newest first."""

    day: str
    changes: tuple[Values, ...]


def _days(commits: Iterable[Mapping[str, Any]]) -> list[Day]:
    shown = [{**commit, "lines": told(commit["files"] or (), _FEW)} for commit in commits]
    return [
        Day(day, tuple(changes)) for day, changes in groupby(shown, lambda each: each["time"][:10])
    ]


_LOG = {"by": "--by", "since": "--since", "until": "--until", "q": "--grep", "before": "--before"}


def timeline(ask: Asker, query: Query) -> Values:
    """A page of changes. `before` is where it begins, `more` where the next one does."""
    words = [*_given(query, _LOG), *(["--", query["path"]] if query.get("path") else [])]
    found = ask.read("log", "-p", "-n", str(CHANGES_AT_ONCE), *words)
    commits = found["commits"]
    quotes = _quoted(ask, {ref for commit in commits for ref in commit["evidence"]})
    return {
        "days": _days(commits),
        "quotes": quotes,
        "more": commits[-1]["sha"] if found["more"] else "",
        "filters": {name: query.get(name, "") for name in ("by", "path", "since", "until", "q")},
    }


def _quoted(ask: Asker, evidence: Iterable[str]) -> dict[str, Values]:
    """The message that a reference names, by the reference."""
    wanted = {ref for ref in evidence if ref.startswith(_CHAT)}
    if not wanted:
        return {}
    found = _tried(ask, ("chat", "search", *(f"--ref={ref}" for ref in sorted(wanted))))
    return _by_reference(found.value["messages"] if found.value else ())


def _by_reference(messages: Iterable[Values]) -> dict[str, Values]:
    """A message by both of its names: the one in its record, and the one that it had before."""
    return {_CHAT + message[name]: message
            for message in messages for name in ("record", "live") if message[name]}  # fmt: skip


def change(ask: Asker, query: Query) -> Values:
    """One change, whole."""
    shown = ask.read("show", "--", query["id"])
    return {
        "change": {**shown, "lines": told(shown["files"])},
        "quotes": _quoted(ask, shown["evidence"]),
    }


def strip(ask: Asker) -> str:
    """How much changed on each day of a year."""
    days = ask.read("log", "--days")["days"]
    now = datetime.fromisoformat(ask.read("context", "--budget", "0")["now"])
    return calendar({row["day"]: row["changes"] for row in days}, now.date())


def soul(ask: Asker, query: Query) -> Values:
    """The soul today, by line and who wrote it; its versions; what is proposed."""
    which = ["--identity"] if query.get("file") == "identity" else []
    return {
        "which": query.get("file", "soul"),
        "blame": ask.read("soul", "blame", *which),
        "versions": ask.read("soul", "log", "-n", "20", *which),
        "proposals": ask.read("soul", "proposals")["proposals"],
    }


def versions(ask: Asker, query: Query) -> Values:
    """Two versions of the soul side by side, by word."""
    a, b = query.get("a", ""), query.get("b", "")
    shown = ask.read("soul", "diff", "--", *filter(None, (a, b)))
    sections = [
        {**section, "reworded": [by_word(bare(old), bare(new)) for old, new in _pairs(section)]}
        for section in shown["sections"]
    ]
    return {"diff": {**shown, "sections": sections}}


def _pairs(section: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for pair in section["reworded"]:
        yield (pair[0], pair[1]) if isinstance(pair, list) else (pair["before"], pair["after"])


def drift(ask: Asker) -> str:
    """How far the soul had moved from what it is now, at each of its versions, oldest first."""
    found = ask.read("soul", "log", "-n", "200")["versions"]
    step = max(1, len(found) // _POINTS)
    picked = [*found[::step]][:_POINTS][::-1]
    points = [
        (version["time"][:10], ask.read("soul", "log", f"--drift={version['sha']}")["distance"])
        for version in picked
    ]
    return curve(points, "How far the soul has moved since", most=1.0)


_LIST = {"tag": "--tag", "file": "--file", "status": "--status", "since": "--since"}


def memory(ask: Asker, query: Query) -> Values:
    """The entries by file, tag, confidence, status and day."""
    found = ask.read("memory", "list", "-n", "2000", *_given(query, _LIST))
    entries = [row for row in found["entries"] if _is_sure(row, query.get("confidence", ""))]
    start = _number(query.get("from", ""))
    end = start + _ENTRIES_AT_ONCE
    page = groupby(entries[start:end], lambda row: str(row["path"]))
    return {
        "files": [(path, tuple(rows)) for path, rows in page],
        "count": len(entries),
        "more": end if len(entries) > end else 0,
        "cut": found["more"],
        "filters": {name: query.get(name, "") for name in (*_LIST, "confidence")},
    }


def _number(text: str) -> int:
    return int(text[:9]) if text.isascii() and text.isdigit() else 0


def _is_sure(row: Mapping[str, Any], least: str) -> bool:
    try:
        return not least or (row["confidence"] or 0.0) >= float(least)
    except ValueError:
        return True


_ENTRY_LINE = re.compile(r"^(.+)#L(\d+)")


def entry(ask: Asker, query: Query) -> Values:
    """The life of an entry, from the message it came from to today."""
    key = query["id"]
    life = ask.read("why", "--", key)
    changes = [
        {**turn, "spans": by_word(bare(below["text"]), bare(turn["text"])) if below else ()}
        for turn, below in zip(life["changes"], [*life["changes"][1:], None], strict=True)
    ]
    there = life["state"] != "removed"
    item = entry_of(ask, key) if there else None
    refs = {ref for turn in changes for ref in turn["evidence"]}
    corrections = [
        row for row in ask.read("corrections", "list")["corrections"] if key in row["was"].split()
    ]
    conflicts = [
        row
        for row in ask.read("conflicts", "list", "--all")["conflicts"]
        if key in (row["a"].get("id"), row["b"].get("id"))
    ]
    return {
        "life": {**life, "text": bare(life["text"]), "changes": changes},
        "entry": item,
        "quotes": _quoted(ask, {*refs, *(item["evidence"] if item else ())}),
        "corrections": corrections,
        "conflicts": conflicts,
        "slots": [*_slots_of(ask, life)] if there else [],
    }


def _slots_of(ask: Asker, life: Mapping[str, Any]) -> Iterator[str]:
    """In which slots of the context the entry stands now."""
    for slot in ask.read("context")["slots"]:
        lines = filter(None, map(_ENTRY_LINE.match, slot["sources"]))
        if any(line[1] == life["path"] and int(line[2]) == life["line"] for line in lines):
            yield slot["name"]


def search(ask: Asker, query: Query) -> Values:
    """What answers a question, now or as of a day."""
    filters = {name: query.get(name, "") for name in ("q", "at", "explain")}
    if not query.get("q"):
        return {"found": None, "filters": filters}
    words = ["memory", "search", *_given(query, {"at": "--at"})]
    if query.get("explain"):
        words.append("--explain")
    return {"found": ask.read(*words, "--", query["q"]), "filters": filters}


def decide(ask: Asker, _: Query) -> Values:
    """All that waits for the operator, oldest first."""
    rows: list[tuple[str, str, Mapping[str, Any]]] = [
        *(("correction", row["time"], row)
          for row in ask.read("corrections", "list", "--open")["corrections"]),
        *(("conflict", row["time"] or "", row)
          for row in ask.read("conflicts", "list")["conflicts"]),
        *(("proposal", row["time"], row) for row in ask.read("soul", "proposals")["proposals"]),
    ]  # fmt: skip
    trust = ask.read("trust")
    queue = sorted(rows, key=lambda row: row[1])
    return {
        "queue": queue,
        "pending": trust["pending"],
        "texts": trust["texts"],
        "quotes": _quoted(ask, {row["evidence"] for kind, _, row in rows if kind == "correction"}),
    }


def context(ask: Asker, query: Query) -> Values:
    """What a conversation would start with now."""
    words = [f"--message={query['q']}"] if query.get("q") else []
    return {"context": ask.read("context", "--explain", *words), "q": query.get("q", "")}


def growth(ask: Asker) -> str:
    """How many entries there are, by the day from which each is."""
    rows = ask.read("memory", "list", "--status=all", "-n", "1000000")["entries"]
    days = sorted(row["day"] for row in rows if row["day"])
    if not days:
        return ""
    first, last = date.fromisoformat(days[0]), date.fromisoformat(days[-1])
    span = max((last - first).days, 1)
    points = []
    for number in range(_POINTS + 1):
        day = (first + timedelta(days=span * number // _POINTS)).isoformat()
        points.append((day, float(sum(each <= day for each in days))))
    return curve(points, "Entries over time")


VIEWS: dict[str, Shown] = {
    "": Shown("Today", "today.html", today),
    "timeline": Shown("Timeline", "timeline.html", timeline, strip),
    "soul": Shown("Soul", "soul.html", soul, drift),
    "memory": Shown("Memory", "memory.html", memory, growth),
    "search": Shown("Search", "search.html", search),
    "decide": Shown("Decide", "decide.html", decide),
    "context": Shown("Context", "context.html", context),
}
"""The views of the bar, by their addresses."""

PAGES: dict[str, Shown] = {
    "change": Shown("Change", "change.html", change),
    "entry": Shown("Entry", "entry.html", entry),
    "versions": Shown("Two versions", "versions.html", versions),
}
"""Those that others lead to."""
