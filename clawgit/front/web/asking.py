"""What the page knows and does: commands of clawgit, run in this process, and their JSON; whether a
file moved that answers are made of. What a form acts on, read again when it comes back: a form of
an old state is told from a new one by what it was shown. And the queue of what waits for the
operator.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, NotFoundError
from clawgit.front.web.wording import bare, local, of_diff, told
from clawgit.git.rules.ids import digest

_HISTORY = (
    "HEAD", "config", "index", "packed-refs", "refs", "clawgit/state.db", "clawgit/state.db-wal",
)  # fmt: skip
"""Of git's folders. What is derived moves by being read."""


def mark(root: Path, git_dirs: Iterable[Path], settings: Path) -> int:
    """Another number once a file was written, made or removed. No file is read."""
    places = [root, settings, *(folder / name for folder in git_dirs for name in _HISTORY)]
    return hash(tuple(_standing(path) for place in places for path in (str(place), *_below(place))))


def _below(folder: Path) -> Iterator[str]:
    """The files in a folder that are not hidden."""
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (f"{path}/{name}" for name in names)


def _standing(path: str) -> tuple[str, int, int]:
    try:
        known = os.lstat(path)
    except OSError:
        return path, 0, 0
    return path, known.st_mtime_ns, known.st_size


Values = dict[str, Any]
Run = Callable[[Sequence[str], bool], str]
"""Runs a command line with --json, as the operator or not, and gives what it printed."""

_PAUSE = 0.5
"""Seconds between two looks whether something moved. Many may look at once, and each page asks
much.
"""

_OLDEST = 300.0
"""Seconds after which all is asked anew, since time itself makes jobs late."""

_MOST = 500
"""How many answers are kept."""


class RefusedError(ClawgitError):
    """A command that ended with an error: its message and its next step."""

    kind = "refused"


class Asker:
    """Asks one command after the other. It belongs to one thread."""

    def __init__(
        self, run: Run, mark: Callable[[], object], clock: Callable[[], float] = monotonic
    ) -> None:
        self._run, self._mark, self._clock = run, mark, clock
        self._kept: dict[tuple[bool, tuple[str, ...]], Any] = {}
        self._past: dict[tuple[str, ...], Any] = {}
        self._made: dict[Callable[[Asker], Values], tuple[object, Values]] = {}
        self._looked = clock() - _PAUSE
        self._seen: object = None

    def read(self, *words: str, as_operator: bool = False) -> Any:
        """The answer of a command that only reads. Secrets are masked in it, and text that gives
        orders is withheld, unless the operator must see it to decide about it.
        """
        self._look()
        asked = (as_operator, words)
        if asked not in self._kept:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[asked] = self._answer(words, as_operator)
        return self._kept[asked]

    def _look(self) -> None:
        """Forgets the answers once something moved."""
        now = self._clock()
        if now - self._looked < _PAUSE:
            return
        seen = (self._mark(), now // _OLDEST)
        self._looked, before, self._seen = now, self._seen, seen
        if seen != before:
            self._kept.clear()

    def once(self, *words: str) -> Any:
        """An answer about a time that is over, which stays."""
        if words not in self._past:
            self._past[words] = self._answer(words, as_operator=False)
        return self._past[words]

    def newest(self) -> str:
        """The newest commit, "" if there is none."""
        return str(self.read("status")["head"] or "")

    def made(self, make: "Callable[[Asker], Values]") -> Values:
        """What is made of many answers, such as a picture: anew after a commit, and each day."""
        now = (self.newest(), date.today())  # noqa: DTZ011 - a day of the zone that is shown
        if self._made.get(make, (None, {}))[0] != now:
            self._made[make] = (now, make(self))
        return self._made[make][1]

    def write(self, *words: str) -> Any:
        """What a command did that the operator ordered here."""
        try:
            return self._answer(words, as_operator=True)
        finally:
            self.forget()

    def forget(self) -> None:
        """Everything is asked anew."""
        self._kept.clear()

    def _answer(self, words: Sequence[str], as_operator: bool) -> Any:
        answer = json.loads(self._run(words, as_operator) or "{}")
        if isinstance(answer, dict) and "error" in answer:
            error = answer["error"]
            raise RefusedError(error["message"], hint=error["hint"])
        return answer


class Part(NamedTuple):
    """An answer, or why there is none."""

    value: Any
    trouble: str = ""


def tried(act: Callable[..., Any], *given: Any, **how: Any) -> Part:
    try:
        return Part(act(*given, **how))
    except RefusedError as error:
        return Part((), error.message)


def has_versions(ask: Asker, *which: str) -> bool:
    """Whether the soul, or the identity, was ever committed."""
    found = tried(ask.read, "soul", "log", "-n", "1", *which).value
    return bool(found and found["versions"])


class Waiting(NamedTuple):
    """What waits for the operator: the item, its mark, and what else is shown beside it."""

    kind: str
    time: str
    row: Values
    seal: str
    more: Values


DECIDED = {
    "correction": ("correction to settle", "corrections to settle"),
    "conflict": ("conflict", "conflicts"),
    "proposal": ("proposal", "proposals"),
    "text": ("text held back", "texts held back"),
    "setting": ("setting to accept", "settings to accept"),
    "alert": ("alert", "alerts"),
}
"""What is decided on the page, and its nouns."""

_IN_THE_QUEUE = ("clawgit soul proposals", "clawgit corrections", "clawgit conflicts",
                 "clawgit trust")  # fmt: skip


def all_waiting(ask: Asker, *, as_operator: bool = False) -> dict[str, Part]:
    """What waits, by kind; or why it could not be read."""
    return {
        kind: tried(listed, ask, LISTINGS[kind], *_NARROWED.get(kind, ()), as_operator=as_operator)
        for kind in DECIDED
    }


_NARROWED = {"correction": ("--open",)}


def queue_of(parts: Mapping[str, Part]) -> list[tuple[str, Values]]:
    """What is decided here. An alert without an id is of the present, and ends with its cause."""
    queue = (
        (kind, row)
        for kind, part in parts.items()
        for row in part.value
        if row.get("id") or kind != "alert"
    )
    return sorted(queue, key=lambda waits: _moment(waits[1]))


def is_elsewhere(alert: Mapping[str, Any]) -> bool:
    return not alert["id"] and not alert["next"].startswith(_IN_THE_QUEUE)


def _moment(row: Mapping[str, Any]) -> float:
    """When it began to wait. What has no time comes first."""
    return local(row["time"]).timestamp() if row.get("time") else 0.0


def beside(ask: Asker, kind: str, row: Values) -> Waiting:
    more: Values = {}
    if kind == "correction":
        more = {"now": _now(ask, row["was"].partition(" ")[0]), "evidence": [row["evidence"]]}
    elif kind == "conflict":
        sides = [row["a"], row["b"]]
        more = {
            "sides": [(side, _now(ask, side["key"])) for side in sides],
            "evidence": [ref for side in sides for ref in side["source"].split(", ")],
        }
    elif kind == "proposal":
        more = {"lines": told(of_diff(row["diff"])), "evidence": row["evidence"]}
    return Waiting(kind, row.get("time") or "", row, seal(row), more)


def _now(ask: Asker, key: str) -> Values | None:
    """An entry as it is today, by its id; None if it is not there any more."""
    life = tried(ask.read, "why", "--", key).value
    if not life or life["state"] == "removed":
        return None
    return {"key": key, "text": bare(life["text"])}


Item = Mapping[str, Any]


def seal(item: Item) -> str:
    """The mark of an item as it is now. What moves by itself, or a view adds, is no part of it."""
    kept = {name: value for name, value in item.items() if name not in _MOVING}
    return digest(json.dumps(kept, sort_keys=True))[:_MARK]


_MARK = 24
_MOVING = ("age_seconds", "confidence", "line", "lines", "files")
"""Confidence decays by the day."""

_UNSAID = (*_MOVING, "changes", "id", "key", "sha", "seen", "rows", "paths", "time")


def said(item: Item) -> dict[str, str]:
    """What an item says, by the name of each of its fields that says something."""
    plain = {name: _plain(value) for name, value in item.items() if name not in _UNSAID}
    return {name: text for name, text in plain.items() if text}


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("text", ""))
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


class Listing(NamedTuple):
    """A command that lists items of a kind: under which name, and what names each."""

    words: tuple[str, ...]
    name: str
    key: str = "id"
    is_the_operators: bool = False
    """Only the operator is shown these in full."""


LISTINGS = {
    "correction": Listing(("corrections", "list"), "corrections"),
    "conflict": Listing(("conflicts", "list"), "conflicts"),
    "proposal": Listing(("soul", "proposals"), "proposals", is_the_operators=True),
    "rejected": Listing(("soul", "proposals", "--rejected"), "proposals"),
    "setting": Listing(("trust",), "pending", "key", True),
    "text": Listing(("trust",), "texts", "key", True),
    "alert": Listing(("status", "--all"), "alerts"),
}


def _listed(listing: Listing, ask: Asker, ident: str) -> Item:
    return _one_of(listed(ask, listing, as_operator=True), listing.key, ident)


def listed(ask: Asker, listing: Listing, *more: str, as_operator: bool) -> list[Item]:
    """The items of a kind. What is told of one change is one alert."""
    is_shown = as_operator and listing.is_the_operators
    found: list[Item] = ask.read(*listing.words, *more, as_operator=is_shown)[listing.name]
    return found if listing.name != "alerts" else one_a_change(found)


def one_a_change(alerts: Iterable[Item]) -> list[Item]:
    """Alerts, with all that is told of a change in one."""
    found: dict[str, Item] = {}
    for alert in alerts:
        ident = alert["id"] or alert["message"]
        before = found.get(ident)
        told = f"{before['message']}; {alert['message']}" if before else alert["message"]
        found[ident] = {**alert, "message": told}
    return [*found.values()]


def _consent(ask: Asker, key: str) -> Item:
    """What was accepted under a key: a setting, or a kind and a name."""
    rows = ask.read("trust")["accepted"]
    named = [row for row in rows if key in (row["name"], f"{row['kind']}:{row['name']}")]
    return {"key": key, "rows": [row["digest"] for row in named]}


def change(row: Item) -> Item:
    """What of a change, shown or listed, says that it is as it was."""
    return {name: row[name] for name in ("sha", "summary", "undone_by")}


def entry(ask: Asker, key: str) -> Item:
    """An entry by its id: its file is known to `why`, its standing to the list of that file."""
    life = ask.read("why", "--", key)
    every = ("memory", "list", "--status=all", "-n", "1000000")
    # The name of a file may be withheld, or masked.
    rows = tried(ask.read, *every, f"--file={life['path']}").value or ask.read(*every)
    return _one_of(rows["entries"], "key", key)


def _one_of(items: Iterable[Item], key: str, ident: str) -> Item:
    for item in items:
        if item[key] == ident:
            return item
    raise NotFoundError(f"{ident} is no longer there.", hint="clawgit log")


ITEMS: dict[str, Callable[[Asker, str], Item]] = {
    "change": lambda ask, ident: change(ask.read("show", "--stat", "--", ident)),
    "entry": entry,
    "life": lambda ask, key: ask.read("why", "--", key),
    "consent": _consent,
    **{kind: partial(_listed, listing) for kind, listing in LISTINGS.items()},
}
"""Kind → how an item of it is read."""
