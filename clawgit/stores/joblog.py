"""A log of JSON lines of limited size: the newest lines, and older ones in a second file."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from clawgit.stores.git.place import RepoPlace

LARGEST = 1024 * 1024


def log_of(place: RepoPlace) -> Path:
    """Where the runner of a workspace writes what it did."""
    return place.private / "runner.log"


def write_line(
    file: Path, now: datetime, event: str, facts: Mapping[str, object], largest: int = LARGEST
) -> None:
    """Adds a line. A full file becomes `runner.log.1` and replaces the one of that name."""
    line = json.dumps(
        {"time": now.isoformat(timespec="seconds"), "event": event, **facts}, ensure_ascii=False
    )
    data = line.encode("utf-8", "backslashreplace") + b"\n"
    if file.exists() and file.stat().st_size + len(data) > largest:
        file.replace(file.with_name(f"{file.name}.1"))
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as log:
        log.write(data)
