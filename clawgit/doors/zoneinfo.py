"""The door to zoneinfo, which reads how Python was built: most commands ask for no local time."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from zoneinfo import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
