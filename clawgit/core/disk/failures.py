"""What an error of the disk, of libgit2 or of git's own files means, in words with a next step; and
the log of bugs.
"""

import errno
from collections.abc import Mapping
from pathlib import Path

from clawgit.core.disk.xdg import state_home
from clawgit.core.doors import traceback
from clawgit.core.errors import (
    DAMAGE_HINT,
    BusyError,
    ClawgitError,
    DamagedError,
    PathRefusedError,
    StorageError,
    UsageError,
)
from clawgit.language.lazily import lazily
from clawgit.safety.rules.secrets import masked

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_FILES_LEFT = frozenset({errno.EMFILE, errno.ENFILE})
_FULL_WORDS = ("No space left", "File too large", "Disk quota exceeded")
_OUT_OF_REACH = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.EISDIR, errno.ENOTDIR, errno.ELOOP}
)
_TOO_LONG = frozenset({errno.ENAMETOOLONG, errno.E2BIG})
_SHOWN = 40
_LIBGIT2 = frozenset({"_pygit2", "pygit2"})
_OBJECT = lazily(r"\b[0-9a-f]{40}\b")


def explained(error: Exception) -> ClawgitError | None:
    """The error as one of ours; None if it may be a bug of ours.

    libgit2 is not loaded for this: its errors are known by the module that they come from.
    """
    if isinstance(error, ClawgitError):
        return error
    if plain := _lack(error) or _odd_text(error) or _gone(error):
        return plain
    if is_locked(error):
        return BusyError(
            f"Another git process holds a reference here: {str(error).rstrip(': ')}.",
            hint="Try again; `clawgit doctor` says whether the lock is a leftover.",
        )
    if _is_damage(error):
        named = _OBJECT.search(_text(error))
        what = f"git's object {named[0][:10]}" if named else "git's own files"
        reason = "it is missing" if isinstance(error, KeyError) else _text(error)
        return DamagedError(
            f"The repository is damaged: {what} cannot be read ({reason}).", hint=DAMAGE_HINT
        )
    if isinstance(error, OSError) and error.errno in _OUT_OF_REACH and error.filename:
        return PathRefusedError(
            f"{error.filename} cannot be used: {error.strerror}.",
            hint="Check its owner and permissions, and whether a file is a file and a folder a "
            "folder.",
        )
    return None


def _odd_text(error: Exception) -> UsageError | None:
    """What was typed, or is the name of a file, and no file or text can hold.

    Here rather than at each argument: a file may be named so, and be asked for by its name.
    """
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        return UsageError(
            f"This is not UTF-8: {error.object[max(error.start - _SHOWN, 0) : error.end]!r}",
            hint="Type it, or name the file, in UTF-8.",
        )
    if isinstance(error, ValueError) and str(error).startswith("embedded null "):
        return UsageError("A name has a NUL in it.", hint="Type it without.")
    if isinstance(error, OverflowError):
        return UsageError("A number is too large.", hint="Type a smaller one.")
    if isinstance(error, OSError) and error.errno in _TOO_LONG:
        shown = str(error.filename or "")[:_SHOWN]
        return UsageError(f"{error.strerror}: {shown!r}", hint="Use a shorter one.")
    return None


def _gone(error: Exception) -> UsageError | None:
    """Of the calls that miss a file, only that for the current folder names none."""
    if not isinstance(error, FileNotFoundError) or error.filename is not None:
        return None
    return UsageError(
        "The current folder is gone: it was deleted or moved.",
        hint="cd to one that is there, or name it in full: clawgit -C /DIR …",
    )


def _lack(error: Exception) -> StorageError | None:
    """What the machine has too little of."""
    number = getattr(error, "errno", None)
    if number in _FULL or any(word in str(error) for word in _FULL_WORDS):
        return StorageError(
            "The disk is full.", hint="Free some space and run the command again; nothing is lost."
        )
    if number in _NO_FILES_LEFT:
        return StorageError(
            "Too many files are open.",
            hint="`ulimit -n` shows how many a process may open here; clawgit needs some hundred.",
        )
    return None


def is_locked(error: Exception) -> bool:
    """Whether another git holds the lock of a reference."""
    if isinstance(error, FileExistsError):
        return str(error.filename).endswith(".lock")
    return "failed to lock file" in str(error) or "is locked" in str(error)


def _is_damage(error: Exception) -> bool:
    """Whether libgit2 could not read an object or a reference."""
    if type(error).__module__ in _LIBGIT2:
        return True
    # A missing object is a plain KeyError; only one from libgit2 counts.
    if not isinstance(error, KeyError):
        return False
    return bool(_OBJECT.fullmatch(_text(error))) or _raised_in(error).partition(".")[0] == "pygit2"


def _raised_in(error: Exception) -> str:
    """The module whose code raised an error."""
    trace, module = error.__traceback__, ""
    while trace is not None:
        module, trace = trace.tb_frame.f_globals.get("__name__", ""), trace.tb_next
    return module


def _text(error: Exception) -> str:
    return str(error.args[0]) if error.args else ""


def keep_bug(error: Exception, env: Mapping[str, str], home: Path | str) -> str:
    """Adds a bug to the log; returns where the log is, or that it cannot be written."""
    log = state_home(env, Path(home)) / "clawgit" / "crash.log"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(masked("".join(traceback.format_exception(error))) + "\n")
    except OSError as refused:
        return f"nowhere: {log} cannot be written ({refused.strerror})"
    return str(log)
