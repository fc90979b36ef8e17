"""The door to hashlib, for modules that are imported often and seldom make a hash."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from hashlib import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
