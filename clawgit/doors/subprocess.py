"""The door to subprocess, for modules that are imported often and seldom start a program."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from subprocess import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
