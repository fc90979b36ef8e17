"""The door to Chroma, an extra. `stores/chroma/library.py` knows its errors."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from chromadb import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
