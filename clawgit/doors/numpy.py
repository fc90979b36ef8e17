"""The door to numpy, an extra: ImportError where it is not installed."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from numpy import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
