"""The door to pygit2, which is set up as clawgit needs it when it is loaded."""

from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygit2 import *  # noqa: F403 - these are the names of this module
    from pygit2 import enums as enums  # noqa: PLC0414 - exported too

_TREE_CACHE = 4 << 20
"""Bytes. libgit2 keeps trees of up to 4 kB: a folder with a hundred notes would be read and
inflated anew for each of them."""


def __getattr__(name: str) -> object:
    return getattr(_loaded(), name)


@cache
def _loaded() -> ModuleType:
    import pygit2  # noqa: PLC0415 - 46 ms

    option, options = pygit2.option, pygit2.enums.Option
    option(options.ENABLE_FSYNC_GITDIR, True)
    # Who may own a repository is asked once, where it is found (`gitdir`); libgit2 knows fewer of
    # git's exceptions.
    option(options.SET_OWNER_VALIDATION, False)
    option(options.SET_CACHE_OBJECT_LIMIT, pygit2.enums.ObjectType.TREE, _TREE_CACHE)
    return pygit2
