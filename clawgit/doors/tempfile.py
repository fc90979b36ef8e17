"""The door to tempfile, for modules that are imported often and seldom need a folder."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from tempfile import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
