"""One file that holds a workspace: its whole history, its state, and what no commit holds yet.

Not in it: what git ignores, repositories inside the workspace, symlinks that are not committed, empty folders, and
git's own configuration (remotes among it), hooks and reflogs.
"""

import json
import shutil
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

from clawgit import __version__
from clawgit.errors import BusyError, ClawgitError, NotFoundError, UsageError
from clawgit.ops.changes import Snapshotted, snapshot
from clawgit.ops.workspace import Workspace
from clawgit.stores.archive import pack, sha256_of
from clawgit.stores.git.bundle import is_ignored, uncommitted, write_bundle
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.repo import storage_errors
from clawgit.stores.state import examine_copy, repository_state

FORMAT = 1
_ATTEMPTS = 5
MANIFEST, BUNDLE, STATE, FILES = "manifest.json", "repository.bundle", "state.db", "files"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself, in `manifest.json`. `head` is a branch, or `HEAD` when detached."""

    workspace: str
    time: str
    head: str
    head_oid: str
    commits: int
    refs: dict[str, str]
    symbolic_refs: dict[str, str]
    files: list[str]
    deleted: list[str]
    left_out: dict[str, str]
    state: dict[str, int]
    members: dict[str, str] = field(default_factory=dict)
    clawgit: str = __version__
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Backup:
    """What went into `file`. `commit`, `id` and `changed` tell of the snapshot that was taken first.

    `files` and `deleted` are changes that are in no commit, `left_out` is not in the backup (path → why), and `state`
    counts the rows of each table.
    """

    file: Path
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    time: str
    head: str
    refs: int
    commits: int
    files: tuple[str, ...]
    deleted: tuple[str, ...]
    left_out: dict[str, str]
    state: dict[str, int]
    bytes: int
    notes: tuple[str, ...]


@storage_errors()
def back_up(workspace: Workspace, file: Path, *, force: bool = False, dry_run: bool = False) -> Backup:
    """Takes a snapshot, then writes `file`, whole or not at all. What cannot be committed now goes in as it is.

    With `dry_run` nothing is written: neither the snapshot nor the file.
    """
    git = CGit(workspace.root, workspace.caller.env)
    file = file.absolute()
    _refuse_target(git, workspace.root, file, force=force)
    taken, notes = _snapshot(workspace, dry_run=dry_run)
    if workspace.git.head().oid is None:
        raise NotFoundError("There is no commit to back up yet.", hint="Add a file, then run `clawgit snapshot`.")
    workspace.place.private.mkdir(parents=True, exist_ok=True)
    for _ in range(_ATTEMPTS):
        # Inside .git, where no watcher or snapshot takes the staged files for the workspace's own.
        with tempfile.TemporaryDirectory(prefix="backup-", dir=workspace.place.private) as folder:
            stage = Path(folder)
            manifest, said = _gather(workspace, git, stage)
            if manifest is None:
                continue
            _seal_manifest(stage, manifest)
            if not dry_run:
                pack(stage, file)
        return _told(file, manifest, taken, [*notes, *said], dry_run=dry_run)
    raise BusyError("HEAD keeps moving; no backup was made.", hint="Try again when the other process is done.")


def _refuse_target(git: CGit, root: Path, file: Path, *, force: bool) -> None:
    if not file.parent.is_dir():
        raise UsageError(f"{file.parent} is no folder.", hint=f"mkdir -p '{file.parent}'")
    if file.is_dir():
        raise UsageError(f"{file} is a folder.", hint=f"Name a file: {file / 'agent.backup'}")
    if file.exists() and not force:
        raise ClawgitError(f"{file} exists and is not overwritten.", hint="Name another file, or add --force.")
    place = file.parent.resolve() / file.name
    if not place.is_relative_to(root.resolve()):
        return
    within = place.relative_to(root.resolve())
    if within.parts[0] == ".git" or not is_ignored(git, within):
        raise UsageError(
            f"{file} lies inside the workspace that it shall save.",
            hint=f"Name a file elsewhere, such as {root.parent / (root.name + '.backup')}, or let git ignore this one.",
        )


def _snapshot(workspace: Workspace, *, dry_run: bool) -> tuple[Snapshotted | None, list[str]]:
    """A snapshot as every writing command takes it; where none can be taken, the backup is the more welcome."""
    try:
        return snapshot(workspace, dry_run=dry_run), []
    except ClawgitError as error:
        return None, [f"No snapshot was taken: {error.message} The files are saved as they are."]


def _gather(workspace: Workspace, git: CGit, stage: Path) -> tuple[Manifest | None, list[str]]:
    """Stages all members. No manifest where HEAD moved between the look at the files and the bundle."""
    head = workspace.git.head()
    files, deleted, left_out = _stage_files(workspace.root, uncommitted(git), stage / FILES)
    bundled = write_bundle(git, workspace.place, stage / BUNDLE)
    if bundled.head != head.oid:
        return None, []
    caller = workspace.caller
    with repository_state(workspace.place, caller.env, caller.home, caller.now) as state:
        state.copy_to(stage / STATE)
    examined = examine_copy(stage / STATE)
    manifest = Manifest(
        workspace=workspace.root.name,
        time=workspace.now.isoformat(),
        head=head.ref,
        head_oid=str(head.oid),
        commits=bundled.commits,
        refs=dict(bundled.refs.oids),
        symbolic_refs=dict(bundled.refs.symbolic),
        files=files,
        deleted=deleted,
        left_out=left_out,
        state=examined.rows,
    )
    notes = [*state.notes, *(f"{name} is not in git's bundle." for name in bundled.missing)]
    if examined.faults:
        notes.append("state.db is damaged, and saved as it is. Run `clawgit doctor --fix`.")
    return manifest, notes


def _stage_files(root: Path, paths: list[str], target: Path) -> tuple[list[str], list[str], dict[str, str]]:
    files, deleted, left_out = [], [], {}
    for path in paths:
        source = root / path
        if path.endswith("/"):
            left_out[path] = "a repository of its own"
        elif source.is_symlink():
            left_out[path] = "a symlink"
        elif not source.is_file():
            deleted.append(path)
        else:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / path)
            files.append(path)
    return files, deleted, left_out


def _seal_manifest(stage: Path, manifest: Manifest) -> None:
    manifest.members.update(checksums(stage))
    (stage / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1) + "\n", "utf-8")


def checksums(stage: Path) -> dict[str, str]:
    """Of every staged member but the manifest, which holds them."""
    found = (path for path in sorted(stage.rglob("*")) if path.is_file() and path != stage / MANIFEST)
    return {path.relative_to(stage).as_posix(): sha256_of(path) for path in found}


def _told(file: Path, manifest: Manifest, taken: Snapshotted | None, notes: list[str], *, dry_run: bool) -> Backup:
    changed = taken.changed if taken else ()
    return Backup(
        file=file,
        commit=taken.commit if taken else None,
        id=taken.id if taken else None,
        changed=changed,
        time=manifest.time,
        head=manifest.head,
        refs=len(manifest.refs),
        commits=manifest.commits,
        files=tuple(path for path in manifest.files if path not in changed),
        deleted=tuple(path for path in manifest.deleted if path not in changed),
        left_out=manifest.left_out,
        state=manifest.state,
        bytes=0 if dry_run else file.stat().st_size,
        notes=tuple(notes),
    )
