"""The door to socket, for modules that are imported often and seldom ask a service."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from socket import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
