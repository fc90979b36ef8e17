"""The door to shutil, for modules that are imported often and seldom copy a file."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from shutil import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
