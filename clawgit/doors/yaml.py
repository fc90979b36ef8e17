"""The door to PyYAML."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yaml import *  # noqa: F403 - these are the names of this module
    from yaml import reader as reader  # noqa: PLC0414 - exported too


def __getattr__(name: str) -> object:
    import yaml  # noqa: PLC0415 - 20 ms

    value = getattr(yaml, name)
    globals()[name] = value
    return value
