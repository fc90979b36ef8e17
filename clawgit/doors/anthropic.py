"""The door to the client of Anthropic's API, an extra."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from anthropic import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
