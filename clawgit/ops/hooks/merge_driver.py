"""Installs, checks and removes the merge driver, by which plain git merges memory entry by
entry.
"""

import os
import sys
from shlex import quote, split

from clawgit.domain.markdown.decoding import exact_bytes
from clawgit.ops.hooks.githooks import text_there
from clawgit.ops.workspace.workspace import Workspace
from clawgit.resources import resource
from clawgit.stores.git.info import DRIVER, drive, driven, lines_for
from clawgit.stores.plainfile import put_in_place

_SECTION = f"merge.{DRIVER}"
_NAME = "clawgit: memory, merged by meaning"
_FOLDER, _SCRIPT = "clawgit", "merge-driver"
_GITS_OWN = "git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"
"""Git's own merge, so that a driver that cannot run leaves conflict markers, and never only our
side."""


def is_in(workspace: Workspace) -> bool:
    """Whether plain git uses this clawgit's driver here, for the files in scope."""
    place = workspace.place
    text = text_there(place.shared / _SCRIPT)
    quoted = text.partition("\npython=")[2].partition("\n")[0]
    python = "".join(split(quoted))
    return (
        _rows(workspace) == _wanted()
        and driven(place) == lines_for(workspace.scope.patterns)
        and text == script(python)
        and os.access(python, os.X_OK)
    )


def put_in(workspace: Workspace) -> None:
    """Installs the driver for the files in scope: script, setting, then the lines that name it."""
    place, git = workspace.place, workspace.cgit
    file = place.shared / _SCRIPT
    file.parent.mkdir(exist_ok=True)
    put_in_place(file, exact_bytes(script(sys.executable)))
    for key, value in _wanted().items():
        git.run("config", "--local", "--replace-all", key, value)
    drive(place, lines_for(workspace.scope.patterns))


def take_out(workspace: Workspace, *, dry_run: bool = False) -> tuple[str, ...]:
    """Removes the driver, the lines that name it first. Returns what was removed."""
    place = workspace.place
    rows, lines = _rows(workspace), driven(place)
    if not dry_run:
        drive(place, ())
        if rows:
            workspace.cgit.run("config", "--local", "--remove-section", _SECTION)
    return ("merge driver",) if rows or lines else ()


def script(python: str) -> str:
    """The text of the driver's script."""
    text = (resource("hooks") / f"{_SCRIPT}.sh").read_text("utf-8")
    return text.replace("'@PYTHON@'", quote(python))


def _wanted() -> dict[str, str]:
    # The script runs in a subshell: however it ends, the shell that git started goes on. Git runs
    # it at the top of the work tree, so a relative path finds the driver in a moved folder too.
    common = "d=.git; [ -d $d ] || d=$(git rev-parse --git-common-dir)"
    call = f'(set -- %O %A %B %P %L; {common}; . "$d/{_FOLDER}/{_SCRIPT}")'
    return {
        f"{_SECTION}.name": _NAME,
        f"{_SECTION}.driver": f"{call}; case $? in 0) exit 0;; 10) exit 1;; esac; {_GITS_OWN}",
    }


def _rows(workspace: Workspace) -> dict[str, str]:
    """Git's settings of the driver in this repository."""
    asked = ("config", "--local", "-z", "--get-regexp", rf"^{_SECTION}\.".replace(".", r"\.", 1))
    answer = workspace.cgit.text(*asked, ok=(0, 1))
    pairs = (row.partition("\n") for row in answer.split("\0") if row)
    return {key: value for key, _, value in pairs}
