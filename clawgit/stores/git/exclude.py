"""Adds our lines to the repository's own list of exclusions, `info/exclude`, and removes them."""

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from clawgit.stores.git.place import RepoPlace

PASSING = (".clawgit-*.tmp", ".openclaw/", "memory/.dreams/")
"""Temporary files in a workspace that are no memory, whatever its .gitignore says."""

_PASSING_HEAD = "# clawgit: what passes through a workspace and is no memory"
_NESTED_HEAD = "# clawgit: a workspace of its own lies here"


def hide_passing(place: RepoPlace) -> None:
    _add(place, _PASSING_HEAD, PASSING)


def hide_nested(place: RepoPlace, folder: str) -> None:
    """Hides a folder that is a repository itself from the one around it."""
    pattern = re.sub(r"([\\*?\[])", r"\\\1", folder.rstrip("/"))
    _add(
        place, _NESTED_HEAD, ["/" + re.sub(r"[\r\n]", "?", pattern) + "/"]
    )  # no line of the file can hold a line end


def passing_lines(place: RepoPlace) -> list[str]:
    """The lines that `show_passing` removes."""
    return [line for head, line in pairwise(_lines(place)) if head == _PASSING_HEAD]


def show_passing(place: RepoPlace) -> None:
    """Removes our lines. A nested workspace stays hidden, since it is still there."""
    lines = _lines(place)
    ours = {at for at, line in enumerate(lines) if line == _PASSING_HEAD}
    kept = [line for at, line in enumerate(lines) if at not in ours and at - 1 not in ours]
    if ours:
        _file(place).write_text("".join(f"{line}\n" for line in kept), "utf-8", "surrogateescape")


def _add(place: RepoPlace, head: str, patterns: Sequence[str]) -> None:
    known = _lines(place)
    missing = [pattern for pattern in patterns if pattern not in known]
    if not missing:
        return
    file = _file(place)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = file.read_text("utf-8", "surrogateescape") if file.is_file() else ""
    gap = "" if not text or text.endswith("\n") else "\n"
    added = "".join(f"{head}\n{pattern}\n" for pattern in missing)
    descriptor = os.open(
        file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666
    )
    with os.fdopen(descriptor, "a", encoding="utf-8", errors="surrogateescape") as exclude:
        exclude.write(gap + added)


def _lines(place: RepoPlace) -> list[str]:
    file = _file(place)
    return file.read_text("utf-8", "surrogateescape").splitlines() if file.is_file() else []


def _file(place: RepoPlace) -> Path:
    return place.common_dir / "info" / "exclude"
