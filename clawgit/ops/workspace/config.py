"""The `config` commands: list the settings and their origin, check them, set a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from clawgit.config import (
    ALIASES,
    KEYS,
    Key,
    Loaded,
    Sourced,
    key_named,
    load,
    plain,
    read_value,
    shown,
)
from clawgit.config.kinds import WrongValueError
from clawgit.config.settings import GUARDS
from clawgit.config.written import CONFIG_FILE, ConfigProblem, read_written, set_value
from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.errors import ConfigError
from clawgit.ops.change.described import Change as Written
from clawgit.ops.change.described import described
from clawgit.ops.workspace.kept_config import NO_SOURCES, openclaw_settings
from clawgit.ops.workspace.sensitive_values import discreet
from clawgit.ops.workspace.trust import accept_value, refuse_broken_store
from clawgit.ops.workspace.workspace import Workspace

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Setting:
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


@dataclass(frozen=True, slots=True)
class ConfigListing:
    """`notes` name what was skipped in OpenClaw's config."""

    settings: tuple[Setting, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfigCheck:
    problems: tuple[ConfigProblem, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """The new text of CONFIG.md. `masked_by` names what overrides the value, `env CLAWGIT_…`."""

    text: str
    key: str
    value: object
    before: object
    changed: bool
    masked_by: str = ""


@dataclass(frozen=True, slots=True)
class Set:
    """A setting that was changed: its commit, what overrides it, and whether it was accepted."""

    key: str
    value: object
    before: object
    masked_by: str
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    change: Written = field(repr=False)
    accepted: bool = False


def set_setting(
    workspace: Workspace, key: str, value: str, *, dry_run: bool = False, reason: str = ""
) -> Set:  # fmt: skip
    """Changes one line of CONFIG.md in a commit.

    If the operator sets it, it is also accepted on this machine, with `reason` and the change's id.
    """
    caller, known, name = workspace.caller, key_named(key), workspace.config_file
    accepts = caller.actor == OPERATOR and known.name in GUARDS
    if accepts:
        # Before the commit: a value that is committed but cannot be accepted would stay pending.
        refuse_broken_store(workspace)
    with workspace.git.transaction(
        _set_intent(workspace, key, value), workspace.now, dry_run=dry_run
    ) as tx:
        sources = openclaw_settings(workspace.root, caller)[0]
        change = changed_text(
            tx.read_text(name) or "", key, value, env=caller.env, openclaw=sources
        )
        if change.changed:
            tx.put(name, change.text)
    done = described(tx, dry_run=dry_run, of=name)
    if accepts and not dry_run:
        why = f"{reason} {done.id or ''}".strip() if reason else ""
        accept_value(
            workspace, known.name, read_value(known, value), commit=done.commit, reason=why
        )
    return Set(
        change.key,
        change.value,
        change.before,
        change.masked_by,
        done.commit,
        done.id,
        done.changed,
        done,
        accepts,
    )


def _set_intent(workspace: Workspace, key: str, value: str) -> Intent:
    return Intent(workspace.caller.actor, "config", f"set {key_named(key).name} to {value}")


def settings(loaded: Loaded, key: str = "") -> ConfigListing:
    """All settings, or the one that `key` names.

    Passwords in addresses are hidden in the full list, which people paste into bug reports, but
    not in the value of a single key.
    """
    if key:
        return ConfigListing((_setting(loaded, key_named(key)),), loaded.notes)
    return ConfigListing(
        tuple(_discreet(_setting(loaded, known)) for known in KEYS.values()), loaded.notes
    )


def check(loaded: Loaded) -> ConfigCheck:
    """All errors, not only the first."""
    return ConfigCheck(loaded.problems, loaded.notes)


def changed_text(
    text: str,
    key: str,
    value: str,
    *,
    env: Mapping[str, str] = _NO_TEXTS,
    openclaw: Mapping[str, Sourced] = NO_SOURCES,
) -> ConfigChange:
    """CONFIG.md with `key` set to `value`.

    ConfigError if the value is wrong, by itself or together with others. A value that is in force
    already changes nothing. Other errors in the file are left as they are.
    """
    known = key_named(key)
    wanted = _wanted(known, value)
    below = load(text, openclaw=openclaw)
    before = getattr(below.settings, known.name)
    stands = any(entry.name == known.name for entry in read_written(text).entries)
    is_so = before == wanted and (not stands or below.origin(known.name).startswith(CONFIG_FILE))
    after = text if is_so else _written(text, known, shown(wanted), below, openclaw)
    return ConfigChange(
        after, known.name, plain(wanted), plain(before), not is_so, _mask(known, env)
    )


def _wanted(key: Key, value: str) -> object:
    try:
        return read_value(key, value)
    except WrongValueError as error:
        raise ConfigError(
            f"{key.name} must be {error.expected}",
            hint=error.hint or f"`clawgit config get {key.name}` shows what it is now.",
            key=key.name,
        ) from error


def _written(
    text: str, key: Key, value: str, below: Loaded, openclaw: Mapping[str, Sourced]
) -> str:
    after = set_value(text, key.name, value)
    known = {(problem.key, problem.message) for problem in below.problems}
    for problem in load(after, openclaw=openclaw).problems:
        if (problem.key, problem.message) not in known:
            raise ConfigError(problem.message, hint=problem.hint, key=key.name)
    return after


def _mask(key: Key, env: Mapping[str, str]) -> str:
    names = [key.name, *(alias for alias, name in ALIASES.items() if name == key.name)]
    variables = [f"CLAWGIT_{name.upper()}" for name in names]
    return next((f"env {variable}" for variable in variables if env.get(variable)), "")


def _setting(loaded: Loaded, key: Key) -> Setting:
    value = plain(getattr(loaded.settings, key.name))
    waiting = next((pending.value for pending in loaded.pending if pending.key == key.name), None)
    default, origin = plain(key.default), loaded.origin(key.name)
    return Setting(key.name, value, default, origin, waiting)


def _discreet(setting: Setting) -> Setting:
    hidden, waiting = (discreet(setting.key, value) for value in (setting.value, setting.pending))
    return replace(setting, value=hidden, pending=waiting)
