"""Waiting for somebody else's process."""

import os
import select
import time
from collections.abc import Callable

_SECONDS = 10.0


def ended(pid: int) -> bool:
    """Whether a process is gone, or goes within some seconds: who is killed still has to die."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], _SECONDS)[0])
    finally:
        os.close(handle)


def until(is_so: Callable[[], object], seconds: float = 60) -> None:
    """Waits for what another process or thread brings about."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)
