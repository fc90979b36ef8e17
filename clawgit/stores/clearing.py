"""Making room for a file: what has its name and is no file is taken away, or moved aside."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path


def is_there(path: Path) -> bool:
    """Whether anything has that name, a link that leads nowhere too."""
    return os.path.lexists(path)


def has_no_file(path: Path) -> bool:
    """Whether something has that name which is no file that can be read: a folder, a link that
    leads nowhere.
    """
    return is_there(path) and not (path.is_file() and os.access(path, os.R_OK))


def clear_the_way(path: Path) -> None:
    """Before a derived file is opened: takes away what has its name and is no file. Where that
    cannot be, opening it says why.
    """
    if has_no_file(path):
        with suppress(OSError):
            clear(path)


def clear(path: Path) -> None:
    """Takes away what an earlier attempt left, so that no journal of its is played into a new
    file.
    """
    for part in parts(path):
        if part.is_dir() and not part.is_symlink():
            _clear_folder(part)
        else:
            part.unlink(missing_ok=True)


def _clear_folder(folder: Path) -> None:
    """A folder that took a file's place goes where it is empty; what somebody put into it is kept
    beside.
    """
    try:
        folder.rmdir()
    except OSError:
        names = (folder.with_name(f"{folder.name}.folder-{number}") for number in count())
        folder.rename(next(name for name in names if not is_there(name)))


def parts(path: Path) -> list[Path]:
    """A SQLite file with the journals that may lie beside it."""
    return [path.with_name(path.name + tail) for tail in ("", "-wal", "-shm", "-journal")]
