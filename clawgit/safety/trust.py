"""`trust` and `config`: what the operator accepts on this machine, listed, accepted and revoked;
and the settings, listed with their origin, and set.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.config.kinds import RUNS, Sourced, Value, WrongValueError, plain, shown
from clawgit.core.config.load import (
    CONFIG_FILE,
    ConfigProblem,
    Loaded,
    load,
    read_value,
    read_written,
    set_in,
    set_value,
)
from clawgit.core.config.settings import GUARDS, KEYS, Key, key_named
from clawgit.core.config.trust import SETTING, UNSEEN, TrustRow, digest, rows_for, value_of
from clawgit.core.errors import ConfigError, ConflictError, NotFoundError
from clawgit.git.transaction import Change
from clawgit.safety.in_force import config_to_judge, openclaw_settings
from clawgit.safety.operator import confirm, require_operator
from clawgit.safety.rules.planted import PlantedBlock
from clawgit.safety.rules.secrets import findings
from clawgit.safety.trust_store import (
    AT_A_TERMINAL,
    FILTER,
    TEXT,
    accepted_rows,
    change_rows,
    facts_of,
    trust_file,
)
from clawgit.safety.waiting_texts import keep_texts, waiting_texts
from clawgit.workspace.workspace import Workspace


class Waiting(NamedTuple):
    """A setting that is not in force. `value` is what was written, with passwords hidden; `rows`
    are what would be accepted: each value, and the programs in the workspace by their content.
    `seen` is the hash of these.
    """

    key: str
    value: object
    in_force: object
    origin: str
    why: str
    harms: tuple[str, ...]
    does: str
    rows: tuple[TrustRow, ...]
    seen: str


class Trust(NamedTuple):
    """`file` is this machine's store of what was accepted; a value that may be a secret is null
    there. `texts` look planted, and are withheld from programs.
    """

    pending: tuple[Waiting, ...]
    accepted: tuple[TrustRow, ...]
    file: Path
    texts: tuple[PlantedBlock, ...] = ()


class TrustDecision(NamedTuple):
    """What was accepted or revoked.

    This holds for this machine and is in no history, so there is no commit.
    """

    accepted: tuple[str, ...]
    revoked: tuple[str, ...]
    changed: tuple[Path, ...]
    commit: str | None = None
    id: str | None = None
    dry_run: bool = False


def listing(workspace: Workspace, keys: Sequence[str] = (), *, texts: bool = False) -> Trust:
    """What waits, and what was accepted; with `keys`, only for these. With `texts` also the planted
    text of all files that are served, which must all be read for it.

    TrustError if the store is damaged.
    """
    names = {_named(key) for key in keys}
    pending = tuple(row for row in _all_waiting(workspace) if _is_asked(row.key, names))
    accepted = tuple(row for row in _accepted(workspace) if _is_asked(named(row), names))
    found = _waiting_texts(workspace, names) if texts else ()
    return Trust(pending, accepted, trust_file(workspace.caller), found)


def _waiting_texts(workspace: Workspace, names: set[str]) -> tuple[PlantedBlock, ...]:
    if names and not any(name.startswith(f"{TEXT}:") for name in names):
        return ()
    return tuple(text for text in waiting_texts(workspace) if _is_asked(text.key, names))


def _is_asked(name: str, names: set[str]) -> bool:
    return not names or name in names


def accept(workspace: Workspace, shown: Sequence[Waiting | PlantedBlock]) -> TrustDecision:
    """Puts settings in force as they were shown, and records texts as seen by the operator: exactly
    these words are served from now on.

    ConflictError if a setting, or a program that it names, was changed since.
    """
    refuse_others(workspace, "accept what waits")
    rows = [row for row in shown if isinstance(row, Waiting)]
    now = listing(workspace).pending
    if changed := next((row.key for row in rows if row not in now), ""):
        raise ConflictError(
            f"{changed} was changed while you looked at it.", hint=f"clawgit trust {changed}"
        )
    if not workspace.dry_run:
        _keep_all(workspace, rows)
        keep_texts(workspace, [text for text in shown if isinstance(text, PlantedBlock)])
    return _decided(workspace, [row.key for row in shown], [])


def _keep_all(workspace: Workspace, rows: Sequence[Waiting]) -> None:
    if rows:
        # The fingerprints are part of what is confirmed: a yes counts only for these values.
        prints = ", ".join(f"{row.key} {row.seen}" for row in rows)
        confirm(workspace.caller, f"accept {prints}")
    for row in rows:
        _keep(workspace, row.key, row.rows)


def accept_seen(workspace: Workspace, keys: Sequence[str], seen: str) -> TrustDecision:
    """Accepts the setting or the text that was shown with this hash.

    ConflictError if what waits is not what was shown.
    """
    refuse_others(workspace, "accept what waits")
    known = listing(workspace, keys, texts=True)
    waiting: tuple[Waiting | PlantedBlock, ...] = (*known.pending, *known.texts)
    rows = [row for row in waiting if row.seen == seen]
    if not rows:
        raise ConflictError(
            "Nothing that waits has this hash: it was accepted, or was changed since it was shown.",
            hint="`clawgit trust --json` shows what waits.",
        )
    return accept(workspace, rows)


def revoke(workspace: Workspace, keys: Sequence[str] = ()) -> TrustDecision:
    """Revokes what was accepted for these settings, or for all if no key is given."""
    refuse_others(workspace, "revoke what was accepted")
    names = {_named(key) for key in keys}
    gone = dict.fromkeys(map(named, _accepted(workspace)))
    if missing := sorted(names.difference(gone)):
        raise NotFoundError(
            f"{missing[0]} was not accepted here.", hint="`clawgit trust --json` lists what was."
        )
    revoked = [name for name in gone if not names or name in names]
    if revoked and not workspace.dry_run:
        confirm(workspace.caller, f"revoke {', '.join(revoked)}")
        for name in revoked:
            _keep(workspace, name, ())
    return _decided(workspace, [], revoked)


def drop_acceptances(workspace: Workspace) -> tuple[str, ...]:
    """Removes all rows of this workspace, for `deinit`."""
    rows = _accepted(workspace)
    if rows and not workspace.dry_run:
        change_rows(workspace.caller, workspace.place, lambda _: ())
    return (f"what was accepted here, in {trust_file(workspace.caller)}",) if rows else ()


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
    _keep(workspace, name, _rows(workspace, name, value), reason)


def rows_of(workspace: Workspace, name: str) -> tuple[TrustRow, ...]:
    """The rows that were accepted for one setting."""
    return tuple(row for row in _accepted(workspace) if named(row) == name)


def refuse_others(workspace: Workspace, act: str) -> None:
    require_operator(workspace.caller, act, "The operator runs this at a terminal.")


def named(row: TrustRow) -> str:
    """The key of a row as shown: a setting, or a kind and a name."""
    return row.name if row.kind == SETTING else f"{row.kind}:{row.name}"


def _keep(workspace: Workspace, key: str, rows: Sequence[TrustRow], reason: str = "") -> None:
    """Stores what was accepted in place of what was before. In a list, unchanged items keep their
    time and reason.
    """
    time = workspace.now.isoformat()
    new = [row._replace(time=time, by=AT_A_TERMINAL, reason=reason) for row in rows]

    # The old rows are read under the lock: another `trust` may have added some meanwhile.
    def changed(old: tuple[TrustRow, ...]) -> Iterator[TrustRow]:
        same = {(row.digest, *sorted(row.files.items())): row for row in old if named(row) == key}
        yield from (row for row in old if named(row) != key)
        yield from (same.get((row.digest, *sorted(row.files.items())), row) for row in new)

    change_rows(workspace.caller, workspace.place, changed)
    workspace.read_config_anew()


def _all_waiting(workspace: Workspace) -> Iterator[Waiting]:
    """The settings that wait, and the programs that git would run on files."""
    for pending in config_to_judge(workspace.place, workspace.caller).pending:
        key, guard = pending.key, GUARDS[pending.key]
        rows = _rows(workspace, key, value_of(pending))
        value, in_force = discreet(key, pending.value), discreet(key, pending.in_force)
        why = (pending.origin, pending.why, guard.harms, guard.does)
        yield Waiting(key, value, in_force, *why, rows, _fingerprint(rows))
    for name, programs in workspace.cgit.untrusted_filters:
        text = "\n".join(programs)
        rows = (TrustRow(FILTER, name, digest(text), text),)
        does = "has git run these programs over each file under this filter"
        why = ("the repository's own git configuration", UNSEEN, (RUNS,), does)
        off: object = False
        yield Waiting(f"{FILTER}:{name}", [*programs], off, *why, rows, _fingerprint(rows))


def _rows(workspace: Workspace, name: str, value: Value) -> tuple[TrustRow, ...]:
    return rows_for(name, value, facts_of(workspace.place, workspace.caller.home), is_secret)


def _fingerprint(rows: Sequence[TrustRow]) -> str:
    return digest([[row.kind, row.name, row.digest, dict(row.files)] for row in rows])


def _decided(
    workspace: Workspace, accepted: Sequence[str], revoked: Sequence[str]
) -> TrustDecision:
    changed = (trust_file(workspace.caller),) if accepted or revoked else ()
    return TrustDecision(tuple(accepted), tuple(revoked), changed, dry_run=workspace.dry_run)


def _accepted(workspace: Workspace) -> tuple[TrustRow, ...]:
    return accepted_rows(workspace.caller, workspace.place)


def _named(key: str) -> str:
    """The key as shown, of one that somebody typed."""
    return key if ":" in key else key_named(key).name


def is_secret(key: str, value: object) -> bool:
    """Whether only the hash of a value may be stored: it is an address with a password or a
    token.
    """
    if key == "secrets_allow":  # it holds fingerprints, and its list shows when each was allowed
        return False
    # The address of an embedder stands behind its model.
    text = str(value).rpartition(" ")[2] if key == "embedder" else str(value)
    if key == "digest_to" or (
        "://" in text
        and (not text.startswith(("http://", "https://")) or "@" in text or "?" in text)
    ):
        return True
    return any(findings("CONFIG.md", text))


def discreet(key: str, value: object) -> object:
    """A value without the passwords in its addresses."""
    if key == "digest_to" and isinstance(value, list):
        # An apprise address is secret as a whole: its token is where others have a host.
        return [re.sub(r"://.*", "://…", str(address)) for address in value]
    if isinstance(value, str):
        return re.sub(r"(://[^/\s@:]*:)[^\s@]*@", r"\1…@", value)
    return value


# The `config` commands: settings listed with their origin, and set


class Setting(NamedTuple):
    """A key, the value in force as JSON, and its origin.

    `pending` is a value not accepted yet.
    """

    key: str
    value: object
    default: object
    origin: str
    pending: object = None

    @property
    def is_at_default(self) -> bool:
        return self.value == self.default and self.pending is None


class ConfigListing(NamedTuple):
    """`notes` name what was skipped in OpenClaw's config."""

    settings: tuple[Setting, ...]
    notes: tuple[str, ...] = ()


class ConfigCheck(NamedTuple):
    problems: tuple[ConfigProblem, ...]
    notes: tuple[str, ...] = ()


class Set(NamedTuple):
    """A setting that was changed: `masked_by` names what overrides it, `env CLAWGIT_…`."""

    change: Change
    key: str
    value: object
    before: object
    masked_by: str
    accepted: bool


def set_setting(workspace: Workspace, key: str, value: str) -> Set:
    """Changes one line of CONFIG.md in a commit. If the operator sets it, it is also accepted on
    this machine.
    """
    caller, name = workspace.caller, key_named(key).name
    wanted = _wanted(KEYS[name], value)
    accepts = caller.actor.is_operator and name in GUARDS
    if accepts:
        # Before the commit: a value that is committed but cannot be accepted would stay pending.
        _accepted(workspace)
    sources, file = openclaw_settings(workspace.root, caller)[0], workspace.config_file
    with workspace.change("config", f"set {name} to {value}") as tx:
        text = tx.read_text(file)
        before = getattr(load(text, openclaw=sources).settings, name)
        after = changed_text(text, name, wanted, sources)
        if after != text:
            tx.put(file, after)
    if accepts and not workspace.dry_run:
        accept_value(workspace, name, wanted, commit=tx.outcome.commit)
    return Set(
        tx.outcome._replace(of=file),
        key=name,
        value=plain(wanted),
        before=plain(before),
        masked_by=next(
            (f"env {variable}" for variable, key in set_in(caller.env) if key == name), ""
        ),
        accepted=accepts,
    )


def settings(loaded: Loaded, key: str = "") -> ConfigListing:
    """All settings, or the one that `key` names.

    Passwords in addresses are hidden in the full list, which people paste into bug reports, but
    not in the value of a single key.
    """
    if key:
        return ConfigListing((_setting(loaded, key_named(key)),), loaded.notes)
    listed = (_setting(loaded, known, hides=discreet) for known in KEYS.values())
    return ConfigListing(tuple(listed), loaded.notes)


def changed_text(
    text: str, name: str, wanted: Value, openclaw: Mapping[str, Sourced] | None = None
) -> str:
    """CONFIG.md with a setting at a value; the same text where that is so already. Errors in the
    file are left as they are.
    """
    below = load(text, openclaw=openclaw or {})
    stands = any(entry.name == name for entry in read_written(text).entries)
    is_from_file = below.origin(name).startswith(CONFIG_FILE)
    if getattr(below.settings, name) == wanted and (is_from_file or not stands):
        return text
    return set_value(text, name, shown(wanted))


def _wanted(key: Key, value: str) -> Value:
    try:
        return read_value(key, value)
    except WrongValueError as error:
        raise ConfigError(
            f"{key.name} must be {error.expected}",
            hint=error.hint or f"`clawgit config get {key.name}` shows what it is now.",
            key=key.name,
        ) from error


def _setting(
    loaded: Loaded, key: Key, hides: Callable[[str, object], object] = lambda _, value: value
) -> Setting:
    value = hides(key.name, plain(getattr(loaded.settings, key.name)))
    waiting = [pending.value for pending in loaded.pending if pending.key == key.name]
    pending = hides(key.name, waiting[0]) if waiting else None
    return Setting(key.name, value, plain(key.default), loaded.origin(key.name), pending)
