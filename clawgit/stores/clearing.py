"""Makes room for a file: removes, or moves aside, what has its name and is no file."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path


def is_there(path: Path) -> bool:
    """Whether anything has that name, even a broken link."""
    return os.path.lexists(path)


def has_no_file(path: Path) -> bool:
    """Whether something has that name but is no readable file: a folder, or a broken link."""
    return is_there(path) and not (path.is_file() and os.access(path, os.R_OK))


def clear_the_way(path: Path) -> None:
    """Called before a derived file is opened: removes what has its name and is no file.

    If that fails, the opening reports it.
    """
    if has_no_file(path):
        with suppress(OSError):
            clear(path)


def clear(path: Path) -> None:
    """Removes what an earlier attempt left, so that SQLite does not apply its journal to a new
    file.
    """
    for part in parts(path):
        if part.is_dir() and not part.is_symlink():
            _clear_folder(part)
        else:
            part.unlink(missing_ok=True)


def _clear_folder(folder: Path) -> None:
    """Removes an empty folder that has a file's name; one with contents is renamed."""
    try:
        folder.rmdir()
    except OSError:
        names = (folder.with_name(f"{folder.name}.folder-{number}") for number in count())
        folder.rename(next(name for name in names if not is_there(name)))


def parts(path: Path) -> list[Path]:
    """A SQLite file and the journals that may be next to it."""
    return [path.with_name(path.name + tail) for tail in ("", "-wal", "-shm", "-journal")]
