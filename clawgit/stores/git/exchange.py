"""Swaps two names in one step, so that what an editor saved a moment before is not lost."""

import ctypes
import errno
import os
import sys
from functools import cache
from pathlib import Path

_AT_FDCWD = -100
_LINUX_NOREPLACE = 1
_LINUX_EXCHANGE = 2
_MAC_SWAP = 2
_MAC_EXCL = 4
_UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM})


def exchange(new: Path, target: Path) -> bool:
    """Swaps the files `new` and `target`.

    False: `target` does not exist.
    """
    try:
        if not _renamed(new, target, swap=True):
            _exchange_by_link(new, target)
    except FileNotFoundError:
        return False
    return True


def create(new: Path, target: Path) -> bool:
    """Moves `new` to a name that must be free. False: somebody took it."""
    try:
        if not _renamed(new, target, swap=False):
            os.link(new, target)
            new.unlink()
    except FileExistsError:
        return False
    return True


def aside(new: Path) -> Path:
    """The second name of a displaced file, for a moment, if the kernel cannot exchange."""
    return new.with_name(f"{new.stem}old{new.suffix}")


def _exchange_by_link(new: Path, target: Path) -> None:
    """Without the kernel's help: gives the old file a second name, then renames over the first."""
    second = aside(new)
    second.unlink(missing_ok=True)
    os.link(target, second)
    new.replace(target)
    second.replace(new)


def _renamed(source: Path, target: Path, *, swap: bool) -> bool:
    """Whether the kernel did it; False if this file system cannot."""
    old, new = os.fsencode(source), os.fsencode(target)
    try:
        if sys.platform == "darwin":
            failed = _libc().renamex_np(old, new, _MAC_SWAP if swap else _MAC_EXCL)
        else:
            flag = _LINUX_EXCHANGE if swap else _LINUX_NOREPLACE
            failed = _libc().renameat2(_AT_FDCWD, old, _AT_FDCWD, new, flag)
    except AttributeError:
        return False  # an older system has no such call
    code = ctypes.get_errno() if failed else 0
    if code in _UNSUPPORTED:
        return False
    if code:
        raise OSError(code, os.strerror(code), str(target))
    return True


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
