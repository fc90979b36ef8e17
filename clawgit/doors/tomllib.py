"""The door to tomllib, for modules that are imported often and seldom parse a list of words."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from tomllib import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
