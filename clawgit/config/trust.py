"""Decides which settings are in force: the harmless ones, and what the operator accepted here."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from clawgit.config.guards import Guard
from clawgit.config.kinds import CustomPattern, Value, node_of, plain
from clawgit.config.settings import GUARDS, KEYS, Settings

SETTING = "setting"
"""The kind of the rows about settings. Other things that need trust have kinds of their own."""

UNSEEN = "nobody accepted it on this machine"
_CHANGED = "{} changed since it was accepted"

_ENV = "env "
"""How the origin of a value from the environment begins."""

_NO_FILES: Mapping[str, str] = MappingProxyType({})


class TrustRow(NamedTuple):
    """One thing that the operator accepted.

    `digest` is the hash of the value, or of one item of a list that is judged item by item. `value`
    is None if it may be a secret. `files`: the programs inside the workspace, with their hashes.
    """

    kind: str
    name: str
    digest: str
    value: object = None
    files: Mapping[str, str] = _NO_FILES
    time: str = ""
    by: str = ""
    reason: str = ""


class PendingSetting(NamedTuple):
    """A setting that is not in force as written. Both values are JSON; `why` ends a sentence."""

    key: str
    value: object
    in_force: object
    origin: str
    why: str


class DiskFacts(NamedTuple):
    """What a decision needs from the disk; called only for the settings that need it.

    `files`: the files inside the workspace that a text names, with their hashes. `is_inside`:
    whether a path stays in the workspace.
    """

    files: Callable[[str], Mapping[str, str]]
    is_inside: Callable[[str], bool]


def settled(
    wanted: Settings,
    origins: Mapping[str, str],
    rows: Iterable[TrustRow],
    facts: DiskFacts,
    below: Settings | None = None,
) -> tuple[Settings, tuple[PendingSetting, ...]]:
    """The settings in force, and those that wait for the operator.

    `below` is what is in force without the environment. A value from the environment is compared
    with it, so that it cannot loosen a stricter value of CONFIG.md.
    """
    accepted: dict[str, list[TrustRow]] = {}
    for row in rows:
        if row.kind == SETTING:
            accepted.setdefault(row.name, []).append(row)
    in_force: dict[str, Value] = {}
    pending: list[PendingSetting] = []
    for name, guard in GUARDS.items():
        value = getattr(wanted, name)
        known = accepted.get(name, [])
        over = None
        if below and origins.get(name, "").startswith(_ENV):
            over = getattr(below, name)
        if value == KEYS[name].default and not known and over is None:
            continue
        if guard.each:
            held, why = _judged_each(name, value, known, facts)
        else:
            held, why = _judged_whole(name, value, known, facts, over)
        if held != value:
            in_force[name] = held
            pending.append(
                PendingSetting(name, plain(value), plain(held), origins.get(name, "default"), why)
            )
    if not pending:
        return wanted, ()
    settings = wanted._replace(**in_force)  # type: ignore[arg-type] # each value is one of its own field
    return settings, tuple(pending)


def rows_for(
    name: str, value: Value, facts: DiskFacts, is_secret: Callable[[str, object], bool]
) -> tuple[TrustRow, ...]:
    """The rows that put a value of a setting in force. The caller adds the time and the person."""
    guard = GUARDS[name]
    items = value if guard.each and isinstance(value, tuple) else (value,)
    return tuple(
        TrustRow(
            SETTING,
            name,
            digest(item),
            None if is_secret(name, item) else plain(item),
            _files(guard, item, facts),
        )
        for item in items
    )


def digest(value: object) -> str:
    """The hash of a value, to recognise one that may be a secret and so is not stored."""
    text = json.dumps(plain(value), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _judged_whole(
    name: str, value: Value, known: list[TrustRow], facts: DiskFacts, over: Value | None
) -> tuple[Value, str]:
    """The value in force, and why it is not the one that was written, if so.

    `over` is in force instead if it is not None; else the last accepted value, or the default.
    """
    guard = GUARDS[name]
    row = known[0] if known else None
    why, before = UNSEEN, KEYS[name].default
    if row and _is_same(row, value):
        changed = _changed(guard, row, value, facts)
        if not changed:
            return value, ""
        # The default holds, not the accepted value: that would run the program as it is now.
        why = _CHANGED.format(changed)
    elif row and over is None:
        before = _last_accepted(name, row, facts)
    if over is not None:
        before = over
    if not guard.weaker(before, value) or _is_harmless(guard, value, facts):
        return value, ""
    return before, why


def _judged_each(
    name: str, value: Value, known: list[TrustRow], facts: DiskFacts
) -> tuple[Value, str]:
    """The items in force, and why the first of the others is not. Each is judged alone."""
    guard = GUARDS[name]
    in_force, first = [], ""
    for item in value if isinstance(value, tuple) else ():
        why = _why_not(guard, item, known, facts)
        if not why or _is_harmless(guard, item, facts):
            in_force.append(item)
        else:
            first = first or why
    return tuple(in_force), first  # type: ignore[return-value] # the items of one list are of one type


def _why_not(guard: Guard, item: object, known: list[TrustRow], facts: DiskFacts) -> str:
    """Why an item does not count as accepted; "" if it does."""
    row = next((row for row in known if _is_same(row, item)), None)
    if row is None:
        return UNSEEN
    changed = _changed(guard, row, item, facts)
    return _CHANGED.format(changed) if changed else ""


def _last_accepted(name: str, row: TrustRow, facts: DiskFacts) -> Value:
    """The value that was accepted before; the default if it was not stored or a program changed."""
    key = KEYS[name]
    if row.value is None:
        return key.default
    value = key.kind.read(node_of(row.value))
    return key.default if _changed(GUARDS[name], row, value, facts) else value


def _is_same(row: TrustRow, value: object) -> bool:
    """Whether a row is about this value. Compared by hash only if the value was not stored."""
    if row.value is not None:
        return row.value == plain(value)
    return row.digest == digest(value)


def _is_harmless(guard: Guard, value: object, facts: DiskFacts) -> bool:
    if guard.free and guard.free(value):
        return True
    return guard.inside and isinstance(value, str) and facts.is_inside(value)


def _changed(guard: Guard, row: TrustRow, value: object, facts: DiskFacts) -> str:
    """The first program that was changed, deleted or added since; "" if there is none."""
    now = _files(guard, value, facts)
    for path in sorted({*row.files, *now}):
        if row.files.get(path) != now.get(path):
            return path
    return ""


def _files(guard: Guard, value: object, facts: DiskFacts) -> Mapping[str, str]:
    if not guard.program or not value:
        return _NO_FILES
    return facts.files(value.route if isinstance(value, CustomPattern) else str(value))
