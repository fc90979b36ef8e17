"""Loads the settings. The first source wins: env, CONFIG.md, OpenClaw's config, default.

The flags of a command go before all of these, and never come here.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.config.kinds import Value, Written, WrongValueError, as_written, shown
from clawgit.config.settings import ALIASES, KEYS, Key, Settings
from clawgit.config.written import CONFIG_FILE, ConfigProblem, read_written, typed_list

if TYPE_CHECKING:
    from clawgit.config.trust import PendingSetting

_NOTHING: Mapping[str, Any] = MappingProxyType({})

VARIABLES = {f"CLAWGIT_{name.upper()}": ALIASES.get(name, name) for name in (*ALIASES, *KEYS)}
"""What each variable sets; of two names of one key the key's own counts."""
_LONGEST = 60


class Sourced(NamedTuple):
    """A JSON value from another program's config, and its place there."""

    value: object
    origin: str


class Loaded(NamedTuple):
    """The settings that could be read. A wrong value is a problem, and the next source wins.

    From `load`, they are as written. From a workspace, they are those in force; `pending` has the
    others.
    """

    settings: Settings
    origins: Mapping[str, str]
    problems: tuple[ConfigProblem, ...]
    notes: tuple[str, ...]
    pending: "tuple[PendingSetting, ...]" = ()

    def origin(self, key: str) -> str:
        """Where the value of `key` comes from, for instance `CONFIG.md:14`."""
        return self.origins.get(key, "default")


def settings_in(file: bytes | None) -> Settings:
    """What a CONFIG.md says by itself."""
    return load((file or b"").decode("utf-8", "replace")).settings


def load(
    text: str = "",
    *,
    env: Mapping[str, str] = _NOTHING,
    openclaw: Mapping[str, Sourced] = _NOTHING,
    file: str = CONFIG_FILE,
) -> Loaded:
    """Merges the text of CONFIG.md and the other sources. An empty env variable counts as unset."""
    written = read_written(text, file)
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    problems, notes = [*written.problems], list[str]()
    # From the weakest source to the strongest: each overwrites what came before it. A wrong value
    # overwrites nothing.
    for name, sourced in openclaw.items():
        try:
            values[name] = KEYS[name].kind.read(as_written(sourced.value))
            origins[name] = sourced.origin
        except WrongValueError as error:
            # Not the value itself: somebody else's config may hold a key or a password.
            notes.append(f"{sourced.origin} is ignored: {name} must be {error.expected}")
    for entry in written.entries:
        try:
            values[entry.name] = KEYS[entry.name].kind.read(entry.value)
            origins[entry.name] = f"{file}:{entry.line}"
        except WrongValueError as error:
            where = f"{file}:{entry.line}"
            problems.append(_problem(where, entry.line, entry.name, entry.value, error))
    problems.sort(key=lambda problem: problem.line)
    for variable, name in _set_in(env):
        try:
            values[name] = read_value(KEYS[name], env[variable])
            origins[name] = f"env {variable}"
        except WrongValueError as error:
            problems.append(_problem(f"env {variable}", 0, name, env[variable], error))
    settings = Settings(**values)  # type: ignore[arg-type] # each kind reads the type of its own field
    return Loaded(settings, origins, tuple(problems), tuple(notes))


def read_value(key: Key, text: str) -> Value:
    """The value of a text that was typed; WrongValueError if `key` does not allow it."""
    try:
        return key.kind.read(typed_list(text) if key.kind.many else text)
    except WrongValueError:
        raise
    except ValueError as error:
        raise WrongValueError(key.kind.allowed) from error


def set_by_env(env: Mapping[str, str]) -> frozenset[str]:
    """The keys that the environment sets."""
    return frozenset(name for _, name in _set_in(env))


def _set_in(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((variable, name) for variable, name in VARIABLES.items() if env.get(variable))


def _problem(
    where: str, line: int, name: str, written: Written, error: WrongValueError
) -> ConfigProblem:
    message = f"{name} must be {error.expected}"
    # The wrong value, if it is short and cannot be an address with a password in it.
    wrong = shown(written)
    if len(wrong) <= _LONGEST and "://" not in wrong:
        message += f", not {wrong}" if written else ", and has no value"
    return ConfigProblem(where, line, name, message, error.hint)
