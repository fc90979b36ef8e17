"""The door to rapidfuzz."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rapidfuzz import *  # noqa: F403 - these are the names of this module


def __getattr__(name: str) -> object:
    import rapidfuzz  # noqa: PLC0415 - 17 ms

    value = getattr(rapidfuzz, name)
    globals()[name] = value
    return value
