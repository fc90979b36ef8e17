"""The settings: one class, read from CONFIG.md, the environment and OpenClaw's config."""

from clawgit.core.config.kinds import CustomPattern, plain, shown, split_pattern
from clawgit.core.config.load import ConfigProblem, Loaded, Sourced, load, read_value
from clawgit.core.config.settings import ALIASES, KEYS, Key, Settings, key_named

__all__ = [
    "ALIASES",
    "KEYS",
    "ConfigProblem",
    "CustomPattern",
    "Key",
    "Loaded",
    "Settings",
    "Sourced",
    "key_named",
    "load",
    "plain",
    "read_value",
    "shown",
    "split_pattern",
]
