"""The door to zoneinfo, whose import is slow; most commands need no local time."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from zoneinfo import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
