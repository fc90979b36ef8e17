"""What the page knows and does: commands of clawgit, run in this process, and their JSON; and
whether a file moved that answers are made of.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from clawgit.errors import ClawgitError

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
        self._looked = self._since = clock() - _OLDEST
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
        self._looked, before, self._seen = now, self._seen, self._mark()
        if self._seen != before or now - self._since > _OLDEST:
            self._since = now
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


def tried(ask: Asker, words: Iterable[str]) -> Part:
    try:
        return Part(ask.read(*words))
    except RefusedError as error:
        return Part(None, error.message)
