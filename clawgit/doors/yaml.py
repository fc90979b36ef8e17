"""The door to PyYAML."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from yaml import *  # noqa: F403 - these are the names of this module
    from yaml import reader as reader  # noqa: PLC0414 - exported too
else:
    __getattr__ = door(globals())
