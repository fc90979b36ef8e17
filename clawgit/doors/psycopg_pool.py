"""The door to psycopg's pool of connections, an extra."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from psycopg_pool import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
