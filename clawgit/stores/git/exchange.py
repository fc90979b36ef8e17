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
    rename = _rename_call()
    if rename is None:
        return False
    code = rename(os.fsencode(source), os.fsencode(target), swap)
    if code == 0:
        return True
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(target))


@cache
def _rename_call():  # type: ignore[no-untyped-def]  # noqa: ANN202 - a C function behind a uniform signature
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        function = getattr(libc, "renamex_np", None)
    else:
        function = getattr(libc, "renameat2", None)
    if function is None:
        return None

    def call(source: bytes, target: bytes, swap: bool) -> int:
        if sys.platform == "darwin":
            failed = function(source, target, _MAC_SWAP if swap else _MAC_EXCL)
        else:
            flag = _LINUX_EXCHANGE if swap else _LINUX_NOREPLACE
            failed = function(_AT_FDCWD, source, _AT_FDCWD, target, flag)
        return ctypes.get_errno() if failed else 0

    return call
