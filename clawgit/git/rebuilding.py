"""Lost objects and a damaged index of git, made again from what is on disk. What is damaged is
moved aside into `.git/clawgit/damaged`, not deleted.
"""

import hashlib
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from clawgit.core.disk.plainfile import sync
from clawgit.git.cgit import CGit, CGitError
from clawgit.git.gitindex import GitIndex
from clawgit.git.place import RepoPlace
from clawgit.git.rules.ids import blob_id

_ANY = tuple(range(256))
_ASIDE = "damaged"
_LOCK_TIMEOUT = 5.0
_SHORT = 10
_NAMED = re.compile(r"\bobjects/([0-9a-f]{2})/([0-9a-f]{38})\b|\b([0-9a-f]{40})\b")


def complaints(git: CGit, *options: str) -> str:
    """What `git fsck` finds wrong, in its own words; "" if nothing.

    With `--strict` it also reports file modes of older programs.
    """
    try:
        git.run("fsck", "--no-dangling", "--no-progress", *options)
    except CGitError as error:
        # Some findings of fsck are on standard output, with nothing on standard error.
        found = f"{error.stderr}\n{error.stdout.decode('utf-8', 'replace')}"
        return found.strip() or error.message
    return ""


def rebuild_objects(git: CGit, place: RepoPlace, said: str, files: Iterable[str]) -> None:
    """Makes those of the objects that fsck names again that the files on disk or git's index still
    hold.
    """
    _move_aside(place, {folder + rest or whole for folder, rest, whole in _NAMED.findall(said)})
    # Git reads one path a line, and keeps what it has.
    there = [path for path in files if "\n" not in path and (place.root / path).is_file()]
    names = b"".join(os.fsencode(path) + b"\n" for path in there)
    git.run("hash-object", "-w", "--stdin-paths", stdin=names, ok=_ANY)
    git.run("write-tree", "--missing-ok", ok=_ANY)


def _move_aside(place: RepoPlace, lost: Iterable[str]) -> None:
    """Moves damaged objects away: git would take them for written."""
    aside = place.private / _ASIDE
    aside.mkdir(parents=True, exist_ok=True)
    for oid in lost:
        loose = place.common_dir / "objects" / oid[:2] / oid[2:]
        if loose.is_file() and not _is_whole(loose, oid):
            loose.replace(aside / oid)


def _is_whole(loose: Path, oid: str) -> bool:
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(loose.read_bytes())
    except (OSError, zlib.error):
        return False
    is_all = reader.eof and not reader.unused_data
    return is_all and hashlib.sha1(data, usedforsecurity=False).hexdigest() == oid


def rebuild_index(git: CGit, place: RepoPlace) -> None:
    """Makes git's index again from HEAD. The files on disk stay, and so does what was staged, as
    far as the damaged index can be read.
    """
    file, fresh = place.git_dir / "index", place.private / "index.rebuilding"
    with GitIndex(place).held(_LOCK_TIMEOUT):
        damaged = file.read_bytes() if file.is_file() else b""
        aside = place.private / _ASIDE / f"index-{blob_id(damaged)[:_SHORT]}"
        aside.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        head = git.text("rev-parse", "-q", "--verify", "HEAD^{tree}", ok=_ANY).strip()
        git.run("read-tree", *([head] if head else ["--empty"]), index=fresh)
        git.run("update-index", "-q", "--refresh", index=fresh, ok=_ANY)
        sync(fresh)
        _save_staged(git, damaged, fresh, aside)
        # A copy: after a kill -9 here there is still an index, and doctor still finds it damaged.
        if damaged:
            (aside / "index").write_bytes(damaged)
        else:
            file.replace(aside / "index")
        fresh.replace(file)


def _save_staged(git: CGit, damaged: bytes, fresh: Path, aside: Path) -> None:
    """Saves the texts that only the damaged index names: git deletes them in time."""
    # With the new index, and without reflogs: then git calls dangling what no commit has.
    told = git.run("fsck", "--no-progress", "--no-reflogs", index=fresh, ok=_ANY)
    for row in told.decode().splitlines():
        oid = row.removeprefix("dangling blob ")
        if oid != row and bytes.fromhex(oid) in damaged:
            (aside / oid[:_SHORT]).write_bytes(git.run("cat-file", "blob", oid))
