"""Lists the entries of memory, and finds the one that a user names."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import chain, islice, starmap

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError, refuse_unknown
from clawgit.core.markdown.comment import IN_USE, STATUSES
from clawgit.core.markdown.entry import Entry, content_key, entries
from clawgit.core.tiers import NOTEBOOKS, dated, tier
from clawgit.git.worktree import relative_path
from clawgit.memory.rules.fact import ListedEntry, as_listed
from clawgit.workspace.discover import ARCHIVE, EXPIRED, EXTRA, MEMORY, discover
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace

ANY = "all"
"""The filter for entries of any status."""

_LIVE = frozenset({MEMORY, EXTRA})
_ALL = _LIVE | {ARCHIVE, EXPIRED}


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

    def takes(self, entry: Entry) -> bool:
        """Whether an entry fits, whatever its day and its confidence."""
        tag = self.tag.removeprefix("#").casefold()
        if tag and tag not in map(str.casefold, entry.tags):
            return False
        if self.grep and self.grep.casefold() not in entry.text.casefold():
            return False
        return self.status == ANY or entry.status in ({self.status} if self.status else IN_USE)


EVERY = EntryFilter()


class EntryList(NamedTuple):
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


class EntryCounts(NamedTuple):
    """How many entries there are, with `--count`: by file in the order of a list, by tag and status
    the most used first, by month the oldest first; those without a day are in no month.
    """

    entries: int
    files: tuple[Counted, ...]
    tags: tuple[Counted, ...]
    statuses: tuple[Counted, ...]
    months: tuple[MonthOfEntries, ...]


def listed(
    workspace: Workspace, wanted: EntryFilter = EVERY, limit: int | None = None, skip: int = 0
) -> EntryList:
    """The entries of memory in the files on disk, without the first ones that `skip` counts."""
    end = None if limit is None else skip + limit + 1
    rows = tuple(islice(_chosen(workspace, wanted), skip, end))
    return EntryList(rows[:limit], more=len(rows) > len(rows[:limit]))


def counted(workspace: Workspace, wanted: EntryFilter = EVERY) -> EntryCounts:
    """The same entries, only counted."""
    rows = [*_chosen(workspace, wanted)]
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


def _chosen(workspace: Workspace, wanted: EntryFilter) -> Iterator[ListedEntry]:
    refuse_unknown("status", wanted.status or ANY, (*STATUSES, ANY))
    first = _day(workspace, wanted.since, date.min)
    last = _day(workspace, wanted.until, date.max)
    is_dated = bool(wanted.since or wanted.until)
    for entry in filter(wanted.takes, _entries(workspace, _files(workspace, wanted))):
        if is_dated and not (entry.day and first <= entry.day <= last):
            continue
        row = as_listed(entry, workspace.settings, workspace.today)
        if row.confidence >= wanted.sure:
            yield row


def _day(workspace: Workspace, text: str, otherwise: date) -> date:
    when = workspace.moment(text)
    return when.date() if when else otherwise


def count(workspace: Workspace) -> int:
    """How many entries a list without filters has."""
    return sum(map(EVERY.takes, _entries(workspace, memory_files(workspace))))


def named(workspace: Workspace, address: str) -> Entry:
    """The one entry with this id, content hash, or PATH:LINE."""
    found = _at_line(workspace, address) if ":" in address else _with_key(workspace, address)
    if not found:
        raise NotFoundError(
            f"There is no entry {address}.",
            hint="`clawgit memory list` shows what there is, `clawgit why ID` what became of one.",
        )
    if len(found) > 1:
        raise UsageError(
            f"{address} is in {len(found)} entries: {', '.join(map(str, found))}.",
            hint=f"Name one of them by its line, such as {found[0]}.",
        )
    return found[0]


def memory_files(workspace: Workspace, sources: frozenset[str] = _LIVE) -> list[str]:
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
        return memory_files(workspace, _ALL if is_put_away else _LIVE)
    named = relative_path(workspace.root, wanted.file)
    every = memory_files(workspace, _ALL)
    files = [path for path in every if path == named or path.startswith(f"{named}/")]
    if not files:
        raise NotFoundError(
            f"{wanted.file} is not a file of memory.",
            hint="`clawgit memory list` names those it has.",
        )
    return files


def _entries(workspace: Workspace, files: Iterable[str]) -> Iterator[Entry]:
    return chain.from_iterable(entries(workspace.glance(path), path) for path in files)


def _at_line(workspace: Workspace, address: str) -> list[Entry]:
    path, _, number = address.rpartition(":")
    if not (number.isascii() and number.isdecimal()):
        return []
    path = relative_path(workspace.root, path)
    files = [path] if path in memory_files(workspace, _ALL) else []
    every = _entries(workspace, files)
    return [entry for entry in every if entry.line <= int(number) <= entry.end_line]


def _with_key(workspace: Workspace, key: str) -> list[Entry]:
    """The entries with a key. If one is both in use and in an archive, the one in use."""
    for sources in (_LIVE, _ALL):
        every = _entries(workspace, memory_files(workspace, sources))
        if found := [each for each in every if key in (each.key, content_key(each.text))]:
            return found
    return []
