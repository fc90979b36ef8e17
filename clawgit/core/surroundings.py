"""What a process of ours puts right before it begins: where it looks for modules and programs, and
its standard streams; how often Python looks for garbage in it; and how it ends.
"""

import atexit
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping
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
        threading._shutdown()  # noqa: SLF001 - waits for them, as `sys.exit` would first of all
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


def put_in_order(env: "MutableMapping[str, str]") -> None:
    """To be called before anything is opened or started."""
    _open_streams()
    _leave_out_the_current_folder(env)


def _open_streams() -> None:
    """Opens the standard streams that are closed, as git does.

    Else the next file that is opened gets the number of one, and what a library or a child process
    says goes into it: into a database, for instance.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is given: this one.
            os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _leave_out_the_current_folder(env: "MutableMapping[str, str]") -> None:
    """Somebody else may have filled it: `PATH=.:…` would find a `git` in there, and
    `PYTHONPATH=:/own`, with its empty part, a `json.py`.
    """
    whole, near = _parted(env, "PATH")
    if near:
        # An empty PATH would be the current folder again.
        env["PATH"] = os.pathsep.join(whole) or os.defpath
    whole, near = _parted(env, "PYTHONPATH")
    if near:
        # For the Python that we start; this one has read it already.
        env["PYTHONPATH"] = os.pathsep.join(whole)
        here = {os.path.abspath(part) for part in near}.difference(whole)  # noqa: PTH100 - pathlib takes 5 ms to load
        sys.path[:] = [path for path in sys.path if path not in here]


def _parted(env: "Mapping[str, str]", name: str) -> tuple[list[str], list[str]]:
    """The absolute parts of a variable, and those that begin at the current folder."""
    parts = env[name].split(os.pathsep) if name in env else []
    whole = [part for part in parts if os.path.isabs(part)]  # noqa: PTH117 - as above
    return whole, [part for part in parts if part not in whole]
