"""The door to subprocess, for modules that are imported often and seldom start a program."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import *  # noqa: F403 - these are the names of this module


def __getattr__(name: str) -> object:
    import subprocess  # noqa: PLC0415 - 8 ms

    value = getattr(subprocess, name)
    globals()[name] = value
    return value
