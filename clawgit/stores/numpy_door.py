"""The one door to numpy for modules that are also used without it.

Modules that do nothing but arithmetic on vectors import numpy on top.
"""

from typing import Any


def numpy() -> Any:
    import numpy as np  # noqa: PLC0415 - 60 ms, and an extra

    return np
