"""Checks that a `.git` belongs to its folder: one from an archive may lead into another repository.

Whoever prepares an archive decides what is in its `.git`. Through a link we would read and write
outside the workspace, and on a pipe we would wait for ever. So this is checked before anything in
it is opened.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from clawgit.core.disk.plainfile import read_plain
from clawgit.core.errors import UnsupportedRepoError
from clawgit.core.limits import MOST_BYTES
from clawgit.git.place import RepoPlace
from clawgit.language.lazily import lazily

_WALKED = ("info", "logs", "objects/info", "refs", "worktrees")
"""Folders in which we and git read or write wherever a name leads."""

_ELSEWHERE = frozenset({"annex", "hooks", "lfs", "modules", "rr-cache"})
"""Names that commonly lead elsewhere: they are left alone, as with core.hooksPath."""

_RULES = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
"""Files of the work tree that git opens by itself."""

_NOTE = "clawgit/folder"
"""The file of ours that says which folder a git directory belongs to."""

_ON = (b"true", b"yes", b"on", b"1")

_SECTION = lazily(rb"\[core\](?P<rows>[^\[]*)", re.IGNORECASE)
_ROW = lazily(
    rb"(?m)^[ \t]*(worktree|bare|sparsecheckout)[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.IGNORECASE
)


def refuse_strange_place(place: RepoPlace, real: RepoPlace) -> None:
    """Raises if the git directory is another work tree's, or has a link or a pipe that we must not
    follow. `real` is the same place with real paths.
    """
    if not _is_its_own(real):
        raise UnsupportedRepoError(
            f"{place.root}/.git leads to {place.common_dir}, which is the repository of another "
            "folder.",
            hint="If you moved a work tree of it: `git worktree repair`. If somebody gave you this "
            "folder, do not use its .git.",
        )
    if any(_core(home).get(b"sparsecheckout", b"").lower() in _ON for home in {*real[1:]}):
        raise UnsupportedRepoError(
            f"{place.root} is a sparse checkout: what it leaves out would look deleted.",
            hint="git sparse-checkout disable",
        )
    homes = {os.fspath(real.git_dir), os.fspath(real.common_dir)}
    for home in sorted(homes):
        for name in ("objects/info", "objects/pack", *({*os.listdir(home)} - _ELSEWHERE)):  # noqa: PTH208 - as below
            _refuse_detour(f"{home}/{name}", {home} if name == "clawgit" else homes)
        for folder, inside, most in (
            *((f"{home}/{folder}", homes, MOST_BYTES) for folder in _WALKED),
            (f"{home}/clawgit", {f"{home}/clawgit"}, sys.maxsize),
        ):
            for path in _files_below(folder):
                _refuse_detour(path, inside, most)
    for name in _RULES:
        _refuse_odd(f"{place.root}/{name}")


def refuse_pipes_below(root: Path) -> None:
    """Raises if git would open a pipe in any folder of the work tree.

    This checks each folder, so only `doctor` calls it, and code for a git that does not end.
    """
    for folder, _, names in os.walk(root):
        for name in set(_RULES).intersection(names):
            _refuse_odd(f"{folder}/{name}")


def _is_its_own(real: RepoPlace) -> bool:
    root, git_dir, common = real
    if git_dir == root / ".git":
        return common == git_dir
    if common != git_dir:
        back = _read(git_dir / "gitdir").strip()
        leads_back = bool(back) and (git_dir / os.fsdecode(back)).resolve() == root / ".git"
        return git_dir.parent == common / "worktrees" and leads_back
    settings = _core(git_dir)
    if tree := settings.get(b"worktree"):
        return (git_dir / os.fsdecode(tree)).resolve() == root
    if git_dir.name == ".git" or is_bare(real):
        return False
    # `git init --separate-git-dir` does not record the folder; `clawgit init` does. If that one
    # still leads here too, this is a copy of it, and not the folder moved.
    noted = Path(os.fsdecode(_read(git_dir / _NOTE).rstrip(b"\n")) or root)
    return noted == root or _read(noted / ".git") != _read(root / ".git")


def note_folder(place: RepoPlace) -> None:
    """Records which folder a git directory belongs to, which git itself may not."""
    note = place.git_dir / _NOTE
    note.parent.mkdir(exist_ok=True)
    note.write_bytes(os.fsencode(place.root.resolve()) + b"\n")


def is_bare(place: RepoPlace) -> bool:
    """Whether the repository has no main worktree."""
    return _core(place.common_dir).get(b"bare") == b"true"


def _core(git_dir: Path) -> dict[bytes, bytes]:
    """The `core` section of a repository's own configuration, which may name a work tree."""
    text = b"\n".join(_read(git_dir / name) for name in ("config", "config.worktree"))
    rows = b"\n".join(section["rows"] for section in _SECTION.finditer(text))
    return {key.lower(): value.strip(b'"') for key, value in _ROW.findall(rows)}


def _read(file: Path) -> bytes:
    try:
        return read_plain(file)
    except OSError:
        return b""


def _refuse_detour(path: str, homes: set[str], most: int = MOST_BYTES) -> None:
    """Raises if a path is a link that leads out of all `homes`, or is neither a file of at most so
    many bytes nor a folder.
    """
    if os.path.islink(path):  # noqa: PTH114 - asked for each file of git's
        leads_to = os.path.realpath(path)
        if not any(leads_to.startswith(f"{home}/") for home in homes):
            raise UnsupportedRepoError(
                f"{path} is a link to {leads_to}, which is outside the repository.",
                hint=f"Check it, and if you did not make it, remove it: rm '{path}'",
            )
    _refuse_odd(path, most)


def _refuse_odd(path: str, most: int = MOST_BYTES) -> None:
    try:
        found = os.stat(path)  # noqa: PTH116 - as above
    except OSError:
        return  # git's locks come and go
    mode = found.st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise UnsupportedRepoError(
            f"{path} is a pipe or a device, not a file: whoever reads it may wait forever.",
            hint=f"Remove it: rm '{path}'",
        )
    if stat.S_ISREG(mode) and found.st_size > most:
        raise UnsupportedRepoError(
            f"{path} has {found.st_size:,} bytes: whoever reads it needs as much memory.",
            hint="Check it. If somebody gave you this folder, do not use its .git.",
        )


def _files_below(folder: str) -> Iterator[str]:
    """Everything below a folder that is no folder itself."""
    for above, folders, names in os.walk(folder):
        links = (name for name in folders if os.path.islink(f"{above}/{name}"))  # noqa: PTH114 - as above
        yield from (f"{above}/{name}" for name in (*names, *links))
