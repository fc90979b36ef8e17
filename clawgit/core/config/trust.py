"""Decides which settings are in force: the harmless ones, and what the operator accepted here."""

from collections.abc import Callable, Iterable, Mapping

from clawgit.core import NamedTuple
from clawgit.core.config.kinds import (
    CustomPattern,
    Guard,
    Value,
    WrongValueError,
    as_written,
    plain,
)
from clawgit.core.config.load import NOTHING, Loaded
from clawgit.core.config.settings import GUARDS, KEYS, Settings
from clawgit.core.doors import hashlib, json

SETTING = "setting"
"""The kind of the rows about settings. Other things that need trust have kinds of their own."""

UNSEEN = "nobody accepted it on this machine"

_ENV = "env "
"""How the origin of a value from the environment begins."""


class TrustRow(NamedTuple):
    """One thing that the operator accepted.

    `digest` is the hash of the value, or of one item of a list that is judged item by item. `value`
    is None if it may be a secret. `files`: the programs inside the workspace, with their hashes.
    """

    kind: str
    name: str
    digest: str
    value: object = None
    files: Mapping[str, str] = NOTHING
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
    written: Loaded, rows: Iterable[TrustRow], facts: DiskFacts, below: Settings | None = None
) -> Loaded:
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
    for name in GUARDS:
        value, origin = getattr(written.settings, name), written.origin(name)
        known = accepted.get(name, [])
        over = getattr(below, name) if below and origin.startswith(_ENV) else None
        if value == KEYS[name].default and not known and over is None:
            continue
        held, why = _judged(name, value, known, facts, over)
        if held != value:
            in_force[name] = held
            pending.append(PendingSetting(name, plain(value), plain(held), origin, why))
    settings = written.settings._replace(**in_force)  # type: ignore[arg-type] # each value is one of its own field
    return written._replace(settings=settings, pending=tuple(pending))


def value_of(setting: PendingSetting) -> Value:
    """The value that waits."""
    return KEYS[setting.key].kind.read(as_written(setting.value))


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


def _judged(
    name: str, value: Value, known: list[TrustRow], facts: DiskFacts, over: Value | None
) -> tuple[Value, str]:
    """The value in force, and why it is not the one that was written, if so.

    Of a list whose items are judged alone, those that were accepted are in force. Else it is `over`
    if that is not None, or the last accepted value, or the default.
    """
    guard, default = GUARDS[name], KEYS[name].default
    if guard.each:
        items = value if isinstance(value, tuple) else ()
        whys = [_why_not(guard, item, known, facts) for item in items]
        held = tuple(item for item, why in zip(items, whys, strict=True) if not why)
        return held, next(filter(None, whys), "")  # type: ignore[return-value] # one list, one type
    before = default if over is None else over
    if known and over is None:
        before = _last_accepted(name, known[0], facts)
    why = _why_not(guard, value, known, facts)
    if not why or not guard.allows_more(before, value, default):
        return value, ""
    return before, why


def _why_not(guard: Guard, value: object, known: list[TrustRow], facts: DiskFacts) -> str:
    """Why a value or an item is not harmless and does not count as accepted; "" if it does."""
    if _is_harmless(guard, value, facts):
        return ""
    row = next((row for row in known if _is_same(row, value)), None)
    if row is None:
        return UNSEEN
    changed = _changed(guard, row, value, facts)
    return f"{changed} changed since it was accepted" if changed else ""


def _is_harmless(guard: Guard, value: object, facts: DiskFacts) -> bool:
    if guard.free and guard.free(value):
        return True
    return guard.inside and isinstance(value, str) and facts.is_inside(value)


def _last_accepted(name: str, row: TrustRow, facts: DiskFacts) -> Value:
    """The value that was accepted before; the default if it was not stored or a program changed:
    that would run the program as it is now.
    """
    key = KEYS[name]
    if row.value is None:
        return key.default
    try:
        value = key.kind.read(as_written(row.value))
    except WrongValueError:  # a value that is no longer there
        return key.default
    return key.default if _changed(GUARDS[name], row, value, facts) else value


def _is_same(row: TrustRow, value: object) -> bool:
    """Whether a row is about this value. Compared by hash only if the value was not stored."""
    if row.value is not None:
        return row.value == plain(value)
    return row.digest == digest(value)


def _changed(guard: Guard, row: TrustRow, value: object, facts: DiskFacts) -> str:
    """The first program that was changed, deleted or added since; "" if there is none."""
    now = _files(guard, value, facts)
    for path in sorted({*row.files, *now}):
        if row.files.get(path) != now.get(path):
            return path
    return ""


def _files(guard: Guard, value: object, facts: DiskFacts) -> Mapping[str, str]:
    if not guard.program or not value:
        return NOTHING
    return facts.files(value.route if isinstance(value, CustomPattern) else str(value))
