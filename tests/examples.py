"""How many examples Hypothesis tries: `CLAWGIT_EXAMPLES=20` tries 20 times as many of each test."""

import os
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("CLAWGIT_EXAMPLES", "1"))
"""Read once, at import: the fixture of each test takes our variables out of its environment."""


def multiply(items: Iterable[pytest.Item]) -> None:
    """Gives each Hypothesis test so many times its examples, and no deadline for a single one."""
    if TIMES == 1:
        return
    done: set[object] = set()
    for item in items:
        test = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        # A parametrized test is one function with many items.
        if own is None or test in done:
            continue
        done.add(test)
        test._hypothesis_internal_use_settings = settings(  # type: ignore[union-attr]
            own,
            max_examples=own.max_examples * TIMES,
            deadline=None,
            suppress_health_check=[*own.suppress_health_check, HealthCheck.too_slow],
        )
