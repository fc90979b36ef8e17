"""Waiting for somebody else's process to end."""

import os
import select

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
