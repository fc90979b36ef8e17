"""Reads a backup: verifies it by restoring it aside, or makes a new workspace from it.

What it says of itself in `manifest.json` is not trusted.
"""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from clawgit import __version__
from clawgit.errors import ClawgitError, NotFoundError, PathRefusedError, StorageError, UsageError
from clawgit.stores.archive import DamagedArchiveError, check_seal, damaged, sha256_of, unpack
from clawgit.stores.git.bundle import bundle_heads, open_bundle, read_refs
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.rebuilding import complaints
from clawgit.stores.git.repo import Head, storage_errors
from clawgit.stores.plainfile import sync
from clawgit.stores.state import bring_state, examine_copy, state_file

FORMAT = 1
MANIFEST = "manifest.json"
BUNDLE = "repository.bundle"
STATE = "state.db"
FILES = "files"

_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REF = re.compile(r"HEAD|refs/(?!.*\.\.)[^\x00-\x20\x7f~^:?*\[\\]+")


@dataclass(frozen=True, slots=True)
class Manifest:
    """`head` is a branch, or `HEAD` when detached; `state` counts the rows of each table.

    `faults` is what `git fsck` finds wrong with the history itself. File names are as the file
    system has them: a byte that is not UTF-8 is a lone surrogate.
    """

    time: str
    head: str
    head_oid: str
    commits: int
    symbolic_refs: dict[str, str]
    files: list[str]
    deleted: list[str]
    state: dict[str, int]
    faults: list[str]
    clawgit: str = __version__
    format: int = FORMAT


_KINDS: Mapping[str, tuple[type, ...]] = {
    "time": (str,),
    "head": (str,),
    "head_oid": (str,),
    "commits": (int,),
    "symbolic_refs": (dict, str),
    "files": (list, str),
    "deleted": (list, str),
    "state": (dict, int),
    "faults": (list, str),
    "clawgit": (str,),
    "format": (int,),
}
"""Of each value in a manifest: its kind, and that of what it holds."""


def read_manifest(file: Path, text: bytes) -> Manifest:
    """The manifest of the backup `file`; DamagedArchiveError if clawgit did not write it."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise damaged(file, f"is damaged: {MANIFEST} is not JSON ({error})") from error
    if not isinstance(record, dict):
        raise damaged(file, f"is damaged: {MANIFEST} holds no names and values")
    version = record.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise ClawgitError(
            f"{file} was written by clawgit {record.get('clawgit')}, in a form that this one does "
            "not know.",
            hint="Update this one: pip install --upgrade clawgit",
        )
    for name, kinds in _KINDS.items():
        if not _is_of(record.get(name), *kinds):
            raise damaged(
                file, f"is damaged: `{name}` in {MANIFEST} is not what clawgit writes there"
            )
    manifest = Manifest(**{name: record[name] for name in _KINDS})
    names = (manifest.head, *manifest.symbolic_refs, *manifest.symbolic_refs.values())
    if not (all(map(_REF.fullmatch, names)) and _OID.fullmatch(manifest.head_oid)):
        raise damaged(file, f"is damaged: {MANIFEST} names references that git cannot have")
    return manifest


def _is_of(value: Any, kind: type, held: type | None = None) -> bool:
    items: Any = value.values() if isinstance(value, dict) else value
    # `True` is no count, so the types are compared.
    return type(value) is kind and (held is None or all(type(item) is held for item in items))


@dataclass(frozen=True, slots=True)
class RestoreCheck:
    """One check; `detail` says what was found."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether everything in `file` can be restored. After a failed check, those that depend on it
    are skipped.
    """

    file: Path
    ok: bool
    checks: tuple[RestoreCheck, ...]


@dataclass(frozen=True, slots=True)
class Restored:
    """A workspace made from a backup of `time`. `files` and `deleted` are uncommitted again."""

    workspace: Path
    time: str
    head: str
    refs: int
    commits: int
    files: tuple[str, ...]
    deleted: tuple[str, ...]
    state: dict[str, int]


@storage_errors()
def verify(file: Path, env: Mapping[str, str]) -> Verification:
    """Restores a backup aside and compares. Needs only the file, and leaves nothing behind."""
    checks: list[RestoreCheck] = []
    with tempfile.TemporaryDirectory(prefix="clawgit-verify-") as folder:
        try:
            _rebuilt(file, Path(folder), env, checks)
        except (DamagedArchiveError, PathRefusedError, CGitError, StorageError) as error:
            name = "restore" if checks else "seal"
            checks.append(RestoreCheck(name, ok=False, detail=error.message))
    return Verification(file, all(check.ok for check in checks), tuple(checks))


@storage_errors()
def restore_backup(
    file: Path, folder: Path, env: Mapping[str, str], *, dry_run: bool = False
) -> Restored:
    """Restores the workspace into a folder that is absent or empty: completely, or not at all."""
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"{folder} exists and is not an empty folder.",
            hint="Name a new folder to restore into.",
        )
    if not folder.parent.is_dir():
        raise UsageError(f"{folder.parent} is not a folder.", hint=f"mkdir -p '{folder.parent}'")
    checks: list[RestoreCheck] = []
    place = None if dry_run else folder.parent
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=place) as beside:
        manifest, git = _rebuilt(file, Path(beside), env, checks)
        # A later git may find more wrong with an old commit; that must not keep it from anybody.
        for check in checks:
            if not check.ok and check.name != "git":
                raise damaged(file, f"is not what it says: {check.name}: {check.detail}")
        refs = len(read_refs(git).oids)
        if not dry_run:
            # Everything in it, and only then its name: thousands of files, written by git too.
            os.sync()
            git.root.replace(folder)
            sync(folder.parent)
    return Restored(
        workspace=folder,
        time=manifest.time,
        head=manifest.head,
        refs=refs,
        commits=manifest.commits,
        files=tuple(manifest.files),
        deleted=tuple(manifest.deleted),
        state=manifest.state,
    )


def _rebuilt(
    file: Path, folder: Path, env: Mapping[str, str], checks: list[RestoreCheck]
) -> tuple[Manifest, CGit]:
    """Makes the workspace of a backup in a folder, compares it, and adds what was found."""
    stage = folder / "stage"
    manifest = _opened(file, stage)
    size = file.stat().st_size
    checks.append(
        RestoreCheck("seal", ok=True, detail=f"all {size} bytes are as they were written")
    )
    git = _built(file, stage, manifest, folder / "workspace", env)
    checks += _repository_checked(git, manifest, stage / BUNDLE)
    checks += (_files_checked(stage, manifest, git.root), _state_checked(stage, manifest))
    return manifest, git


def _opened(file: Path, stage: Path) -> Manifest:
    if not file.is_file():
        raise NotFoundError(
            f"There is no file {file}.", hint="Name a file that `clawgit backup FILE` has written."
        )
    check_seal(file)
    stage.mkdir()
    unpack(file, stage)
    for name in (MANIFEST, BUNDLE, STATE):
        if not (stage / name).is_file():
            raise damaged(file, f"is damaged: it holds no {name}")
    return read_manifest(file, (stage / MANIFEST).read_bytes())


def _built(file: Path, stage: Path, manifest: Manifest, root: Path, env: Mapping[str, str]) -> CGit:
    head = Head(manifest.head, manifest.head_oid)
    git = open_bundle(stage / BUNDLE, root, env, head, manifest.symbolic_refs)
    _refuse_clashes(git)
    place = RepoPlace(root, root / ".git", root / ".git")
    bring_state(stage / STATE, state_file(place))
    for path in manifest.deleted:
        _take_away(root, path)
    written: set[tuple[int, int]] = set()
    for path in manifest.files:
        target = _target(root, path)
        if not (stage / FILES / path).is_file():
            raise damaged(file, f"is damaged: it holds no {path!r}")
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(target) and _identity(target) in written:
            raise _fallen_together(path)
        target.unlink(missing_ok=True)
        shutil.copy2(stage / FILES / path, target)
        written.add(_identity(target))
    return git


def _refuse_clashes(git: CGit) -> None:
    """Raises if two names of the history are the same file here, for instance without regard to
    case.
    """
    there: set[tuple[int, int]] = set()
    for name in git.run("ls-files", "-z").split(b"\0"):
        path = git.root / os.fsdecode(name)
        if not name or path.is_dir():
            continue
        if not os.path.lexists(path) or _identity(path) in there:
            raise _fallen_together(os.fsdecode(name))
        there.add(_identity(path))


def _identity(path: Path) -> tuple[int, int]:
    status = path.lstat()
    return status.st_dev, status.st_ino


def _fallen_together(path: str) -> PathRefusedError:
    return PathRefusedError(
        f"{path!r} cannot be told from another name in this file system.",
        hint="Restore into a folder on a file system that distinguishes upper and lower case.",
    )


def _take_away(root: Path, path: str) -> None:
    """Deletes a file and the folders that this leaves empty, as git does: a file may have replaced
    one.
    """
    target = _target(root, path)
    target.unlink(missing_ok=True)
    for folder in target.parents:
        if folder == root or not folder.is_dir() or any(folder.iterdir()):
            break
        folder.rmdir()


def _target(root: Path, path: str) -> Path:
    """A path inside the new workspace. A forged one that leads out, by dots or a symlink, is
    refused.
    """
    target = root / path
    if not is_inside(path) or not target.parent.resolve().is_relative_to(root.resolve()):
        raise PathRefusedError(
            f"{path!r} leads out of the workspace.", hint="This backup was not made by clawgit."
        )
    return target


def is_inside(path: str) -> bool:
    """Whether a path can only mean a file inside of its folder, and not one of git's own."""
    parts = PurePosixPath(path).parts
    is_relative = bool(parts) and not path.startswith("/") and not path.endswith("/")
    return (
        is_relative
        and "\0" not in path
        and not any(part == ".." or part.lower() == ".git" for part in parts)
    )


def _files_checked(stage: Path, manifest: Manifest, root: Path) -> RestoreCheck:
    """Checks the uncommitted files byte by byte, and that deleted ones are absent."""
    wrong = [
        path for path in manifest.files if sha256_of(root / path) != sha256_of(stage / FILES / path)
    ]
    wrong += [
        path
        for path in manifest.deleted
        if os.path.lexists(root / path) and not (root / path).is_dir()
    ]
    count = len(manifest.files) + len(manifest.deleted)
    return _compared(
        "files", map(repr, wrong), f"each of {count} that no commit holds is as it was"
    )


def _repository_checked(git: CGit, manifest: Manifest, bundle: Path) -> list[RestoreCheck]:
    """Checks that bundle, manifest and restored repository agree on every reference."""
    known = {*manifest.faults}
    problems = [line for line in complaints(git, "--strict").splitlines() if line not in known]
    there = read_refs(git)
    made = {**there.oids, "HEAD": git.text("rev-parse", "HEAD").strip()}
    said = {**bundle_heads(git, bundle), "HEAD": manifest.head_oid}
    wrong = {name for name, _ in made.items() ^ said.items()}
    wrong |= {name for name, _ in there.symbolic.items() ^ manifest.symbolic_refs.items()}
    more = "nothing more wrong than there was" if known else "nothing wrong"
    sound = f"git fsck --strict finds {more}; commits: {manifest.commits}"
    refs = f"each of {len(there.oids)} points where it did"
    return [
        RestoreCheck("git", not problems, "\n".join(problems) or sound),
        _compared("references", sorted(wrong), refs),
    ]


def _state_checked(stage: Path, manifest: Manifest) -> RestoreCheck:
    found = examine_copy(stage / STATE)
    differs = [*found.faults]
    if not differs and found.rows != manifest.state:
        differs = [f"the database holds {found.rows}; the manifest says {manifest.state}"]
    count = sum(found.rows.values())
    fine = f"the database is sound, and has the {count:,} rows that the manifest counts"
    return RestoreCheck("state", not differs, "; ".join(differs) or fine)


def _compared(name: str, wrong: Iterable[str], fine: str) -> RestoreCheck:
    differs = ", ".join(wrong)
    return RestoreCheck(name, not differs, f"differs: {differs}" if differs else fine)
