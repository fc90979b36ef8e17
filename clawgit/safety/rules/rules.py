"""The rules of secrets, as rows of a file in the shape of gitleaks: `_secrets.toml` says what they
look like, how they are named and what only looks like one.
"""

import re
from functools import cache, cached_property
from typing import Any

from clawgit.language.files import parsed

_NAMED = re.compile("<([A-Z_]+)>")

_FILE = "_secrets"

SHAPE = "shape"
"""The check of a secret that shows by itself what it is."""


class Rule:
    """One of the `keywords` must stand in a text. `check` says how it is judged what `regex`
    finds.
    """

    def __init__(self, row: dict[str, Any], patterns: dict[str, str]) -> None:
        self.id: str = row["id"]
        self.keywords: list[str] = row["keywords"]
        self.check: str = row.get("check", SHAPE)
        self._regex, self._patterns = row["regex"], patterns

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """Compiled on first use: compiling all would take longer than reading most texts."""
        return re.compile(_filled(self._regex, self._patterns))

    def may_be_in(self, text: str) -> bool:
        return any(map(text.__contains__, self.keywords))


@cache
def rules() -> tuple[Rule, ...]:
    """All rules; of two that find something in one place, the first shape is right."""
    patterns: dict[str, str] = {}
    for name, pattern in parsed(_FILE)["patterns"].items():
        patterns[name] = _filled(pattern, patterns)
    return tuple(Rule(row, patterns) for row in parsed(_FILE)["rules"])


@cache
def keywords(*, by_shape: bool) -> tuple[str, ...]:
    """Those of all rules that find a secret by its shape, or of the others."""
    return tuple(
        keyword
        for row in parsed(_FILE)["rules"]
        if (row.get("check", SHAPE) == SHAPE) is by_shape
        for keyword in row["keywords"]
    )


@cache
def allowed(name: str) -> re.Pattern[str]:
    """A pattern of what only looks like a secret."""
    return re.compile(parsed(_FILE)["allow"][name])


@cache
def samples() -> frozenset[str]:
    """The hashes of the keys that vendors print in their own documents."""
    return frozenset(parsed(_FILE)["allow"]["samples"])


def _filled(pattern: str, patterns: dict[str, str]) -> str:
    return _NAMED.sub(lambda named: patterns[named[1]], pattern)
