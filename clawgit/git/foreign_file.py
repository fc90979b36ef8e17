"""A file of another program: read, and replaced only while it is still what was read."""

import hashlib
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import put_in_place
from clawgit.core.disk.xdg import state_home
from clawgit.core.errors import BusyError, PathRefusedError, StorageError

_LARGEST = 2 * 1024 * 1024


class ForeignFile(NamedTuple):
    """The content of the path; `text` is None if nothing is there."""

    text: str | None
    status: os.stat_result | None = None


def read(path: Path) -> ForeignFile:
    """Reads a path, through a symlink too; a file that is not text is refused."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise PathRefusedError(
                f"{path} is not a file, or has over 2 MiB.",
                hint="Check what it is, move it away, and run the command again.",
            )
        return ForeignFile(path.read_bytes().decode("utf-8"), status)
    except (FileNotFoundError, NotADirectoryError):
        return ForeignFile(None)
    except UnicodeDecodeError as error:
        raise PathRefusedError(
            f"{path} is not UTF-8 text.", hint="Save it as UTF-8, then run it again."
        ) from error
    except OSError as error:
        raise PathRefusedError(
            f"{path} cannot be read: {error.strerror}.", hint=f"chmod u+r '{path}'"
        ) from error


def refuse_unwritable(path: Path, before: ForeignFile) -> None:
    """Raises if this file cannot be written; called before anything is written."""
    if path.is_symlink():
        raise PathRefusedError(
            f"{path} is a symlink to {path.resolve()}, and clawgit does not write through it.",
            hint="Add by hand what --dry-run shows, or put the file itself in its place.",
        )
    if before.status and not before.status.st_mode & stat.S_IWUSR:
        raise PathRefusedError(f"{path} is read-only.", hint=f"chmod u+w '{path}'")


def copy_of(path: Path, env: Mapping[str, str], home: Path) -> Path:
    """Where the copy of a file lies, as it was before the first change of ours."""
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
    return state_home(env, home) / "clawgit" / "connected" / f"{path.name.lstrip('.')}-{digest}"


def keep_copy(copy: Path, text: str) -> None:
    """Keeps a copy that only the user can read, since configs have keys."""
    copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    put_in_place(copy, text.encode(), 0o600)


def replace(path: Path, before: ForeignFile, text: str | None) -> None:
    """Writes `text`, or removes the file for None.

    BusyError if it is no longer what was read.
    """
    fresh = path.with_name(f".{path.name}.clawgit-{os.getpid()}")
    try:
        if text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(fresh, text, before.status)
        # As late as possible: an edit of the last moment stays.
        if read(path).text != before.text:
            raise BusyError(
                f"{path} was changed by somebody else at the same moment.",
                hint="Run the command again.",
            )
        if text is None:
            path.unlink(missing_ok=True)
        else:
            fresh.replace(path)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror}.", hint="Check its folder."
        ) from error
    finally:
        fresh.unlink(missing_ok=True)
    # The program's own folder or ours, if nothing else is in it; never the user's project.
    if text is None and path.parent.name.startswith((".", "clawgit")):
        with suppress(OSError):
            path.parent.rmdir()


def _write(fresh: Path, text: str, status: os.stat_result | None) -> None:
    put_in_place(fresh, text.encode(), 0o600 if status else 0o644, synced=True)
    if status:
        # Again, because the umask removed bits from the mode.
        fresh.chmod(stat.S_IMODE(status.st_mode))
        if (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
            os.chown(fresh, status.st_uid, status.st_gid)
