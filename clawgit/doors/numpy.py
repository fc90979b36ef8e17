"""The door to numpy, an extra: ImportError where it is not installed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import *  # noqa: F403 - these are the names of this module


def __getattr__(name: str) -> object:
    import numpy  # noqa: ICN001, PLC0415 - 60 ms, an extra

    value = getattr(numpy, name)
    globals()[name] = value
    return value
