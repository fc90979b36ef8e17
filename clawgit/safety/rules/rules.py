"""Rules that are rows of a file in the shape of gitleaks: `_secrets.toml` says what secrets look
like, how they are named and what only looks like one; `_planted.toml`, how text is hidden, how data
is carried away, and which phrases are worn.
"""

import re
from functools import cache, cached_property
from typing import Any

from clawgit.language.files import parsed

_NAMED = re.compile("<([A-Z_]+)>")

SECRETS, PLANTED = "_secrets", "_planted"
SHAPE = "shape"
"""The check of a secret that shows by itself what it is."""

WORN = "worn"
"""The check of a phrase in which a blank stands for anything short between two words."""

_GAP = r"[^\w\n]{1,4}"


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
        pattern = _filled(self._regex, self._patterns)
        return re.compile(pattern.replace(" ", _GAP) if self.check == WORN else pattern)

    def may_be_in(self, text: str) -> bool:
        return any(map(text.__contains__, self.keywords))


@cache
def rules(file: str) -> tuple[Rule, ...]:
    """All rules of a file; of two that find something in one place, the first shape is right."""
    patterns: dict[str, str] = {}
    for name, pattern in parsed(file)["patterns"].items():
        patterns[name] = _filled(pattern, patterns)
    return tuple(Rule(row, patterns) for row in parsed(file)["rules"])


@cache
def keywords(file: str, *, by_shape: bool) -> tuple[str, ...]:
    """Those of all rules that find a secret by its shape, or of the others."""
    return tuple(
        keyword
        for row in parsed(file)["rules"]
        if (row.get("check", SHAPE) == SHAPE) is by_shape
        for keyword in row["keywords"]
    )


@cache
def allowed(file: str, name: str) -> re.Pattern[str]:
    """A pattern of what only looks like a secret, or like planted text."""
    return re.compile(parsed(file)["allow"][name])


@cache
def samples() -> frozenset[str]:
    """The hashes of the keys that vendors print in their own documents."""
    return frozenset(parsed(SECRETS)["allow"]["samples"])


def _filled(pattern: str, patterns: dict[str, str]) -> str:
    return _NAMED.sub(lambda named: patterns[named[1]], pattern)
