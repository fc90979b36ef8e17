"""What a user may call a commit: a change id, any git revision, a date or a time."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import NoReturn

from clawgit.core.errors import NotFoundError, UsageError
from clawgit.git.cgit import CGit
from clawgit.git.history.pathlog import PathLog, told
from clawgit.git.rules.ids import is_change_id
from clawgit.git.rules.when import EXAMPLES, parse_when
from clawgit.language.lazily import lazily

_HASH = lazily(r"[0-9a-f]{40}")


class BeforeHistoryError(NotFoundError):
    """A day or a time at which there was no commit yet."""


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
    return log.last_before(int(when.timestamp())) or _before_history(log, text, when)


def _before_history(log: PathLog, text: str, when: datetime) -> NoReturn:
    oldest = log.first()
    if oldest is None:
        raise BeforeHistoryError("There is no commit yet.", hint="clawgit snapshot")
    began = next(told(log.git, [oldest])).time.astimezone(when.tzinfo)
    raise BeforeHistoryError(
        f"History begins at {began:%Y-%m-%d %H:%M}, after {text!r}.",
        hint=f"Its first state is {oldest[:10]}: name that in place of {text!r}.",
    )


def commit_named(git: CGit, text: str) -> str | None:
    """The commit that git knows by a name."""
    name = (
        text if text.startswith(":/") else f"{text}^{{commit}}"
    )  # a search would look for the brackets too
    _, answer = git.call(
        "rev-parse", "--verify", "--quiet", "--end-of-options", name, ok=(0, 1, 128)
    )
    oid = answer.decode("utf-8", "replace").strip()
    return oid if _HASH.fullmatch(oid) else None


def _unknown(log: PathLog, text: str) -> NotFoundError:
    if log.head is None:
        return NotFoundError(
            f"{text!r} names nothing: there is no commit yet.", hint="clawgit snapshot"
        )
    hint = f"`clawgit log` lists the changes; dates are {EXAMPLES}."
    if log.knows(text):
        hint = f"It is a file: clawgit log '{text}', or clawgit restore '{text}'"
    return NotFoundError(f"{text!r} is neither a commit here nor a date.", hint=hint)
