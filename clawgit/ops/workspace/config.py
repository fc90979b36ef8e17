"""The `config` commands: list the settings and their origin, set a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.config import KEYS, Key, Loaded, Sourced, key_named, load, plain, read_value, shown
from clawgit.config.kinds import Value, WrongValueError
from clawgit.config.load import CONFIG_FILE, VARIABLES, ConfigProblem, read_written, set_value
from clawgit.config.settings import GUARDS
from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.errors import ConfigError
from clawgit.ops.change.described import Change, described, fields_of
from clawgit.ops.workspace.in_force import openclaw_settings
from clawgit.ops.workspace.trust import accept_value, discreet, refuse_broken_store
from clawgit.ops.workspace.workspace import Workspace


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Set(Change):
    """A setting that was changed: `masked_by` names what overrides it, `env CLAWGIT_…`."""

    key: str
    value: object
    before: object
    masked_by: str
    accepted: bool


def set_setting(
    workspace: Workspace, key: str, value: str, *, dry_run: bool = False, reason: str = ""
) -> Set:  # fmt: skip
    """Changes one line of CONFIG.md in a commit.

    If the operator sets it, it is also accepted on this machine, with `reason` and the change's id.
    """
    caller, name = workspace.caller, key_named(key).name
    wanted = _wanted(KEYS[name], value)
    accepts = caller.actor == OPERATOR and name in GUARDS
    if accepts:
        # Before the commit: a value that is committed but cannot be accepted would stay pending.
        refuse_broken_store(workspace)
    sources, file = openclaw_settings(workspace.root, caller)[0], workspace.config_file
    intent = Intent(caller.actor, "config", f"set {name} to {value}")
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        text = tx.read_text(file) or ""
        before = getattr(load(text, openclaw=sources).settings, name)
        after = changed_text(text, name, wanted, sources)
        if after != text:
            tx.put(file, after)
    done = described(tx, dry_run=dry_run, of=file)
    if accepts and not dry_run:
        why = f"{reason} {done.id or ''}".strip() if reason else ""
        accept_value(workspace, name, wanted, commit=done.commit, reason=why)
    return Set(
        **fields_of(done),
        key=name,
        value=plain(wanted),
        before=plain(before),
        masked_by=_mask(name, caller.env),
        accepted=accepts,
    )


def settings(loaded: Loaded, key: str = "") -> ConfigListing:
    """All settings, or the one that `key` names.

    Passwords in addresses are hidden in the full list, which people paste into bug reports, but
    not in the value of a single key.
    """
    if key:
        return ConfigListing((_setting(loaded, key_named(key)),), loaded.notes)
    listed = (_setting(loaded, known) for known in KEYS.values())
    return ConfigListing(tuple(map(_discreet, listed)), loaded.notes)


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


def _mask(name: str, env: Mapping[str, str]) -> str:
    masks = (variable for variable, key in VARIABLES.items() if key == name and env.get(variable))
    return next((f"env {variable}" for variable in masks), "")


def _setting(loaded: Loaded, key: Key) -> Setting:
    value = plain(getattr(loaded.settings, key.name))
    waiting = next((pending.value for pending in loaded.pending if pending.key == key.name), None)
    return Setting(key.name, value, plain(key.default), loaded.origin(key.name), waiting)


def _discreet(setting: Setting) -> Setting:
    hidden, waiting = (discreet(setting.key, value) for value in (setting.value, setting.pending))
    return setting._replace(value=hidden, pending=waiting)
