"""What a workspace says about changes. The store asks at seven moments, and knows no answer."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.change.actors import Actor
from clawgit.domain.change.history import Intent

Changes = Mapping[str, tuple[bytes | None, bytes | None]]
"""Path → the file before and after; None is no file."""

Alarm = Callable[[str, bytes | None, bytes | None, Actor], tuple[str, ...]]
"""(path, before, after, actor): what to warn of in an edit that was not made through us. It is
committed anyway."""


Leaks = Callable[[str, bytes | None, bytes | None], tuple[str, ...]]
"""(path, before, after): the secrets that a change brings in, in words. They become alerts, since
nothing may be lost; only a new file that nobody asked us to write waits for its owner.
"""


class Judgement(NamedTuple):
    """`held`: why a change must wait for the operator, nothing where it need not.

    `warnings` hinder nobody.
    """

    held: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


Judge = Callable[[Intent, Changes], Judgement]
"""The last word on a whole change, before anything is written; raises where it is refused."""


class PendingChange(NamedTuple):
    """A change that is to become the commit `ident` on `parent`; `files`: before and after."""

    parent: str | None
    ident: str
    intent: Intent
    now: datetime
    files: Changes


class Derived(NamedTuple):
    """A file that is made anew in the same commit when one of its `sources`, or itself, changes.

    `text` makes it from the change and from what the file would hold otherwise.
    """

    path: str
    sources: frozenset[str]
    text: Callable[[PendingChange, bytes | None], bytes]


Keep = Callable[[str, tuple[str, ...], datetime], str]
"""(id, paths, now) of a change that was made: the reference that is to hold the state before it, ""
for none."""


class Mended(NamedTuple):
    """What a change of ours puts right in the files that it writes anyway: path → the text instead.

    `entries` is what leaves comments thereby; the message of the commit keeps it.
    """

    texts: Mapping[str, bytes]
    entries: tuple[str, ...] = ()


Mend = Callable[[Intent, Changes], Mended]
"""The last hand on a change, before it is judged."""

Landed = Callable[[Intent, Changes], None]
"""What is remembered of a change that was made."""


def _unmended(_intent: Intent, _changes: Changes) -> Mended:
    return Mended({})


def _unjudged(_intent: Intent, _changes: Changes) -> Judgement:
    return Judgement()


def _silent(
    _path: str, _before: bytes | None, _after: bytes | None, _actor: Actor
) -> tuple[str, ...]:
    return ()


def _tight(_path: str, _before: bytes | None, _after: bytes | None) -> tuple[str, ...]:
    """Where nobody looks for secrets."""
    return ()


def _unremembered(_intent: Intent, _changes: Changes) -> None:
    return


def _unkept(_ident: str, _paths: tuple[str, ...], _now: datetime) -> str:
    return ""


class Rules(NamedTuple):
    judge: Judge = _unjudged
    alarm: Alarm = _silent
    keep: Keep = _unkept
    derived: tuple[Derived, ...] = ()
    leaks: Leaks = _tight
    mend: Mend = _unmended
    landed: Landed = _unremembered


NO_RULES = Rules()
