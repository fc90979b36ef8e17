"""Rules that are rows of a file in the shape of gitleaks: `_secrets.toml` says what secrets look
like, how they are named and what only looks like one; `_orders.toml`, what no order may make of the
soul.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, cached_property
from itertools import chain
from operator import add
from typing import Any

from clawgit.language.files import parsed

_NAMED = re.compile("<([A-Z_]+)>")

SECRETS = "_secrets"
SHAPE = "shape"
"""The check of a secret that shows by itself what it is."""

_LONG = 250


class Rule:
    """One of the `keywords` must stand in a text. `check` says how it is judged what `regex`
    finds.
    """

    def __init__(self, order: int, row: dict[str, Any], patterns: dict[str, str]) -> None:
        self.order = order
        self.id: str = row["id"]
        self.check: str = row.get("check", SHAPE)
        self.keywords: list[str] = row["keywords"]
        self._regex, self._patterns = row["regex"], patterns

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """Compiled on first use: compiling all would take longer than reading most texts."""
        return re.compile(_filled(self._regex, self._patterns))


@cache
def rules(file: str) -> tuple[Rule, ...]:
    """All rules of a file; of two that find something in one place, the first shape is right."""
    patterns: dict[str, str] = {}
    for name, pattern in parsed(file)["patterns"].items():
        patterns[name] = _filled(pattern, patterns)
    return tuple(Rule(order, row, patterns) for order, row in enumerate(parsed(file)["rules"]))


def rules_in(text: str, *, by_shape: bool = False) -> list[Rule]:
    """The rules of secrets that have a keyword in a text, in their order: those that find one by
    its shape, or the others.
    """
    starts, found = _starts(by_shape=by_shape), dict[int, Rule]()
    # Each text that is shown or written comes here, and there are hundreds of keywords. In a long
    # one, to look for each of them is faster.
    pairs = chain(text, map(add, text, text[1:])) if len(text) < _LONG else starts
    for start in {*filter(starts.__contains__, pairs)}:
        found |= {rule.order: rule for keyword, rule in starts[start] if keyword in text}
    return [found[order] for order in sorted(found)]


@cache
def _starts(*, by_shape: bool) -> Mapping[str, list[tuple[str, Rule]]]:
    """The keywords by their first two characters, each with its rule."""
    starts = defaultdict[str, list[tuple[str, Rule]]](list)
    for rule in rules(SECRETS):
        if (rule.check == SHAPE) is by_shape:
            for keyword in rule.keywords:
                starts[keyword[:2]].append((keyword, rule))
    return starts


@cache
def allowed(name: str) -> re.Pattern[str]:
    """A pattern of what only looks like a secret."""
    return re.compile(parsed(SECRETS)["allow"][name])


@cache
def samples() -> frozenset[str]:
    """The hashes of the keys that vendors print in their own documents."""
    return frozenset(parsed(SECRETS)["allow"]["samples"])


def _filled(pattern: str, patterns: dict[str, str]) -> str:
    return _NAMED.sub(lambda named: patterns[named[1]], pattern)
