"""Which settings are in force: what needs no leave, and all else only as this machine's operator
accepted it.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from clawgit.config.guards import GUARDS, Guard
from clawgit.config.kinds import CustomPattern, Value, node_of, plain
from clawgit.config.settings import KEYS, Settings

SETTING = "setting"
"""The kind of the rows that are about settings. Other things that ask for trust have kinds of their
own."""

UNSEEN = "nobody accepted it on this machine"

_ENV = "env "
"""How the origin of a value begins that the environment set."""

_NO_FILES: Mapping[str, str] = MappingProxyType({})


class TrustRow(NamedTuple):
    """One thing that the operator accepted. `digest` is that of the value, or of one item of a list
    that is judged item by item; `value` is None where it may be a secret. `files` are the programs
    inside the workspace, with their hashes.
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
    """A setting that is not in force as it was written. Both values are as JSON knows them; `why`
    ends a sentence.
    """

    key: str
    value: object
    in_force: object
    origin: str
    why: str


class DiskFacts(NamedTuple):
    """What the judgement must know of the disk, asked only where a setting makes it matter: the
    files inside the workspace that a text names, with their hashes; and whether a path stays
    inside.
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

    `below` is what is in force without the environment. Where that sets a key, its value is
    measured by this one, so that it does not hide a stricter one of CONFIG.md.
    """
    accepted: dict[str, list[TrustRow]] = {}
    for row in rows:
        if row.kind == SETTING:
            accepted.setdefault(row.name, []).append(row)
    in_force: dict[str, Value] = {}
    pending: list[PendingSetting] = []
    for name, guard in GUARDS.items():
        value, known = getattr(wanted, name), accepted.get(name, [])
        over = getattr(below, name) if below and origins.get(name, "").startswith(_ENV) else None
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
    """What the store must hold for that value of a setting to be in force; when and by whom is to
    be added.
    """
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
    """A value by which it is known again, and from which it cannot be read."""
    told = json.dumps(plain(value), ensure_ascii=False, sort_keys=True)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _judged_whole(
    name: str, value: Value, known: list[TrustRow], facts: DiskFacts, over: Value | None
) -> tuple[Value, str]:
    """The value in force, and why it is not the one that is wanted. `over` is what holds where this
    one does not.
    """
    guard, before = GUARDS[name], KEYS[name].default
    row = known[0] if known else None
    is_known = row is not None and _is_same(row, value)
    if row and is_known and not (changed := _changed(guard, row, value, facts)):
        return value, ""
    if over is not None:
        before = over
    elif row and not is_known:
        before = _last_accepted(name, row, facts)
    if not guard.weaker(before, value) or _is_harmless(guard, value, facts):
        return value, ""
    return before, f"{changed} changed since it was accepted" if row and is_known else UNSEEN


def _judged_each(
    name: str, value: Value, known: list[TrustRow], facts: DiskFacts
) -> tuple[Value, str]:
    """The items in force. One that goes takes no other with it."""
    guard = GUARDS[name]
    held, why = [], ""
    for item in value if isinstance(value, tuple) else ():
        row = next((row for row in known if _is_same(row, item)), None)
        changed = _changed(guard, row, item, facts) if row else ""
        if (row and not changed) or _is_harmless(guard, item, facts):
            held.append(item)
        else:
            why = why or (f"{changed} changed since it was accepted" if changed else UNSEEN)
    return tuple(held), why  # type: ignore[return-value] # the items of one list are of one type


def _last_accepted(name: str, row: TrustRow, facts: DiskFacts) -> Value:
    """What the operator accepted before, where it can still be had as it was; else the default."""
    key = KEYS[name]
    if row.value is None:
        return key.default
    value = key.kind.read(node_of(row.value))
    return key.default if _changed(GUARDS[name], row, value, facts) else value


def _is_same(row: TrustRow, value: object) -> bool:
    """By the value where it was kept, since a hash takes longer to load than most commands have."""
    return row.value == plain(value) if row.value is not None else row.digest == digest(value)


def _is_harmless(guard: Guard, value: object, facts: DiskFacts) -> bool:
    if guard.free and guard.free(value):
        return True
    return guard.inside and isinstance(value, str) and facts.is_inside(value)


def _changed(guard: Guard, row: TrustRow, value: object, facts: DiskFacts) -> str:
    """The first program that is not what it was: changed, gone, or newly there."""
    now = _files(guard, value, facts)
    return next(
        (path for path in sorted({*row.files, *now}) if row.files.get(path) != now.get(path)), ""
    )


def _files(guard: Guard, value: object, facts: DiskFacts) -> Mapping[str, str]:
    if not guard.program or not value:
        return _NO_FILES
    return facts.files(value.route if isinstance(value, CustomPattern) else str(value))
