"""How much work something is, in calls of Python functions: the same on a busy machine as on a
quiet one."""

import sys
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object], of: object = None) -> int:
    """How many functions and generators were entered, or entered again; how often `of`, one of C,
    was called."""
    count = 0

    def note(_frame: FrameType, event: str, called: object) -> None:
        nonlocal count
        count += event == "call" if of is None else event == "c_call" and called is of

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
