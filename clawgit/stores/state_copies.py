"""The daily copies of `state.db`, outside the repository, with a mark of the repository."""

import hashlib
import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.plainfile import put_in_place
from clawgit.stores.xdg import state_home

_NONE = 1
_UNKNOWN = 128


class Copies(NamedTuple):
    """The daily copies of one workspace's state.

    They are found by its path; git, with `env`, shows whether it is still the same repository.
    Without `env` this is not checked.
    """

    folder: Path
    root: Path
    env: Mapping[str, str] | None = None

    @property
    def newest_first(self) -> tuple[Path, Path]:
        return self.folder / "state.db", self.folder / "state.1.db"

    @property
    def mark(self) -> Path:
        return self.folder / "state.json"

    @property
    def newest(self) -> Path | None:
        """The newest copy that exists and belongs to this history."""
        there = (copy for copy in self.newest_first if copy.exists())
        return None if self.are_of_another else next(there, None)

    @property
    def are_of_another(self) -> bool:
        """Whether they were made for another repository that was at this path before."""
        began = _told(self, "began")
        return bool(began) and self.env is not None and not _has(CGit(self.root, self.env), began)

    @property
    def day(self) -> str:
        """The day on which the newest copy was made, "" if there is none."""
        return _told(self, "day") if self.newest_first[0].exists() else ""


def copies_of(home: Path, root: Path, env: Mapping[str, str] | None = None) -> Copies:
    """The copies of the workspace at `root`, below the state home.

    The folder's name has a readable part, and a hash that identifies the workspace.
    """
    real = root.resolve()
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    return Copies(home / "clawgit" / f"{real.name}-{digest}", real, env)


def repository_copies(place: RepoPlace, env: Mapping[str, str], home: Path) -> Copies:
    """The copies of a repository's state, the same for all of its worktrees."""
    root = place.root
    if place.git_dir != place.common_dir:
        root = place.common_dir.parent if place.common_dir.name == ".git" else place.common_dir
    return copies_of(state_home(env, home), root, env)


def mark_copies(copies: Copies, now: datetime) -> None:
    """Records when the newest copy was made, and the first commit of its history."""
    began = _told(copies, "began") or (
        "" if copies.env is None else _first_commit(CGit(copies.root, copies.env))
    )
    mark = {
        "workspace": str(copies.root),
        "day": day_of(now),
        **({"began": began} if began else {}),
    }
    put_in_place(copies.mark, f"{json.dumps(mark)}\n".encode())


def clear_of_others(copies: Copies) -> list[str]:
    """Moves copies of another history aside; returns where."""
    if not copies.are_of_another:
        return []
    names = (copies.folder.with_name(f"{copies.folder.name}.{number}") for number in range(1, 1000))
    aside = next(name for name in names if not name.exists())
    copies.folder.rename(aside)
    return [f"The state of another workspace, which was at this path before, is kept in {aside}."]


def day_of(now: datetime) -> str:
    return now.date().isoformat()


def _told(copies: Copies, key: str) -> str:
    try:
        return str(json.loads(copies.mark.read_bytes()).get(key, ""))
    except (OSError, ValueError, AttributeError):
        # Without a readable mark the copies count as those of this workspace.
        return ""


def _has(git: CGit, commit: str) -> bool:
    code, _ = git.call("cat-file", "-e", f"{commit}^{{commit}}", ok=(0, _NONE, _UNKNOWN))
    return code == 0


def _first_commit(git: CGit) -> str:
    """The first commit of HEAD's history, which all clones share; "" if there is none."""
    code, commits = git.call("rev-list", "--max-parents=0", "HEAD", ok=(0, _UNKNOWN))
    return commits.decode("ascii").split()[-1] if code == 0 else ""
