"""Lists the entries of memory, and finds the one that a user names."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice, starmap
from typing import NamedTuple

from clawgit.domain.facts.confidence import confidence
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import content_key, entries
from clawgit.domain.markdown.statuses import IN_USE, STATUSES
from clawgit.domain.workspace.tiers import NOTEBOOKS, dated, tier
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.change.history import moment
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance, relative_path
from clawgit.stores.index.discover import ARCHIVE, EXPIRED, EXTRA, MEMORY, discover

LIMIT = 100
"""Entries that `memory list` lists by default."""

ANY = "all"
"""The filter for entries of any status."""

_IN_USE = frozenset({MEMORY, EXTRA})
_PUT_AWAY = frozenset({ARCHIVE, EXPIRED})


class EntryFilter(NamedTuple):
    """Only entries that fit all that is given. Without a status, those in use.

    `until`: said up to this day; `grep`: a text in it; `sure`: of at least this confidence.
    """

    tag: str = ""
    file: str = ""
    since: str = ""
    status: str = ""
    until: str = ""
    grep: str = ""
    sure: float = 0.0


EVERY = EntryFilter()


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry. `key` addresses it: its id, else `h` and seven digits of the hash of its text.

    `day` is when it was last said, else the day of its note; `source` is explicit, inferred,
    correction, or empty for an entry written by hand.
    """

    key: str
    id: str | None
    text: str
    tags: tuple[str, ...]
    path: str
    line: int
    day: date | None
    confidence: float
    mentions: int
    source: str
    status: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryList:
    """Entries by file: the notebook, then topics by name, then days, the newest first.

    `more`: the limit left some out.
    """

    entries: tuple[ListedEntry, ...]
    more: bool


class Counted(NamedTuple):
    name: str
    entries: int


class MonthOfEntries(NamedTuple):
    """What was last said in a month, and how sure that is today on average."""

    month: str
    entries: int
    confidence: float


@dataclass(frozen=True, slots=True)
class EntryCounts:
    """How many entries there are: by file in the order of a list, by tag and status the most used
    first, by month the oldest first; those without a day are in no month.
    """

    entries: int
    files: tuple[Counted, ...]
    tags: tuple[Counted, ...]
    statuses: tuple[Counted, ...]
    months: tuple[MonthOfEntries, ...]


def listed(
    workspace: Workspace, wanted: EntryFilter = EVERY, limit: int | None = LIMIT, skip: int = 0
) -> EntryList:
    """The entries of memory in the files on disk, without the first ones that `skip` counts."""
    end = None if limit is None else skip + limit + 1
    places = list(islice(_chosen(workspace, wanted), skip, end))
    shown = tuple(as_listed(workspace, place) for place in places[:limit])
    return EntryList(shown, more=len(places) > len(shown))


def counted(workspace: Workspace, wanted: EntryFilter = EVERY) -> EntryCounts:
    """The same entries, only counted."""
    rows = [as_listed(workspace, place) for place in _chosen(workspace, wanted)]
    months: dict[str, list[float]] = {}
    for row in rows:
        if row.day:
            months.setdefault(f"{row.day:%Y-%m}", []).append(row.confidence)
    return EntryCounts(
        len(rows),
        tuple(starmap(Counted, Counter(row.path for row in rows).items())),
        tuple(starmap(Counted, Counter(tag for row in rows for tag in row.tags).most_common())),
        tuple(starmap(Counted, Counter(row.status for row in rows).most_common())),
        tuple(MonthOfEntries(month, len(sure), sum(sure) / len(sure))
              for month, sure in sorted(months.items())),
    )  # fmt: skip


def _chosen(workspace: Workspace, wanted: EntryFilter) -> Iterator[EntryPlace]:
    if wanted.status not in ("", ANY, *STATUSES):
        raise UsageError(
            f"{wanted.status!r} is not a status.", hint=f"One of {', '.join((*STATUSES, ANY))}."
        )
    first = _day(workspace, wanted.since, date.min)
    last = _day(workspace, wanted.until, date.max)
    is_dated = bool(wanted.since or wanted.until)
    settings, today = workspace.config.settings, workspace.today
    for place in _places(workspace, _files(workspace, wanted)):
        if is_dated and not (place.day and first <= place.day <= last):
            continue
        sure = confidence(place.entry.meta, settings, today)
        if _fits(place, wanted) and sure >= wanted.sure:
            yield place


def _day(workspace: Workspace, text: str, otherwise: date) -> date:
    when = moment(workspace, text)
    return when.date() if when else otherwise


def count(workspace: Workspace) -> int:
    """How many entries a list without filters has."""
    return sum(_fits(place, EVERY) for place in _places(workspace, memory_files(workspace)))


def named(workspace: Workspace, address: str) -> EntryPlace:
    """The one entry with this id, content hash, or PATH:LINE."""
    places = _at_line(workspace, address) if ":" in address else _with_key(workspace, address)
    if not places:
        raise NotFoundError(
            f"There is no entry {address}.",
            hint="`clawgit memory list` shows what there is, `clawgit why ID` what became of one.",
        )
    if len(places) > 1:
        raise UsageError(
            f"{address} is in {len(places)} entries: {', '.join(map(str, places))}.",
            hint=f"Name one of them by its line, such as {places[0]}.",
        )
    return places[0]


def as_listed(workspace: Workspace, place: EntryPlace) -> ListedEntry:
    entry = place.entry
    meta = entry.meta or Meta("")
    return ListedEntry(
        key=entry.key,
        id=meta.id or None,
        text=entry.text,
        tags=entry.tags,
        path=place.path,
        line=entry.line,
        day=place.day,
        confidence=confidence(entry.meta, workspace.config.settings, workspace.today),
        mentions=meta.n,
        source=meta.src,
        status=place.status,
        evidence=meta.evidence,
    )


def memory_files(workspace: Workspace, sources: frozenset[str] = _IN_USE) -> list[str]:
    """The files whose items are entries, in the order of a list."""
    searched = discover(reach_of(workspace))
    mine = (path for path, seen in searched.items() if seen.source in sources)
    return sorted(filter(workspace.scope.covers, mine), key=_rank)


def _rank(path: str) -> tuple[bool, bool, int, str]:
    """The notebook, then memory by its place, then what is only searched; new days first."""
    day = dated(path)
    newest = -day.toordinal() if day else -date.max.toordinal() - 1
    return path not in NOTEBOOKS, not tier(path), newest, path


def _files(workspace: Workspace, wanted: EntryFilter) -> list[str]:
    if not wanted.file:
        is_put_away = wanted.status not in ("", *IN_USE)
        return memory_files(workspace, _IN_USE | _PUT_AWAY if is_put_away else _IN_USE)
    named = relative_path(workspace.root, wanted.file)
    files = [
        path
        for path in memory_files(workspace, _IN_USE | _PUT_AWAY)
        if path == named or path.startswith(f"{named}/")
    ]
    if not files:
        raise NotFoundError(
            f"{wanted.file} is not a file of memory.",
            hint="`clawgit memory list` names those it has.",
        )
    return files


def _places(workspace: Workspace, files: Iterable[str]) -> Iterator[EntryPlace]:
    for path in files:
        yield from (EntryPlace(path, entry) for entry in entries(glance(workspace.root, path)))


def _fits(place: EntryPlace, wanted: EntryFilter) -> bool:
    tag = wanted.tag.removeprefix("#").casefold()
    if tag and tag not in map(str.casefold, place.entry.tags):
        return False
    if wanted.grep and wanted.grep.casefold() not in place.entry.text.casefold():
        return False
    if wanted.status == ANY:
        return True
    return place.status == wanted.status if wanted.status else place.status in IN_USE


def _at_line(workspace: Workspace, address: str) -> list[EntryPlace]:
    path, _, number = address.rpartition(":")
    if not (number.isascii() and number.isdecimal()):
        return []
    path = relative_path(workspace.root, path)
    files = [path] if path in memory_files(workspace, _IN_USE | _PUT_AWAY) else []
    return [
        place
        for place in _places(workspace, files)
        if place.entry.line <= int(number) <= place.entry.end_line
    ]


def _with_key(workspace: Workspace, key: str) -> list[EntryPlace]:
    """The entries with a key. If one is both in use and in an archive, the one in use."""
    for sources in (_IN_USE, _PUT_AWAY):
        files = memory_files(workspace, sources)
        places = [
            place
            for place in _places(workspace, files)
            if key in (place.entry.key, content_key(place.entry.text))
        ]
        if places:
            return places
    return []
