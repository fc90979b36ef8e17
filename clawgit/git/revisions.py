"""What a user may call a commit: a change id, any git revision, a date or a time."""

from collections.abc import Callable
from datetime import datetime, tzinfo

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.git.cgit import CGit
from clawgit.git.history.pathlog import PathLog, told
from clawgit.git.place import is_commit_id
from clawgit.git.rules.ids import is_change_id
from clawgit.git.rules.when import EXAMPLES, parse_when


class BeforeHistoryError(NotFoundError):
    """A day or a time at which there was no commit yet."""


class State(NamedTuple):
    """The commit that a text names.

    `note`: how that differs from what was asked for, if it does.
    """

    oid: str
    note: str = ""


def resolve_state(
    log: PathLog,
    text: str,
    now: datetime,
    zone: Callable[[], tzinfo | None],
    path: str | None = None,
) -> State:
    """`resolve` for commands that show a state: before all history, the first one, of a file with a
    `path`.
    """
    try:
        return State(resolve(log, text, now, zone))
    except BeforeHistoryError:
        oldest = log.first(path)
        if oldest is None:
            raise
        when = parse_when(text, now, zone())
        began = next(told(log.git, [oldest])).time.astimezone(when.tzinfo if when else None)
        what = path or "history"
        return State(oldest, f"{what} begins at {began:%Y-%m-%d %H:%M}: this is its first state")


def resolve(log: PathLog, text: str, now: datetime, zone: Callable[[], tzinfo | None]) -> str:
    """The commit that a text names, as seen from the HEAD that `log` was refreshed to.

    A change id is the newest commit with it, a time the last commit at or before it; git's own
    names go before dates. `zone` is called only for dates, since it must read the configuration.
    """
    if not text.strip() or "\0" in text:
        raise UsageError(
            f"{text!r} is not a revision.", hint="Name a change id, a git revision, or a date."
        )
    commit = next(log.by_change_id(text), None) if is_change_id(text) else None
    commit = commit or commit_named(log.git, text)
    if commit:
        return commit
    when = parse_when(text, now, zone()) if parse_when(text, now, None) else None
    if when is None:
        raise _unknown(log, text)
    commit = log.last_before(int(when.timestamp()))
    if commit is None:
        raise BeforeHistoryError(
            f"History begins after {when.isoformat(timespec='minutes')}.",
            hint="`clawgit log` shows where it begins.",
        )
    return commit


def commit_named(git: CGit, text: str) -> str | None:
    """The commit that git knows by a name."""
    # A search would look for the brackets, too.
    name = text if text.startswith(":/") else f"{text}^{{commit}}"
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", name)
    oid = git.text(*asked, ok=(0, 1, 128)).strip()
    return oid if is_commit_id(oid) else None


def _unknown(log: PathLog, text: str) -> NotFoundError:
    if log.head is None:
        return NotFoundError(
            f"{text!r} names nothing: there is no commit yet.", hint="clawgit snapshot"
        )
    hint = f"`clawgit log` lists the changes; dates are {EXAMPLES}."
    if log.knows(text):
        hint = f"It is a file: clawgit log '{text}', or clawgit restore '{text}'"
    return NotFoundError(f"{text!r} is neither a commit here nor a date.", hint=hint)
