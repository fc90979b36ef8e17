"""Loads the settings. The first source wins: env, CONFIG.md, OpenClaw's config, default.

The flags of a command go before all of these, and never come here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.config.kinds import (
    UnreadableYamlError,
    Value,
    WrongValueError,
    YamlNode,
    node_of,
    shown,
)
from clawgit.config.settings import ALIASES, KEYS, Key, Settings
from clawgit.config.written import CONFIG_FILE, ConfigProblem, read_written, roots
from clawgit.errors import ConfigError

if TYPE_CHECKING:
    from clawgit.config.trust import PendingSetting

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_ENV = "CLAWGIT_"

_VARIABLES = {_ENV + name.upper(): ALIASES.get(name, name) for name in (*ALIASES, *KEYS)}
"""What each variable sets."""
_LONGEST = 60


class Sourced(NamedTuple):
    """A JSON value from another program's config, and its place there."""

    value: object
    origin: str


class _Claim(NamedTuple):
    """What one source says about a key. `ours`: a wrong value is the operator's error."""

    key: Key
    node: YamlNode
    origin: str
    ours: bool = True


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

    def checked(self) -> Settings:
        """The settings; raises ConfigError if there are problems, with the first one."""
        if not self.problems:
            return self.settings
        first, more = self.problems[0], len(self.problems) - 1
        rest = f" (and {more} more: clawgit config)" if more else ""
        raise ConfigError(
            f"{first.where}: {first.message}{rest}",
            hint=first.hint,
            file=CONFIG_FILE,
            line=first.line,
            key=first.key,
            problems=len(self.problems),
        )


def settings_in(file: bytes | None) -> Settings:
    """What a CONFIG.md says by itself."""
    return load((file or b"").decode("utf-8", "replace"), env={}).settings


def load(
    text: str = "",
    *,
    env: Mapping[str, str] = _NOTHING,
    openclaw: Mapping[str, Sourced] = _NOTHING,
) -> Loaded:
    """Merges the text of CONFIG.md and the other sources. A wrong value does not raise: see
    `checked`.

    An empty env variable counts as unset.
    """
    written = read_written(text)
    problems, notes, won = [*written.problems], list[str](), dict[str, _Claim]()
    claims = [
        *(
            _Claim(KEYS[key], node_of(setting.value), setting.origin, ours=False)
            for key, setting in openclaw.items()
        ),
        *(
            _Claim(KEYS[entry.name], entry.value, f"{CONFIG_FILE}:{entry.key.line}")
            for entry in written.entries
        ),
    ]
    values: dict[str, Value] = {}
    # From the weakest source to the strongest: each overwrites what came before it. A wrong value
    # overwrites nothing.
    for claim in (*claims, *_of_env(env, problems)):
        try:
            values[claim.key.name] = claim.key.kind.read(claim.node)
        except WrongValueError as error:
            _complain(claim, error, problems, notes)
        else:
            won[claim.key.name] = claim
    return Loaded(
        Settings(**values),  # type: ignore[arg-type] # each kind reads the type of its own field
        {key: claim.origin for key, claim in won.items()},
        # Problems without a line, those of the environment, come last.
        tuple(sorted(problems, key=lambda problem: problem.line or 1 << 30)),
        tuple(notes),
    )


def restored(
    values: Mapping[str, object],
    origins: Mapping[str, str],
    problems: tuple[ConfigProblem, ...],
    notes: tuple[str, ...],
) -> Loaded:
    """Settings that were loaded before and stored as JSON, so their values are known to be
    valid.
    """
    read = {name: KEYS[name].kind.read(node_of(value)) for name, value in values.items()}
    return Loaded(
        Settings(**read),  # type: ignore[arg-type] # each kind reads the type of its own field
        origins,
        problems,
        notes,
    )


def read_value(key: Key, text: str) -> Value:
    """The value of a text that was typed; WrongValueError if `key` does not allow it.

    A list is YAML in brackets, or texts with commas between them.
    """
    return key.kind.read(_typed(key, text))


def _typed(key: Key, text: str) -> YamlNode:
    if not key.kind.many:
        return YamlNode(text)
    if not text.lstrip().startswith("["):
        return YamlNode(
            items=tuple(YamlNode(part.strip()) for part in text.split(",") if part.strip())
        )
    try:
        # Line 0, because it was typed: a complaint must not name a line of CONFIG.md.
        nodes = [replace(root, line=0) for root in roots(text, 0, len(text))]
    except UnreadableYamlError as error:
        raise WrongValueError(f"{key.kind.allowed} ({error.message})", YamlNode(text)) from error
    return nodes[0]


def set_by_env(env: Mapping[str, str]) -> frozenset[str]:
    """The keys that the environment sets."""
    return frozenset(_VARIABLES[name] for name in _VARIABLES.keys() & env.keys() if env[name])


def _of_env(env: Mapping[str, str], problems: list[ConfigProblem]) -> Iterator[_Claim]:
    for name in (*ALIASES, *KEYS):
        variable = _ENV + name.upper()
        if env.get(variable):
            yield from _of_text(
                KEYS[ALIASES.get(name, name)], env[variable], f"env {variable}", problems
            )


def _of_text(key: Key, text: str, origin: str, problems: list[ConfigProblem]) -> Iterator[_Claim]:
    try:
        yield _Claim(key, _typed(key, text), origin)
    except WrongValueError as error:
        problems.append(
            ConfigProblem(origin, 0, key.name, f"{key.name} must be {error.expected}", error.hint)
        )


def _complain(
    claim: _Claim, error: WrongValueError, problems: list[ConfigProblem], notes: list[str]
) -> None:
    must = f"{claim.key.name} must be {error.expected}"
    if not claim.ours:
        # The value itself is not repeated: somebody else's config may hold a key or a password.
        notes.append(f"{claim.origin} is ignored: {must}")
        return
    line = error.node.line
    where = f"{CONFIG_FILE}:{line}" if line else claim.origin
    problems.append(
        ConfigProblem(where, line, claim.key.name, must + _instead(error.node), error.hint)
    )


def _instead(node: YamlNode) -> str:
    """The wrong value, if it is short and cannot be an address with a password in it."""
    if not node.is_scalar or len(node.text) > _LONGEST or "://" in node.text:
        return ""
    return f", not {shown(node.text)}" if node.text else ", and has no value"
