"""The rules of a workspace: what the store asks before each of its changes, and tells after it."""

from collections.abc import Callable, Mapping
from datetime import datetime

from clawgit.core import NamedTuple
from clawgit.git.rules.history import Intent

Changes = Mapping[str, tuple[bytes | None, bytes | None]]
"""Path → the file before and after; None if there is none."""

Leaks = Callable[[str, bytes | None, bytes | None], tuple[str, ...]]
"""(path, before, after) → the secrets that a change adds, in words. They become alerts, since
nothing may be lost; only a new file that nobody asked us to write stays uncommitted."""


class Judgement(NamedTuple):
    """`held`: why a change must wait for the operator, empty if it need not.

    `warnings` do not stop it.
    """

    held: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


Judge = Callable[[Intent, Changes], Judgement]
"""Judges a whole change before anything is written; raises if it is refused."""


class PendingChange(NamedTuple):
    """A change that will become the commit `ident` on `parent`; `files`: before and after."""

    parent: str | None
    ident: str
    intent: Intent
    now: datetime
    files: Changes


class Derived(NamedTuple):
    """A file that is updated in the same commit when one of its `sources`, or itself, changes.

    `text` makes it from the change and the file's text without this update.
    """

    path: str
    sources: frozenset[str]
    text: Callable[[PendingChange, bytes | None], bytes]


Mend = Callable[[Intent, Changes], Mapping[str, bytes]]
"""Repairs files that a change of ours writes anyway, before it is judged: path → the text to write
instead."""

Landed = Callable[[Intent, Changes], None]
"""Called after a change was made or parked; not where recovery makes it."""


class Rules(NamedTuple):
    judge: Judge = lambda *_: Judgement()
    derived: tuple[Derived, ...] = ()
    leaks: Leaks = lambda *_: ()
    mend: Mend = lambda *_: {}
    landed: Landed = lambda *_: None


NO_RULES = Rules()
