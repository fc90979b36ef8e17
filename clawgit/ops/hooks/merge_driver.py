"""Has plain git merge memory by meaning: the merge driver, put in, looked at, and taken out."""

import os
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores.git.attributes import DRIVER, drive, driven, lines_for
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.plainfile import read_plain

_SECTION = f"merge.{DRIVER}"
_NAME = "clawgit: memory, merged by meaning"
_SCRIPT = "merge-driver"
_GITS_OWN = "git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"
"""What git does itself, so that a driver that cannot run leaves marks, and never ours alone."""


class DriverState(NamedTuple):
    """What is wrong with the driver; nothing if it is in place. `absent`: nothing of it is."""

    faults: tuple[str, ...] = ()
    absent: bool = False


def look(workspace: Workspace) -> DriverState:
    """Whether plain git asks the driver here. Changes nothing."""
    place = workspace.place
    rows = _rows(workspace)
    lines = driven(place)
    file = _file(place)
    faults = (
        (rows != _wanted(place), f"git's setting {_SECTION}.driver"),
        (lines != _lines(workspace), "the lines in info/attributes"),
        (_text(file) != script(place, sys.executable), f"the script {file.name}"),
    )
    missing = tuple(what for is_wrong, what in faults if is_wrong)
    return DriverState(missing, absent=not rows and not lines)


def put_in(workspace: Workspace) -> None:
    """Puts in the driver for the files in scope: script, setting, then the lines that name it."""
    place, git = workspace.place, _git(workspace)
    file = _file(place)
    file.parent.mkdir(exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.write_text(script(place, sys.executable), "utf-8", "surrogateescape")
    new.replace(file)
    for key, value in _wanted(place).items():
        git.run("config", "--local", "--replace-all", key, value)
    drive(place, _lines(workspace))


def take_out(workspace: Workspace, *, dry_run: bool = False) -> tuple[str, ...]:
    """Takes the driver out, the lines that name it first. Returns what went."""
    place = workspace.place
    rows, lines = _rows(workspace), driven(place)
    if not dry_run:
        drive(place, ())
        if rows:
            _git(workspace).run("config", "--local", "--remove-section", _SECTION)
    return (*(f"info/attributes: {line}" for line in lines), *rows)


def script(place: RepoPlace, python: str) -> str:
    """The text of the driver's script."""
    text = (resource("hooks") / f"{_SCRIPT}.sh").read_text("utf-8")
    for name, value in (("PYTHON", python), ("MERGED", str(place.shared / "merged"))):
        text = text.replace(f"'@{name}@'", quote(value))
    return text.replace("@SUM@", f"{zlib.crc32(text.encode('utf-8', 'surrogateescape')):08x}", 1)


def _wanted(place: RepoPlace) -> dict[str, str]:
    # In a shell of its own that git has started already, and whatever ends it.
    call = f"(set -- %O %A %B %P %L; . {quote(str(_file(place)))})"
    return {
        f"{_SECTION}.name": _NAME,
        f"{_SECTION}.driver": f"{call}; case $? in 0) exit 0;; 10) exit 1;; esac; {_GITS_OWN}",
    }


def _rows(workspace: Workspace) -> dict[str, str]:
    """Git's settings of the driver in this repository."""
    asked = ("config", "--local", "-z", "--get-regexp", rf"^{_SECTION}\.".replace(".", r"\.", 1))
    answer = _git(workspace).text(*asked, ok=(0, 1))
    pairs = (row.partition("\n") for row in answer.split("\0") if row)
    return {key: value for key, _, value in pairs}


def _lines(workspace: Workspace) -> Sequence[str]:
    return lines_for(workspace.scope.patterns)


def _file(place: RepoPlace) -> Path:
    return place.shared / _SCRIPT


def _text(file: Path) -> str:
    try:
        return read_plain(file).decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _git(workspace: Workspace) -> CGit:
    return CGit(workspace.root, workspace.caller.env)
