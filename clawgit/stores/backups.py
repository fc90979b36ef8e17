"""The list of a workspace's backups: one JSON line each, the newest last."""

import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clawgit.stores.git.place import RepoPlace

_MOST = 20


class NotedBackup(NamedTuple):
    """A backup file, and the commit that HEAD was at."""

    file: Path
    head: str


def note_backup(place: RepoPlace, file: Path, head: str) -> None:
    """Records a backup that was just verified. If the disk is full, it is not recorded."""
    before = [row for row in noted_backups(place) if row.file != file]
    rows = [*before, NotedBackup(file, head)][-_MOST:]
    text = "".join(json.dumps({"file": str(row.file), "head": row.head}) + "\n" for row in rows)
    with suppress(OSError, UnicodeEncodeError):
        _list_file(place).write_text(text, "utf-8")


def noted_backups(place: RepoPlace) -> list[NotedBackup]:
    """The backups that are still where they were written, without lines that cannot be read."""
    rows: list[NotedBackup] = []
    with suppress(OSError):
        for line in _list_file(place).read_text("utf-8", "replace").splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                row = json.loads(line)
                rows.append(NotedBackup(Path(row["file"]), str(row["head"])))
    return [row for row in rows if row.file.is_file()]


def _list_file(place: RepoPlace) -> Path:
    return place.shared / "backups"
