"""`trust`: what the operator accepts on this machine. Lists, accepts and revokes settings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from clawgit.config import KEYS, key_named
from clawgit.config.guards import RUNS
from clawgit.config.kinds import Value, node_of
from clawgit.config.settings import GUARDS
from clawgit.config.trust import SETTING, UNSEEN, PendingSetting, TrustRow, digest, rows_for
from clawgit.domain.change.actors import OPERATOR
from clawgit.errors import ClawgitError, ConflictError, NotFoundError
from clawgit.ops.safety.waiting_texts import WaitingText, keep_texts, waiting_texts
from clawgit.ops.workspace.kept_config import config_to_judge
from clawgit.ops.workspace.operator import confirm
from clawgit.ops.workspace.sensitive_values import discreet, is_secret
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.trust import (
    AT_A_TERMINAL,
    FILTER,
    TEXT,
    accepted_rows,
    change_rows,
    facts_of,
    trust_file,
)


class TrustRefusedError(ClawgitError):
    """Somebody other than the operator tried to accept or revoke a setting."""

    kind = "not_allowed"


@dataclass(frozen=True, slots=True)
class WaitingSetting:
    """A setting that is not in force.

    `value` is what was written, with passwords hidden; `files` are the programs in the workspace
    that would be accepted with it, by content. `fingerprint` covers everything that would be
    accepted.
    """

    key: str
    value: object
    in_force: object
    origin: str
    why: str
    harms: tuple[str, ...]
    does: str
    files: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was accepted, when, and by whom; the value is null if only its hash is stored.

    For a text, `reason` says where it was and what it looked like.
    """

    key: str
    value: object
    time: str
    by: str
    files: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Trust:
    """`file` is this machine's store of what was accepted.

    `texts` look planted, and are withheld from programs.
    """

    pending: tuple[WaitingSetting, ...]
    accepted: tuple[Accepted, ...]
    file: Path
    texts: tuple[WaitingText, ...] = ()


@dataclass(frozen=True, slots=True)
class TrustDecision:
    """What was accepted or revoked.

    This holds for this machine and is in no history, so there is no commit.
    """

    accepted: tuple[str, ...]
    revoked: tuple[str, ...]
    changed: tuple[Path, ...]
    commit: str | None = None
    id: str | None = None
    dry_run: bool = False


def listing(workspace: Workspace, keys: Sequence[str] = ()) -> Trust:
    """What waits, and what was accepted; with `keys`, only for these settings.

    TrustError if the store is damaged.
    """
    names = {_named(key) for key in keys}
    waiting: Iterable[WaitingSetting] = _all_waiting(workspace)
    rows: Iterable[TrustRow] = accepted_rows(_file(workspace), workspace.place)
    if names:
        waiting = (setting for setting in waiting if setting.key in names)
        rows = (row for row in rows if _name(row) in names)
    return Trust(tuple(waiting), tuple(map(_accepted, rows)), _file(workspace))


def listing_with_texts(workspace: Workspace, keys: Sequence[str] = ()) -> Trust:
    """The same, with the planted text of all files that are served. It must read them all."""
    texts = [key for key in keys if key.startswith(f"{TEXT}:")]
    known = listing(workspace, keys)
    if keys and not texts:
        return known
    return replace(known, texts=waiting_texts(workspace, texts))


def accept_texts(
    workspace: Workspace, shown: Sequence[WaitingText], *, dry_run: bool = False
) -> TrustDecision:
    """Records texts as seen by the operator, so they are served from now on; only exactly these
    words.
    """
    refuse_others(workspace, "accept a text")
    keys = tuple(text.key for text in shown)
    if keys and not dry_run:
        keep_texts(workspace, shown)
    return TrustDecision(keys, (), (_file(workspace),) if keys else (), dry_run=dry_run)


def accept(
    workspace: Workspace, shown: Sequence[WaitingSetting], *, dry_run: bool = False
) -> TrustDecision:
    """Puts settings in force as they were shown.

    ConflictError if one of them, or a program that it names, was changed since.
    """
    refuse_others(workspace, "accept a setting")
    _refuse_changed(workspace, shown)
    names = tuple(setting.key for setting in shown)
    if names and not dry_run:
        prints = ", ".join(f"{setting.key} {setting.fingerprint}" for setting in shown)
        # The fingerprints are part of what is confirmed: a yes counts only for these values.
        confirm(workspace.caller, f"accept {prints}")
        _accept_all(workspace, shown)
    return TrustDecision(names, (), (_file(workspace),) if names else (), dry_run=dry_run)


def _refuse_changed(workspace: Workspace, shown: Sequence[WaitingSetting]) -> None:
    prints = {setting.key: setting.fingerprint for setting in listing(workspace).pending}
    for setting in shown:
        if prints.get(setting.key) != setting.fingerprint:
            raise ConflictError(
                f"{setting.key} was changed while you looked at it.",
                hint=f"clawgit trust {setting.key}",
            )


def _accept_all(workspace: Workspace, shown: Sequence[WaitingSetting]) -> None:
    # Read before the first is stored: each acceptance shortens the list of what is pending.
    settings = {setting.key: setting for setting in _pending(workspace)}
    for setting in shown:
        if setting.key in settings:
            _keep_value(workspace, setting.key, _value(settings[setting.key]))
        else:
            _accept_filter(workspace, setting)


def revoke(
    workspace: Workspace, keys: Sequence[str] = (), *, dry_run: bool = False
) -> TrustDecision:
    """Revokes what was accepted for these settings, or for all if no key is given."""
    refuse_others(workspace, "revoke what was accepted")
    gone = _rows_to_revoke(workspace, {_named(key) for key in keys})
    revoked = tuple(dict.fromkeys(_name(row) for row in gone))
    if gone and not dry_run:
        confirm(workspace.caller, f"revoke {', '.join(map(_name, gone))}")
        change_rows(
            _file(workspace), workspace.place, lambda old: [row for row in old if row not in gone]
        )
        workspace.read_config_anew()
    return TrustDecision((), revoked, (_file(workspace),) if revoked else (), dry_run=dry_run)


def _rows_to_revoke(workspace: Workspace, names: set[str]) -> list[TrustRow]:
    rows = list(accepted_rows(_file(workspace), workspace.place))
    if not names:
        return rows
    missing = sorted(names - {_name(row) for row in rows})
    if missing:
        raise NotFoundError(
            f"{missing[0]} was not accepted here.", hint="`clawgit trust --json` lists what was."
        )
    return [row for row in rows if _name(row) in names]


def drop_acceptances(workspace: Workspace, *, dry_run: bool = False) -> tuple[str, ...]:
    """Removes all rows of this workspace, for `deinit`."""
    rows = accepted_rows(_file(workspace), workspace.place)
    if rows and not dry_run:
        change_rows(_file(workspace), workspace.place, lambda _: ())
    return (f"what was accepted here, in {_file(workspace)}",) if rows else ()


def accept_value(
    workspace: Workspace, name: str, value: Value, *, commit: str | None, reason: str = ""
) -> None:  # fmt: skip
    """Puts a setting in force at this value.

    `commit` is the one by which the operator has just set it; with an operator key it is signed. If
    CONFIG.md had the value already, there is no commit, and the key must sign now.
    """
    refuse_others(workspace, f"accept {name}")
    if commit is None:
        confirm(workspace.caller, f"accept {name} {digest(value)}")
    _keep_value(workspace, name, value, reason)


def _keep_value(workspace: Workspace, name: str, value: Value, reason: str = "") -> None:
    """Stores the value. In a list, unchanged items keep their time and reason."""
    facts = facts_of(workspace.place, workspace.caller.home)
    time = workspace.now.isoformat()
    rows = [
        row._replace(time=time, by=AT_A_TERMINAL, reason=reason)
        for row in rows_for(name, value, facts, is_secret)
    ]
    change_rows(_file(workspace), workspace.place, partial(_with_setting, name, rows))
    workspace.read_config_anew()


def refuse_broken_store(workspace: Workspace) -> None:
    """Raises if the store is damaged.

    Called before a value is written that could not be accepted then.
    """
    accepted_rows(_file(workspace), workspace.place)


def rows_of(workspace: Workspace, name: str) -> tuple[TrustRow, ...]:
    """The rows that were accepted for one setting."""
    rows = accepted_rows(_file(workspace), workspace.place)
    return tuple(row for row in rows if row.kind == SETTING and row.name == name)


def refuse_others(workspace: Workspace, act: str) -> None:
    if workspace.caller.actor != OPERATOR:
        raise TrustRefusedError(
            f"Only the operator may {act}.", hint="The operator runs this at a terminal."
        )


def _all_waiting(workspace: Workspace) -> Iterator[WaitingSetting]:
    """The settings that wait, and the programs that git would run on files."""
    for setting in _pending(workspace):
        yield _waiting(workspace, setting)
    for driver in workspace.cgit.untrusted_filters:
        rows = [*driver.rows]
        yield WaitingSetting(
            f"{FILTER}:{driver.name}", rows, False, "the repository's own git configuration",
                UNSEEN, (RUNS,),
            "has git run these programs over each file under this filter", (), digest(rows),
        )  # fmt: skip


def _accept_filter(workspace: Workspace, shown: WaitingSetting) -> None:
    name, value = shown.key.removeprefix(f"{FILTER}:"), "\n".join(map(str, _items(shown.value)))
    row = TrustRow(
        FILTER, name, digest(value), value, time=workspace.now.isoformat(), by=AT_A_TERMINAL
    )
    # The old rows are read under the lock: another `trust` may have added some meanwhile.
    change_rows(
        _file(workspace), workspace.place,
        lambda old: [*(entry for entry in old if (entry.kind, entry.name) != (FILTER, name)), row],
    )  # fmt: skip


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _pending(workspace: Workspace) -> tuple[PendingSetting, ...]:
    return config_to_judge(workspace.place, workspace.caller).pending


def _with_setting(name: str, new: list[TrustRow], old: tuple[TrustRow, ...]) -> Iterator[TrustRow]:
    same = {
        (row.digest, *sorted(row.files.items())): row
        for row in old
        if (row.kind, row.name) == (SETTING, name)
    }
    yield from (row for row in old if (row.kind, row.name) != (SETTING, name))
    yield from (same.get((row.digest, *sorted(row.files.items())), row) for row in new)


def _waiting(workspace: Workspace, setting: PendingSetting) -> WaitingSetting:
    guard = GUARDS[setting.key]
    rows = rows_for(
        setting.key, _value(setting), facts_of(workspace.place, workspace.caller.home), is_secret
    )
    files = sorted({path for row in rows for path in row.files})
    fingerprint = digest([[row.digest, dict(row.files)] for row in rows])
    return WaitingSetting(
        setting.key, discreet(setting.key, setting.value),
        discreet(setting.key, setting.in_force), setting.origin, setting.why, guard.harms,
        guard.does, tuple(files), fingerprint,
    )  # fmt: skip


def _accepted(row: TrustRow) -> Accepted:
    return Accepted(_name(row), row.value, row.time, row.by, tuple(sorted(row.files)), row.reason)


def _value(setting: PendingSetting) -> Value:
    return KEYS[setting.key].kind.read(node_of(setting.value))


def _name(row: TrustRow) -> str:
    return row.name if row.kind == SETTING else f"{row.kind}:{row.name}"


def _named(key: str) -> str:
    """The key as shown: a setting, or a kind and a name."""
    return key if ":" in key else key_named(key).name


def _file(workspace: Workspace) -> Path:
    return trust_file(workspace.caller.home, workspace.caller.env)
