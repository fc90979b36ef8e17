"""Patterns that are compiled when they are first used, so that importing their module is cheap."""

import re
from typing import AnyStr, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


def lazily(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`. A pattern with many classes or branches takes milliseconds to compile."""
    return cast("re.Pattern[AnyStr]", _Lazily(pattern, flags))


class _Lazily:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        # From now on, a call finds the method of the compiled pattern here, at no more cost.
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
