"""Lost objects of git: finds those that are missing or damaged, makes them again from files on disk
if possible, and says what the others were.
"""

import os
import re
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from clawgit.domain.change.ids import blob_id
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.gitindex import GitIndex
from clawgit.stores.git.indexfile import readable_entries
from clawgit.stores.git.place import NO_OBJECT, RepoPlace
from clawgit.stores.plainfile import sync

_ANY = tuple(range(256))
_ASIDE = "damaged"
_LOCK_TIMEOUT = 5.0
_SHORT = 10
_LONGEST_NAME = 60
_NAMED = re.compile(r"\bobjects/([0-9a-f]{2})/([0-9a-f]{38})\b|\b([0-9a-f]{40})\b")
_RAW = re.compile(r":\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) [A-Z]\d*\t(.*)")


class LostObject(NamedTuple):
    """An object that cannot be read.

    `path` is the file that it was and `commit` the one that brought it; both are "" if history does
    not show it.
    """

    oid: str
    path: str = ""
    commit: str = ""


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


def lost_objects(git: CGit, said: str) -> list[LostObject]:
    """The objects that fsck reports as missing or damaged, with what each was."""
    lost = {oid: LostObject(oid) for line in said.splitlines() for oid in _blamed(line)}
    if lost:
        _find_names(git, lost)
    return list(lost.values())


def _blamed(line: str) -> list[str]:
    """The objects that a line of fsck reports; a line about a link also names the undamaged end."""
    if not line.startswith(("missing ", "error: ", "fatal: ")) or "reflog" in line:
        return []
    oids = [folder + rest or whole for folder, rest, whole in _NAMED.findall(line)]
    return [oid for oid in oids if oid != NO_OBJECT]


def _find_names(git: CGit, lost: dict[str, LostObject]) -> None:
    """Adds path and commit, as far as the remaining commits and trees show them."""
    for record in git.text("ls-files", "-s", "-z", ok=_ANY).split("\0"):
        head, _, path = record.partition("\t")
        oid = head.split(" ")[1] if path else ""
        if oid in lost:
            lost[oid] = LostObject(oid, path)
    commit = ""
    history = ("log", "--all", "--format=%H", "--raw", "--no-abbrev", "--no-renames", "--root")
    for line in git.text(*history, ok=_ANY).splitlines():
        if match := _RAW.match(line):
            if match[2] in lost:  # the oldest commit that has it comes last
                lost[match[2]] = LostObject(match[2], match[3], commit)
        elif line:
            commit = line


def rebuild(git: CGit, place: RepoPlace, lost: Iterable[str], files: Collection[str]) -> set[str]:
    """Makes lost objects again from the files on disk and from git's index.

    Returns those that can be read again. A damaged object is first moved aside, not deleted.
    """
    wanted = {oid for oid in lost if _is_unreadable(git, place, oid)}
    for oid in wanted:
        _move_aside(place, oid)
    sources = _sources(place, files)
    # A blob may have been made with the filters that are set today, or without any.
    _write_blobs(git, sources, wanted, ())
    _write_blobs(git, sources, wanted, ("--no-filters",))
    _write_trees(git, place)
    return {oid for oid in wanted if git.call("cat-file", "-e", oid, ok=_ANY)[0] == 0}


def rebuild_index(git: CGit, place: RepoPlace) -> None:
    """Makes git's index again from HEAD. The files on disk stay, and so does what was staged, as
    far as the damaged index can be read.
    """
    file, fresh = place.git_dir / "index", place.private / "index.rebuilding"
    with GitIndex(place, git).held(_LOCK_TIMEOUT):
        damaged = file.read_bytes() if _is_plain(file) else b""
        aside = place.private / _ASIDE / f"index-{blob_id(damaged)[:_SHORT]}"
        aside.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        head = git.text("rev-parse", "-q", "--verify", "HEAD^{tree}", ok=_ANY).strip()
        git.run("read-tree", *([head] if head else ["--empty"]), index=fresh)
        committed = _committed(git, fresh)
        absent = [path for path in committed if not os.path.lexists(place.root / os.fsdecode(path))]
        _leave_out(git, fresh, absent)
        git.run("update-index", "-q", "--refresh", index=fresh, ok=_ANY)
        sync(fresh)
        _save_staged(git, place.root, damaged, committed, aside)
        # A copy: after a kill -9 here there is still an index, and doctor still finds it damaged.
        if damaged:
            (aside / "index").write_bytes(damaged)
        else:
            file.replace(aside / "index")
        fresh.replace(file)


def _committed(git: CGit, index: Path) -> dict[bytes, str]:
    """Path → object id."""
    listed = git.run("ls-files", "-s", "-z", index=index).split(b"\0")
    rows = (record.partition(b"\t") for record in listed if record)
    return {path: head.split(b" ")[1].decode() for head, _, path in rows}


def _leave_out(git: CGit, index: Path, absent: list[bytes]) -> None:
    """In a sparse checkout a file that is not on disk was left out, and not deleted."""
    if git.text("config", "--type=bool", "core.sparseCheckout", ok=(0, 1)).strip() == "true":
        names = b"".join(path + b"\0" for path in absent)
        git.run("update-index", "--skip-worktree", "-z", "--stdin", stdin=names, index=index)


def _save_staged(
    git: CGit, root: Path, damaged: bytes, committed: Mapping[bytes, str], aside: Path
) -> None:
    """Saves what was staged and is neither committed nor on disk: git deletes it in time."""
    for path, oid in readable_entries(damaged):
        on_disk = root / os.fsdecode(path)
        if committed.get(path) == oid or (
            _is_plain(on_disk) and blob_id(on_disk.read_bytes()) == oid
        ):
            continue
        code, data = git.call("cat-file", "blob", oid, ok=_ANY)
        # Under a name of our own: that in a damaged index may lead anywhere.
        if code == 0:
            (aside / f"{oid[:_SHORT]}-{on_disk.name[-_LONGEST_NAME:]}").write_bytes(data)


def _sources(place: RepoPlace, files: Collection[str]) -> list[str]:
    """The files that may still have the bytes of a lost blob: those in scope, and held ones."""
    on_disk = [path for path in files if _is_plain(place.root / path)]
    held = [str(path) for path in (place.private / "held").glob("*") if _is_plain(path)]
    return [*on_disk, *held]


def _is_unreadable(git: CGit, place: RepoPlace, oid: str) -> bool:
    """Whether an object is missing, or has the wrong bytes."""
    if git.call("cat-file", "-e", oid, ok=_ANY)[0]:
        return True
    kind = git.text("cat-file", "-t", oid, ok=_ANY).strip()
    code, data = git.call("cat-file", kind or "blob", oid, ok=_ANY)
    if code or not _loose(place, oid).is_file():
        return bool(code)
    hashed = git.run("hash-object", "-t", kind, "--literally", "--stdin", stdin=data, ok=_ANY)
    return hashed.decode().strip() != oid


def _move_aside(place: RepoPlace, oid: str) -> None:
    damaged = _loose(place, oid)
    if damaged.is_file():
        aside = place.private / _ASIDE
        aside.mkdir(parents=True, exist_ok=True)
        damaged.replace(aside / oid)


def _loose(place: RepoPlace, oid: str) -> Path:
    return place.common_dir / "objects" / oid[:2] / oid[2:]


def _is_plain(path: Path) -> bool:
    try:
        return S_ISREG(os.lstat(path).st_mode) and "\n" not in str(path)
    except OSError:
        return False


def _write_blobs(
    git: CGit, files: list[str], wanted: Collection[str], filters: tuple[str, ...]
) -> None:
    """Stores the files whose content is one of the wanted blobs."""
    names = b"".join(os.fsencode(path) + b"\n" for path in files)
    hashed = git.run("hash-object", *filters, "--stdin-paths", stdin=names, ok=_ANY)
    for path, oid in zip(files, hashed.decode().split(), strict=False):
        if oid in wanted:
            git.run("hash-object", "-w", *filters, "--", path, ok=_ANY)


def _write_trees(git: CGit, place: RepoPlace) -> None:
    """Stores the trees of the index, which are mostly those of HEAD."""
    index = place.git_dir / "index"
    if not index.is_file():
        return
    # On a copy: git writes the trees into the index, and somebody may hold its lock.
    place.private.mkdir(parents=True, exist_ok=True)
    copy = place.private / "index.rebuilding"
    shutil.copyfile(index, copy)
    try:
        git.run("write-tree", "--missing-ok", index=copy, ok=_ANY)
    finally:
        copy.unlink(missing_ok=True)
