"""The door to pygit2, which is set up as clawgit needs it when it is loaded.

Of the package only the compiled part is loaded, with what reads configuration and git's index and
sets options: 14 ms. Another 55 go into certificates, enums, remotes and the like, as in `whole`.
"""

import os
import sys
from _thread import allocate_lock
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygit2 import *  # noqa: F403 - these are the names of this module

_TREE_CACHE = 4 << 20
"""Bytes. libgit2 keeps trees of up to 4 kB: a folder with a hundred notes would be read and
inflated anew for each of them."""

_PACKAGE, _ENUMS = "pygit2", "pygit2.enums"
_COMPILED = ("pygit2._pygit2", "pygit2._libgit2")


def __getattr__(name: str) -> Any:
    if not _names:
        with _loading:
            _names.update(_names or _loaded())
    if name not in _names:
        raise AttributeError(name)
    return _names[name]


_names: dict[str, Any] = {}
_loading = allocate_lock()


def whole() -> Any:
    """The whole package, for what its compiled part cannot do."""
    import pygit2  # noqa: PLC0415 - 67 ms

    return pygit2


def index_in(file: str) -> Any:
    """Git's index, with the names as they are: by `core.ignoreCase` libgit2 takes one for another,
    which git itself does not.
    """
    index = __getattr__("index")
    found = index.ffi.new("git_index **")
    index.check_error(index.C.git_index_open(found, index.encode_fs_path(file)), io=True)
    return index.Index.from_c(None, found)


def entries(index: Any) -> Iterator[Any]:
    """What an index holds, as libgit2 has it: with the times and sizes that pygit2 leaves out."""
    at = _names["index"].C.git_index_get_byindex
    return (at(index._index, place) for place in range(len(index)))  # noqa: SLF001 - see above


def _loaded() -> dict[str, Any]:
    try:
        names = vars(whole()) if _PACKAGE in sys.modules else _parts()
    except (ImportError, AttributeError):
        # Another release of pygit2, which is made of other parts.
        names = vars(whole())
    option = names["option"]
    # Who may own a repository is asked once, where it is found (`gitdir`); libgit2 knows fewer of
    # git's exceptions.
    option(names["GIT_OPT_SET_OWNER_VALIDATION"], False)
    option(names["GIT_OPT_SET_CACHE_OBJECT_LIMIT"], names["GIT_OBJECT_TREE"], _TREE_CACHE)
    return names


def _parts() -> dict[str, Any]:
    """What clawgit uses of the package, loaded without it."""
    found = find_spec(_PACKAGE)
    if found is None:
        raise ModuleNotFoundError(_PACKAGE)
    package, enums = module_from_spec(found), ModuleType(_ENUMS)
    enums.__getattr__ = lambda _: _Number  # type: ignore[method-assign]
    sys.modules |= {_PACKAGE: package, _ENUMS: enums}
    try:
        from pygit2 import _pygit2 as libgit2  # noqa: PLC0415 - 13 ms
        from pygit2 import config, index, options  # noqa: PLC0415 - as above

        libgit2._cache_enums()  # noqa: SLF001 - as the package does
    finally:
        # Whoever imports the package later gets it whole.
        for name in [*sys.modules]:
            if name.partition(".")[0] == _PACKAGE and name not in _COMPILED:
                del sys.modules[name]
    indexes = {"index": index, "IndexEntry": index.IndexEntry}
    parts = {"Repository": _repository(libgit2, config)}
    return {**vars(options), **vars(libgit2), **indexes, **parts}


class _Numbers(type):
    def __getattr__(cls, _: str) -> int:
        return 0


class _Number(int, metaclass=_Numbers):
    """Stands for every enum: numbers of libgit2 stay numbers."""


def _repository(libgit2: ModuleType, config: ModuleType) -> type:
    """What of the package's class of this name clawgit uses."""
    ffi = config.ffi

    class Repository(libgit2.Repository):  # type: ignore[misc, name-defined]
        def __init__(self, path: str) -> None:
            super().__init__(libgit2.init_file_backend(path, 0))

        def __getitem__(self, oid: object) -> Any:
            found = self.git_object_lookup_prefix(oid)
            if found is None:
                raise KeyError(oid)
            return found

        def __contains__(self, oid: object) -> bool:
            return self.git_object_lookup_prefix(oid) is not None

        @property
        def config(self) -> Any:
            return config.RepositoryConfig(self, self._there())

        def get_attr(self, path: str, name: str) -> object:
            found, library = ffi.new("char *[1]"), config.C
            asked = (found, self._there(), ffi.NULL, os.fsencode(path), name.encode())
            config.check_error(library.git_attr_get_ext(*asked))
            return (None, True, False, found[0])[library.git_attr_value(found[0])]

        def _there(self) -> Any:
            pointer = ffi.new("git_repository **")
            ffi.buffer(pointer)[:] = self._pointer[:]
            return pointer[0]

    return Repository
