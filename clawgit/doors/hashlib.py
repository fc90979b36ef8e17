"""The door to hashlib, for modules that are imported often and seldom make a hash."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import *  # noqa: F403 - these are the names of this module


def __getattr__(name: str) -> object:
    import hashlib  # noqa: PLC0415 - OpenSSL, 3 ms of each commit and of `triage`

    value = getattr(hashlib, name)
    globals()[name] = value
    return value
