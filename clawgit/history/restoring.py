"""Reads a backup: verifies it by restoring it aside, or makes a new workspace from it.

What it says of itself in `manifest.json` is not trusted.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from clawgit import __version__
from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import sync
from clawgit.core.errors import ClawgitError, NotFoundError, StorageError, UsageError
from clawgit.git.bundle import check_out, drop_saved, open_bundle, parted, read_refs, take_out
from clawgit.git.cgit import CGit, CGitError
from clawgit.git.place import NO_OBJECT, RepoPlace
from clawgit.git.rebuilding import complaints
from clawgit.git.repo import storage_errors
from clawgit.git.rules.ids import blob_id
from clawgit.workspace.stores.state import bring_state, examine_copy, state_file

MANIFEST = "manifest.json"
STATE = "state.db"


class DamagedBackupError(ClawgitError):
    """The file is no backup, or was changed since it was written."""

    kind = "damaged_backup"


class Manifest(NamedTuple):
    """What the other parts of a backup do not say. `head` is a branch, or `HEAD` when detached."""

    time: str
    head: str
    refs: dict[str, str]
    clawgit: str = __version__


def _read_manifest(file: Path, manifest_file: Path, refs: Mapping[str, str]) -> Manifest:
    try:
        kept = json.loads(manifest_file.read_bytes())
        # Only these: one of another version may say more of itself.
        manifest = Manifest(**{name: kept[name] for name in Manifest._fields})
        texts = (manifest.time, *dict(manifest.refs))
        fits = manifest.head in refs and {*map(type, texts)} == {str}
    except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise damaged(file, f"its {MANIFEST} is not what clawgit writes") from error
    if not fits:
        raise damaged(file, f"its {MANIFEST} names what a backup cannot have")
    return manifest


def damaged(file: Path, why: str) -> DamagedBackupError:
    return DamagedBackupError(
        f"{file} is damaged, or no backup: {why}.",
        hint="Use another backup.",
    )


class RestoreCheck(NamedTuple):
    """One check; `detail` says what was found."""

    name: str
    ok: bool
    detail: str


class Verification(NamedTuple):
    """Whether everything in `file` can be restored. After a failed check, those that depend on it
    are skipped.
    """

    file: Path
    ok: bool
    checks: tuple[RestoreCheck, ...]


class Restored(NamedTuple):
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
        except (DamagedBackupError, CGitError, StorageError) as error:
            name = "restore" if checks else "bundle"
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
        for check in checks:
            if not check.ok:
                raise damaged(file, f"{check.name}: {check.detail}")
        if not dry_run:
            # Everything in it, and only then its name: thousands of files, written by git too.
            os.sync()
            made.workspace.replace(folder)
            sync(folder.parent)
    return made._replace(workspace=folder)


def _rebuilt(
    file: Path, folder: Path, env: Mapping[str, str], checks: list[RestoreCheck]
) -> Restored:
    """Makes the workspace of a backup in a folder, compares it, and adds what was found."""
    root, more = folder / "workspace", folder / "more"
    git = _opened(file, root, env, more)
    manifest = _read_manifest(file, more / MANIFEST, read_refs(git))
    checks.append(_check("bundle", f"git reads all of {file.stat().st_size:,} bytes"))
    files = check_out(git, manifest.head)
    found = examine_copy(more / STATE)
    bring_state(more / STATE, state_file(RepoPlace(root, root / ".git", root / ".git")))
    drop_saved(git)
    rows = f"the database is sound, and has {sum(found.rows.values()):,} rows"
    checks += _repository_checked(git, manifest)
    fine = f"each of {len(files)} that no commit holds is as it was"
    checks.append(_check("files", fine, _differs(_unlike(root, files))))
    checks.append(_check("state", rows, "; ".join(found.faults)))
    there, deleted = parted(files)
    return Restored(
        workspace=root,
        time=manifest.time,
        head=manifest.head,
        commits=int(git.text("rev-list", "--count", "--all", "HEAD")),
        files=there,
        deleted=deleted,
    )


def _opened(file: Path, root: Path, env: Mapping[str, str], more: Path) -> CGit:
    if not file.is_file():
        raise NotFoundError(
            f"There is no file {file}.", hint="Name a file that `clawgit backup FILE` has written."
        )
    try:
        git = open_bundle(file, root, env)
        take_out(git, more)
    except CGitError as error:
        raise damaged(file, error.stderr.strip()) from error
    return git


def _unlike(root: Path, files: Mapping[str, str]) -> Iterable[str]:
    """The files that are not on disk, byte by byte, as they were; repeated as Python writes it."""
    for path, oid in files.items():
        file = root / path
        there = blob_id(file.read_bytes()) if file.is_file() else NO_OBJECT
        if there != oid:
            yield repr(path)


def _repository_checked(git: CGit, manifest: Manifest) -> list[RestoreCheck]:
    """Checks that the restored repository has what was saved."""
    there = read_refs(git)
    wrong = {name for name, _ in there.items() ^ manifest.refs.items()}
    # Not what else `git fsck` may find wrong with a commit: it is as it was.
    missing = complaints(git, "--connectivity-only")
    return [
        _check("git", "every object that a reference leads to is there", missing),
        _check("references", f"each of {len(there)} points where it did", _differs(sorted(wrong))),
    ]


def _differs(wrong: Iterable[str]) -> str:
    names = ", ".join(wrong)
    return names and f"differs: {names}"


def _check(name: str, fine: str, wrong: str = "") -> RestoreCheck:
    return RestoreCheck(name, not wrong, wrong or fine)
