"""The door to html."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from html import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
