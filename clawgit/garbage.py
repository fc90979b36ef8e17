"""How often Python looks for garbage in our processes, and how they end: what a command loads, it
keeps.
"""

import atexit
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

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


def leave(code: int) -> "NoReturn":
    """Ends the process with this code, as `sys.exit` does, but takes nothing apart that is loaded:
    that took 5 to 20 ms, and the system takes the memory back anyway.

    Files and databases must be closed: what is still open is not written.
    """
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        sys.exit(code)  # which waits for them
    atexit._run_exitfuncs()  # noqa: SLF001 - what `sys.exit` would call
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except BrokenPipeError:
            pass  # the reader is gone, as with `| head`
        except OSError:
            if not code:
                sys.exit(code)  # which says that the answer could not be written
    os._exit(code)
