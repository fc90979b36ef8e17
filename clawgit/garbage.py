"""How often Python looks for garbage in our processes: what a command loads, it keeps."""

import gc

SELDOM = 200_000
"""So many new objects let Python look for garbage. At its own 700 that took a quarter of a
command's time, and found nothing."""


def look_seldom() -> None:
    """To be called before anything large is loaded."""
    gc.set_threshold(SELDOM)


OFTEN = 10_000
"""The same in a process that stays open: less than 2 MB, and some hundred answers."""


def look_often() -> None:
    """To be called by a process that stays open, once all is loaded; that is never looked at."""
    gc.freeze()
    gc.set_threshold(OFTEN)


def look_no_more() -> None:
    """To be called when a process ends. Python would look through all modules once more, which
    takes 20 ms, and the system takes the memory back anyway.
    """
    gc.freeze()
