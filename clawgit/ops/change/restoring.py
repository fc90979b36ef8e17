"""Reads a backup: verifies it by restoring it aside, or makes a new workspace from it."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clawgit.errors import NotFoundError, PathRefusedError, StorageError, UsageError
from clawgit.ops.change.backup_manifest import (
    BUNDLE,
    FILES,
    MANIFEST,
    STATE,
    Manifest,
    checksums,
    is_inside,
    read_manifest,
)
from clawgit.stores.archive import DamagedArchiveError, check_seal, damaged, sha256_of, unpack
from clawgit.stores.git.bundle import Refs, bundle_heads, open_bundle, read_refs
from clawgit.stores.git.cgit import CGit, CGitError
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.rebuilding import complaints
from clawgit.stores.git.repo import Head, storage_errors
from clawgit.stores.plainfile import sync
from clawgit.stores.state import bring_state, examine_copy, state_file


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
        stage, root = Path(folder) / "stage", Path(folder) / "workspace"
        try:
            manifest = _opened(file, stage)
            checks.append(
                RestoreCheck(
                    "seal",
                    ok=True,
                    detail=f"all {file.stat().st_size} bytes are as they were written",
                )
            )
            checks += _members_checked(stage, manifest)
            if not checks[-1].ok:
                return Verification(file, ok=False, checks=tuple(checks))
            git = _built(stage, manifest, root, env)
        except (DamagedArchiveError, PathRefusedError, CGitError, StorageError) as error:
            checks.append(
                RestoreCheck("restore" if checks else "seal", ok=False, detail=error.message)
            )
        else:
            checks += _repository_checked(git, manifest, stage / BUNDLE)
            checks += _files_checked(stage, manifest, root)
            checks += _state_checked(stage, manifest)
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
    with tempfile.TemporaryDirectory(prefix="clawgit-restore-") as temp:
        manifest = _opened(file, Path(temp))
        if wrong := _differing(Path(temp), manifest):
            raise damaged(
                file, f"is damaged: {', '.join(wrong)} differs from what its manifest says"
            )
        if dry_run:
            return _restored(folder, manifest)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as beside:
            _built(Path(temp), manifest, Path(beside) / "workspace", env)
            # Everything in it, and only then its name: thousands of files, written by git too.
            os.sync()
            (Path(beside) / "workspace").replace(folder)
            sync(folder.parent)
    return _restored(folder, manifest)


def _opened(file: Path, stage: Path) -> Manifest:
    if not file.is_file():
        raise NotFoundError(
            f"There is no file {file}.", hint="Name a file that `clawgit backup FILE` has written."
        )
    check_seal(file)
    stage.mkdir(exist_ok=True)
    unpack(file, stage)
    if not (stage / MANIFEST).is_file():
        raise damaged(file, f"is damaged: it holds no {MANIFEST}")
    return read_manifest(file, (stage / MANIFEST).read_bytes())


def _built(stage: Path, manifest: Manifest, root: Path, env: Mapping[str, str]) -> CGit:
    head = Head(manifest.head, manifest.head_oid)
    git = open_bundle(stage / BUNDLE, root, env, head, Refs(manifest.refs, manifest.symbolic_refs))
    _refuse_clashes(git)
    place = RepoPlace(root, root / ".git", root / ".git")
    bring_state(stage / STATE, state_file(place))
    for path in manifest.deleted:
        _take_away(root, path)
    written: set[tuple[int, int]] = set()
    for path in manifest.files:
        target = _target(root, path)
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


def _differing(stage: Path, manifest: Manifest) -> list[str]:
    """The members that differ from the manifest, are missing, or are not in it."""
    there = checksums(stage)
    expected = dict(manifest.members)
    for name in (BUNDLE, STATE, *(f"{FILES}/{path}" for path in manifest.files)):
        expected.setdefault(name, "")
    return sorted(name for name in there.keys() | expected if there.get(name) != expected.get(name))


def _members_checked(stage: Path, manifest: Manifest) -> list[RestoreCheck]:
    wrong, count = _differing(stage, manifest), len(manifest.members)
    detail = (
        f"differs: {', '.join(wrong)}"
        if wrong
        else f"each of {count} has the checksum of the manifest"
    )
    return [RestoreCheck("members", not wrong, detail)]


def _files_checked(stage: Path, manifest: Manifest, root: Path) -> list[RestoreCheck]:
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
    detail = (
        f"differs: {', '.join(map(repr, wrong))}"
        if wrong
        else f"each of {count} that no commit holds is as it was"
    )
    return [RestoreCheck("files", not wrong, detail)]


def _repository_checked(git: CGit, manifest: Manifest, bundle: Path) -> list[RestoreCheck]:
    """Checks that bundle, manifest and restored repository agree on every reference."""
    known = {*manifest.faults}
    problems = [line for line in complaints(git, "--strict").splitlines() if line not in known]
    bundled, there = bundle_heads(git, bundle), read_refs(git)
    named = {**manifest.refs, "HEAD": manifest.head_oid}
    made = {**there.oids, "HEAD": git.text("rev-parse", "HEAD").strip()}
    names = bundled.keys() | named.keys() | made.keys()
    wrong = sorted(
        name for name in names if not bundled.get(name) == named.get(name) == made.get(name)
    )
    wrong += sorted(dict(there.symbolic.items() ^ manifest.symbolic_refs.items()))
    refs = (
        f"differs: {', '.join(wrong)}"
        if wrong
        else f"each of {len(there.oids)} points where it did"
    )
    return [
        RestoreCheck("git", not problems, "\n".join(problems) or _sound(manifest)),
        RestoreCheck("references", not wrong, refs),
    ]


def _sound(manifest: Manifest) -> str:
    more = "nothing more wrong than there was" if manifest.faults else "nothing wrong"
    return f"git fsck --strict finds {more}; commits: {manifest.commits}"


def _state_checked(stage: Path, manifest: Manifest) -> list[RestoreCheck]:
    found = examine_copy(stage / STATE)
    if found.faults:
        return [RestoreCheck("state", ok=False, detail="; ".join(found.faults))]
    rows = ", ".join(f"{count} {table}" for table, count in found.rows.items())
    if found.rows != manifest.state:
        return [
            RestoreCheck(
                "state",
                ok=False,
                detail=f"the database holds {rows}; the manifest says {manifest.state}",
            )
        ]
    count = sum(found.rows.values())
    detail = f"the database is sound, and has the {count:,} rows that the manifest counts"
    return [RestoreCheck("state", ok=True, detail=detail)]


def _restored(folder: Path, manifest: Manifest) -> Restored:
    return Restored(
        workspace=folder,
        time=manifest.time,
        head=manifest.head,
        refs=len(manifest.refs),
        commits=manifest.commits,
        files=tuple(manifest.files),
        deleted=tuple(manifest.deleted),
        state=manifest.state,
    )
