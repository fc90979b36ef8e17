"""The door to the library regex. Its patterns have a time limit; those of `re` do not."""

from typing import TYPE_CHECKING, Any

from clawgit.doors import door

if TYPE_CHECKING:
    # It comes without types.
    def __getattr__(name: str) -> Any: ...
else:
    __getattr__ = door(globals())
