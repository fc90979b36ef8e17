"""Reads a backup: verifies it by restoring it aside, or makes a new workspace from it.

What it says of itself in `manifest.json` is not trusted.
"""

import filecmp
import json
import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from clawgit import __version__
from clawgit.core.disk.plainfile import sync
from clawgit.core.errors import (
    NotFoundError,
    PathRefusedError,
    StorageError,
    UsageError,
)
from clawgit.git.bundle import bundle_heads, open_bundle, read_refs
from clawgit.git.cgit import CGit, CGitError
from clawgit.git.place import RepoPlace
from clawgit.git.rebuilding import complaints
from clawgit.git.repo import Head, storage_errors
from clawgit.history.archive import DamagedArchiveError, damaged, unpack
from clawgit.workspace.stores.state import bring_state, examine_copy, state_file

MANIFEST = "manifest.json"
BUNDLE = "repository.bundle"
STATE = "state.db"
FILES = "files"

_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REF = re.compile(r"HEAD|refs/[^\x00-\x20\x7f~^:?*\[\\]+")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the other members of a backup do not say. `head` is a branch, or `HEAD` when detached;
    `faults` is what `git fsck` finds wrong with the history itself.

    File names are as the file system has them: a byte that is not UTF-8 is a lone surrogate.
    """

    time: str
    head: str
    head_oid: str
    deleted: list[str]
    faults: list[str]
    clawgit: str = __version__


def read_manifest(file: Path, text: bytes) -> Manifest:
    """The manifest of the backup `file`; DamagedArchiveError if clawgit did not write it."""
    try:
        kept = json.loads(text)
        # Only these: one of another version may say more of itself.
        manifest = Manifest(**{name: kept[name] for name in Manifest.__slots__})
        names = (manifest.head, *manifest.deleted, *manifest.faults)
        fits = all(isinstance(name, str) for name in names) and _REF.fullmatch(manifest.head)
        fits = fits and _OID.fullmatch(manifest.head_oid)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise damaged(file, f"is damaged: {MANIFEST} is not what clawgit writes") from error
    if not fits:
        raise damaged(file, f"is damaged: {MANIFEST} names references that git cannot have")
    return manifest


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
    commits: int
    files: tuple[str, ...]
    deleted: tuple[str, ...]


@storage_errors()
def verify(file: Path, env: Mapping[str, str]) -> Verification:
    """Restores a backup aside and compares. Needs only the file, and leaves nothing behind."""
    checks: list[RestoreCheck] = []
    with tempfile.TemporaryDirectory(prefix="clawgit-verify-") as folder:
        try:
            # The same steps as a restore, so that what is proven here is what a restore does.
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
        made = _rebuilt(file, Path(beside), env, checks)
        # A later git may find more wrong with an old commit; that must not keep it from anybody.
        for check in checks:
            if not check.ok and check.name != "git":
                raise damaged(file, f"is not what it says: {check.name}: {check.detail}")
        if not dry_run:
            # Everything in it, and only then its name: thousands of files, written by git too.
            os.sync()
            made.workspace.replace(folder)
            sync(folder.parent)
    return replace(made, workspace=folder)


def _rebuilt(
    file: Path, folder: Path, env: Mapping[str, str], checks: list[RestoreCheck]
) -> Restored:
    """Makes the workspace of a backup in a folder, compares it, and adds what was found."""
    stage, root = folder / "stage", folder / "workspace"
    manifest = _opened(file, stage)
    checks.append(_check("seal", f"all {file.stat().st_size:,} bytes are as they were written"))
    head = Head(manifest.head, manifest.head_oid)
    git = open_bundle(stage / BUNDLE, root, env, head)
    files = _put_back(stage / FILES, manifest.deleted, root)
    state = examine_copy(stage / STATE)
    bring_state(stage / STATE, state_file(RepoPlace(root, root / ".git", root / ".git")))
    rows = f"the database is sound, and has {sum(state.rows.values()):,} rows"
    checks += _repository_checked(git, manifest, stage / BUNDLE)
    checks.append(_files_checked(stage / FILES, files, manifest.deleted, root))
    checks.append(_check("state", rows, "; ".join(state.faults)))
    return Restored(
        workspace=root,
        time=manifest.time,
        head=manifest.head,
        commits=int(git.text("rev-list", "--count", "--all", "HEAD")),
        files=files,
        deleted=tuple(manifest.deleted),
    )


def _opened(file: Path, stage: Path) -> Manifest:
    if not file.is_file():
        raise NotFoundError(
            f"There is no file {file}.", hint="Name a file that `clawgit backup FILE` has written."
        )
    stage.mkdir()
    unpack(file, stage)
    for name in (MANIFEST, BUNDLE, STATE):
        if not (stage / name).is_file():
            raise damaged(file, f"is damaged: it holds no {name}")
    return read_manifest(file, (stage / MANIFEST).read_bytes())


def _put_back(saved: Path, deleted: Iterable[str], root: Path) -> tuple[str, ...]:
    """Makes uncommitted again what was; returns the files."""
    # First what is gone: a folder may stand now where a file was, or the other way round.
    for path in deleted:
        _take_away(root, path)
    sources = sorted(path for path in saved.rglob("*") if path.is_file())
    files = tuple(str(source.relative_to(saved)) for source in sources)
    for path in files:
        target = _target(root, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy2(saved / path, target)
    return files


def _take_away(root: Path, path: str) -> None:
    """Deletes a file and the folders that this leaves empty, as git does: a file may have replaced
    one.
    """
    target = _target(root, path)
    target.unlink(missing_ok=True)
    with suppress(OSError):
        os.removedirs(target.parent)


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
    parts = path.lower().split("/")
    return "\0" not in path and {"", "..", ".git"}.isdisjoint(parts) and path != "."


def _files_checked(
    saved: Path, files: Collection[str], deleted: Collection[str], root: Path
) -> RestoreCheck:
    """Checks the uncommitted files byte by byte, and that deleted ones are absent."""
    _, *unlike = filecmp.cmpfiles(saved, root, files, shallow=False)
    wrong = [*chain.from_iterable(unlike)]
    wrong += [path for path in deleted if (root / path).is_symlink() or (root / path).is_file()]
    fine = f"each of {len(files) + len(deleted)} that no commit holds is as it was"
    return _check("files", fine, _differs(map(repr, wrong)))


def _repository_checked(git: CGit, manifest: Manifest, bundle: Path) -> list[RestoreCheck]:
    """Checks that bundle, manifest and restored repository agree on every reference."""
    known = {*manifest.faults}
    problems = [line for line in complaints(git, "--strict").splitlines() if line not in known]
    there = read_refs(git)
    made = there | {"HEAD": git.text("rev-parse", "HEAD").strip()}
    said = {**bundle_heads(git, bundle), "HEAD": manifest.head_oid}
    wrong = {name for name, _ in made.items() ^ said.items()}
    more = "nothing more wrong than there was" if known else "nothing wrong"
    return [
        _check("git", f"git fsck --strict finds {more}", "\n".join(problems)),
        _check("references", f"each of {len(there)} points where it did", _differs(sorted(wrong))),
    ]


def _differs(wrong: Iterable[str]) -> str:
    names = ", ".join(wrong)
    return names and f"differs: {names}"


def _check(name: str, fine: str, wrong: str = "") -> RestoreCheck:
    return RestoreCheck(name, not wrong, wrong or fine)
