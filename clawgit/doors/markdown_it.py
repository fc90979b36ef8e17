"""The door to markdown-it. `domain/markdown/document.py` says what it is for."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from markdown_it import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
