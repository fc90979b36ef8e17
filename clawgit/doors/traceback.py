"""The door to traceback, which only the log of a bug needs."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from traceback import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
