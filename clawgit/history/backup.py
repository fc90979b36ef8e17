"""One file that holds a workspace: its whole history, its state, and its uncommitted edits.

Not in it: what git ignores, repositories inside the workspace, symlinks that are not committed,
empty folders, and git's own configuration (remotes among it), hooks and reflogs.
"""

import json
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from clawgit.core.errors import BusyError, ClawgitError, NotFoundError, UsageError
from clawgit.git.bundle import is_ignored, uncommitted, write_bundle
from clawgit.git.cgit import CGit
from clawgit.git.rebuilding import complaints
from clawgit.git.repo import Head, storage_errors
from clawgit.history.archive import note_backup, pack
from clawgit.history.changes import Snapshotted, snapshot
from clawgit.history.restoring import (
    BUNDLE,
    FILES,
    MANIFEST,
    STATE,
    Manifest,
    RestoreCheck,
    verify,
)
from clawgit.workspace.state import state_of
from clawgit.workspace.stores.state import examine_copy, mend_state, state_file
from clawgit.workspace.stores.state_log import repository_log
from clawgit.workspace.workspace import Workspace


class UnprovenBackupError(ClawgitError):
    """The file does not restore everything, so it was deleted."""

    kind = "unproven_backup"


@dataclass(frozen=True, slots=True)
class Backup:
    """What went into `file`.

    `commit`, `id` and `changed` are those of the snapshot that was taken first. `files` and
    `deleted` are uncommitted changes, `left_out` is not in the backup (path → why). `checks` are
    those of `backup verify`, all passed before the file got its name.
    """

    file: Path
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    commits: int
    files: tuple[str, ...]
    deleted: tuple[str, ...]
    left_out: dict[str, str]
    bytes: int
    notes: tuple[str, ...]
    checks: tuple[RestoreCheck, ...] = ()


@storage_errors()
def back_up(
    workspace: Workspace, file: Path, *, force: bool = False, dry_run: bool = False
) -> Backup:
    """Takes a snapshot, then writes `file`, restores it aside and compares.

    A file that does not restore everything is deleted. What cannot be committed now goes in as it
    is. With `dry_run` nothing is written: neither the snapshot nor the file.
    """
    git = workspace.cgit
    file = file.absolute()
    _refuse_target(git, workspace.root, file, force=force)
    taken, notes = None, []
    try:
        taken = snapshot(workspace, dry_run=dry_run)
    except ClawgitError as error:
        notes = [f"No snapshot was taken: {error.message} The files are saved as they are."]
    head = workspace.git.head()
    if head.oid is None:
        raise NotFoundError(
            "There is no commit to back up yet.", hint="Add a file, then run `clawgit snapshot`."
        )
    workspace.place.private.mkdir(parents=True, exist_ok=True)
    # Inside .git, where no watcher or snapshot takes the staged files for the workspace's own.
    with tempfile.TemporaryDirectory(prefix="backup-", dir=workspace.place.private) as folder:
        made = _gather(workspace, git, head, Path(folder), taken)
        made = replace(made, file=file, notes=(*notes, *made.notes))
        if dry_run:
            return made
        checks = _packed(workspace, Path(folder), file)
    # Last: only what was proven is listed.
    note_backup(workspace.place, file)
    return replace(made, bytes=file.stat().st_size, checks=checks)


def _refuse_target(git: CGit, root: Path, file: Path, *, force: bool) -> None:
    if not file.parent.is_dir():
        raise UsageError(f"{file.parent} is not a folder.", hint=f"mkdir -p '{file.parent}'")
    if file.is_dir() or (file.exists() and not force):
        raise ClawgitError(
            f"{file} exists and is not overwritten.",
            hint="Name a file that is not there yet, or add --force for one that is.",
        )
    place = file.parent.resolve() / file.name
    if not place.is_relative_to(root.resolve()):
        return
    within = place.relative_to(root.resolve())
    if within.parts[0] == ".git" or not is_ignored(git, within):
        raise UsageError(
            f"{file} is inside the workspace that it is meant to save.",
            hint=f"Name a file elsewhere, such as {root.parent / (root.name + '.backup')}, or let "
            "git ignore this one.",
        )


def _gather(
    workspace: Workspace, git: CGit, head: Head, stage: Path, taken: Snapshotted | None
) -> Backup:
    """Stages all members; BusyError if HEAD moves between reading the files and the bundle."""
    files, deleted, left_out = _stage_files(workspace.root, uncommitted(git), stage / FILES)
    bundled = write_bundle(git, workspace.place, stage / BUNDLE)
    if bundled.head != head.oid:
        raise BusyError(
            "HEAD moved; no backup was made.", hint="Try again when the other process is done."
        )
    notes = _copy_state(workspace, stage / STATE)
    # They do not fail the backup, but what is worse in the restored copy does.
    faults = complaints(git, "--strict").splitlines()
    manifest = Manifest(workspace.now.isoformat(), head.ref, str(head.oid), deleted, faults)
    (stage / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1) + "\n", "ascii")
    notes += [f"{name} is not in git's bundle." for name in bundled.missing]
    notes += [f"The history itself is damaged, and was saved as it is: {fault}" for fault in faults]
    changed = taken.changed if taken else ()
    return Backup(
        file=stage,
        commit=taken.commit if taken else None,
        id=taken.id if taken else None,
        changed=changed,
        commits=bundled.commits,
        files=tuple(path for path in files if path not in changed),
        deleted=tuple(path for path in deleted if path not in changed),
        left_out=left_out,
        bytes=0,
        notes=tuple(notes),
    )


def _copy_state(workspace: Workspace, target: Path) -> list[str]:
    """Copies the state, and says what was wrong. Damage is repaired first, so that the copy can be
    restored.
    """
    caller, place = workspace.caller, workspace.place
    with state_of(workspace) as state:
        state.copy_to(target)
        notes = [*state.notes]
    if examine_copy(target).faults:
        log = repository_log(place, caller.env, caller.home)
        notes += mend_state(state_file(place), log, caller.now)
        with state_of(workspace) as state:
            state.copy_to(target)
    return notes


def _packed(workspace: Workspace, stage: Path, file: Path) -> tuple[RestoreCheck, ...]:
    """Writes the file and verifies it."""
    checks: list[RestoreCheck] = []

    def prove(written: Path) -> None:
        checks[:] = verify(written, workspace.caller.env).checks
        if bad := [check for check in checks if not check.ok]:
            raise UnprovenBackupError(
                f"The backup does not restore everything, and was deleted: {bad[0].name}: "
                f"{bad[0].detail}",
                hint="Run `clawgit doctor`, which checks the repository and its state; then try "
                "again.",
            )

    pack(stage, file, prove)
    return tuple(checks)


def _stage_files(
    root: Path, paths: list[str], target: Path
) -> tuple[list[str], list[str], dict[str, str]]:
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
