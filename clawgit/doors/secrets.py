"""The door to secrets, the standard library's, for modules that seldom make a random token."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from secrets import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
