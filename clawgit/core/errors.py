"""Every error that a user can cause: a message, a next step, an exit code. Printed in one place,
`terminal/output.py`. And what is wrong though nobody has asked for it: the alert, and the finding.
"""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import ClassVar

from clawgit.core import NamedTuple
from clawgit.core.doors import difflib


class ClawgitError(Exception):
    """An expected failure. `message` says what is wrong, `hint` what to type next; `data` is for
    `--json` callers.
    """

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", **data: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.data = data

    @property
    def with_hint(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


class UsageError(ClawgitError):
    """The call itself is wrong: an argument, a path outside the workspace, a revision that cannot
    exist.
    """

    kind = "usage"
    exit_code = 2


def refuse_unknown(kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise UsageError(f"There is no {kind} {name!r}.", hint=f"One of: {', '.join(known)}.")


class NotAWorkspaceError(ClawgitError):
    kind = "not_a_workspace"


class UnsupportedRepoError(ClawgitError):
    """A repository that libgit2 cannot open or that has no work tree."""

    kind = "unsupported_repo"


class ForeignOwnerError(UnsupportedRepoError):
    """A folder that another user owns: its files could make us run that user's programs."""

    kind = "foreign_owner"


class BusyError(ClawgitError):
    """Somebody else holds a lock, or git is in the middle of something. Nothing was changed; try
    again.
    """

    kind = "busy"


class ConflictError(ClawgitError):
    """A change cannot be taken back or merged without a decision. Nothing was changed."""

    kind = "conflict"


class NotFoundError(ClawgitError):
    kind = "not_found"


class ConfigError(ClawgitError):
    kind = "config"
    exit_code = 2


class PathRefusedError(ClawgitError):
    """A path that clawgit will not write: a symlink, a hard link, a folder, a read-only file."""

    kind = "path_refused"


class MassDeletionError(ClawgitError):
    """Most of the workspace is gone. Committing that would make a disaster look like a decision."""

    kind = "mass_deletion"


class StorageError(ClawgitError):
    """The disk is full or unwritable."""

    kind = "storage"


class DamagedError(StorageError):
    """Something that git or clawgit stores is missing or cannot be read."""

    kind = "damaged"


DAMAGE_HINT = (
    "`clawgit doctor --fix` rebuilds what it can and says where the rest may be. Nothing was "
    "changed."
)


class MissingExtraError(ClawgitError):
    """A feature whose optional dependency is not installed."""

    kind = "missing_extra"


class NoAnswerError(ClawgitError):
    """A language model gave no usable answer: it refused, failed, was too slow or not there, or the
    budget was spent.
    """

    kind = "no_answer"


class Alert(NamedTuple):
    """What the operator should look at. `status --ack` takes the `id`.

    Without an `id`, the alert disappears when its cause is repaired.
    """

    id: str | None
    time: datetime | None
    message: str
    next: str


class Committed(NamedTuple):
    """The commit of what was done; empty where it is in no history, as messages are."""

    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, as each message says it: `1 file`, `1,200 files`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def few(rows: Iterable[str], most: int, more: str = "and {} more") -> list[str]:
    """The first rows, and one that says how many more there are."""
    every = list(rows)
    left = len(every) - most
    return [*every[:most], more.replace("{}", f"{left:,}")] if left > 0 else every


def first_of(items: Iterable[str], most: int = 3, separator: str = ", ") -> str:
    """The first few, and how many more there are."""
    every = list(items)
    more = f" and {len(every) - most:,} more" if len(every) > most else ""
    return separator.join(every[:most]) + more


_HEAD = 3
"""This many letters from the beginning of a name may stand for it."""

_ALIKE = 0.66
"""Two letters of three, in their order: `lgo` is meant for `log`."""


def closest(word: str, names: Iterable[str]) -> list[str]:
    """The names that begin with a word, else the one most like it; empty if none is near."""
    word, known = word.lower(), {name.lower(): name for name in names}
    begun = [name for name in known if len(word) >= _HEAD and name.startswith(word)]
    return [known[name] for name in begun or difflib.get_close_matches(word, known, 1, _ALIKE)]


def near(word: str, names: Iterable[str]) -> str:
    """A hint that names the closest of `names`, empty if none is close."""
    found = closest(word, names)
    return f"Did you mean {found[0]}?" if found else ""


class Mend(NamedTuple):
    """A repair that is safe without asking. `do` returns a `Change` if it makes a commit."""

    what: str
    do: Callable[[], object]


class Finding(NamedTuple):
    """`path` is "" for the workspace, `line` 0 for the whole file. What is not `refused` is a
    warning. `kind` is the rule's name, filled in by who asks it.
    """

    why: str
    remedy: str
    path: str = ""
    line: int = 0
    refused: bool = True
    mend: Mend | None = None
    kind: str = ""

    @property
    def text(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.why}" if place else self.why
