"""The one door to rapidfuzz, for all layers."""

from typing import Any


def rapidfuzz() -> Any:
    """The library, with `distance`, `fuzz` and `process`."""
    import rapidfuzz as library  # noqa: PLC0415 - 17 ms, and most commands compare nothing

    return library
