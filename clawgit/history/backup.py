"""One file that holds a workspace: its whole history, its state, and its uncommitted edits.

Not in it: what git ignores, repositories inside the workspace, symlinks that are not committed,
empty folders, what is only staged, and git's own configuration (remotes among it), hooks and
reflogs. An older stash is in it as a commit, under `refs/clawgit/kept`.
"""

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import sync, text_at
from clawgit.core.errors import BusyError, ClawgitError, NotFoundError, UsageError
from clawgit.git.bundle import gathered, parted, read_refs, uncommitted, unsaved, write_bundle
from clawgit.git.place import RepoPlace
from clawgit.git.repo import Head, storage_errors
from clawgit.git.transaction import Change
from clawgit.git.worktree import folders_on_the_way
from clawgit.history.changes import Snapshotted, snapshot
from clawgit.history.restoring import MANIFEST, STATE, Manifest, RestoreCheck, verify
from clawgit.workspace.stores.state import examine_copy, mend_state, repository_log, state_file
from clawgit.workspace.workspace import Workspace

_BUNDLE = "bundle"
_MOST = 20


class UnprovenBackupError(ClawgitError):
    """The file does not restore everything, so it was deleted."""

    kind = "unproven_backup"


class Backup(NamedTuple):
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
def back_up(workspace: Workspace, file: Path, *, force: bool = False) -> Backup:
    """Takes a snapshot, then writes `file`, restores it aside and compares.

    A file that does not restore everything is deleted. What cannot be committed now goes in as it
    is. With `dry_run` nothing is written: neither the snapshot nor the file.
    """
    file = file.absolute()
    _refuse_target(workspace.root, file, force=force)
    taken: Change | Snapshotted = Change()
    notes = []
    try:
        taken = snapshot(workspace)
    except ClawgitError as error:
        notes = [f"No snapshot was taken: {error.message} The files are saved as they are."]
    head = workspace.git.head()
    if head.oid is None:
        raise NotFoundError(
            "There is no commit to back up yet.", hint="Add a file, then run `clawgit snapshot`."
        )
    # Outside of .git: what a crash left of it there, `forget` would not find in git's own form.
    with tempfile.TemporaryDirectory(prefix="clawgit-backup-") as folder:
        made = _gather(workspace, head, Path(folder), taken)
        made = made._replace(file=file, notes=(*notes, *made.notes))
        if workspace.dry_run:
            return made
        checks = _kept(workspace, Path(folder) / _BUNDLE, file)
    # Last: only what was proven is listed.
    note_backup(workspace.place, file)
    return made._replace(bytes=file.stat().st_size, checks=checks)


def _refuse_target(root: Path, file: Path, *, force: bool) -> None:
    if not file.parent.is_dir():
        raise UsageError(f"{file.parent} is not a folder.", hint=f"mkdir -p '{file.parent}'")
    if file.is_dir() or (file.exists() and not force):
        raise ClawgitError(
            f"{file} exists and is not overwritten.",
            hint="Name a file that is not there yet, or add --force for one that is.",
        )
    if file.parent.resolve().is_relative_to(root.resolve()):
        raise UsageError(
            f"{file} is inside the workspace that it is meant to save.",
            hint=f"Name a file elsewhere, such as {root.parent / (root.name + '.backup')}.",
        )


def _gather(workspace: Workspace, head: Head, stage: Path, taken: Change | Snapshotted) -> Backup:
    """Makes the bundle; BusyError if HEAD moves between reading the references and the files."""
    root, git = workspace.root, workspace.cgit
    beside = gathered(git, workspace.place, stage / "beside", workspace.env)
    paths = uncommitted(git)
    if workspace.git.head() != head:
        raise BusyError(
            "HEAD moved; no backup was made.", hint="Try again when the other process is done."
        )
    left_out = {path: why for path in paths if (why := _why_left_out(root, path))}
    notes = _copy_state(workspace, stage / STATE)
    manifest = Manifest(workspace.now.isoformat(), head.ref, read_refs(beside))
    (stage / MANIFEST).write_text(json.dumps(manifest._asdict(), indent=1) + "\n", "ascii")
    commits = int(beside.text("rev-list", "--count", "--all", "HEAD"))
    kept = (path for path in paths if path not in left_out)
    write_bundle(git, beside, kept, (stage / MANIFEST, stage / STATE), stage / _BUNDLE)
    more = {path: oid for path, oid in unsaved(beside).items() if path not in taken.changed}
    files, deleted = parted(more)
    return Backup(
        file=stage,
        commit=taken.commit,
        id=taken.id,
        changed=taken.changed,
        commits=commits,
        files=files,
        deleted=deleted,
        left_out=left_out,
        bytes=0,
        notes=tuple(notes),
    )


def _why_left_out(root: Path, path: str) -> str:
    if path.endswith("/"):
        return "a repository of its own"
    on_the_way = (*folders_on_the_way(root, path), f"{root}/{path}")
    return "a symlink" if any(map(os.path.islink, on_the_way)) else ""


def _copy_state(workspace: Workspace, target: Path) -> list[str]:
    """Copies the state, and says what was wrong. Damage is repaired first, so that the copy can be
    restored.
    """
    caller, place = workspace.caller, workspace.place
    with workspace.state() as state:
        state.copy_to(target)
        notes = [*state.notes]
    if examine_copy(target).faults:
        log = repository_log(place, caller)
        notes += mend_state(state_file(place), log, caller.now)
        with workspace.state() as state:
            state.copy_to(target)
    return notes


def _kept(workspace: Workspace, bundle: Path, file: Path) -> tuple[RestoreCheck, ...]:
    """Puts the bundle in its place, whole and verified or not at all."""
    temp = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with temp.open("xb") as out, bundle.open("rb") as made:
            # Before a byte is in it: it will hold the whole memory.
            temp.chmod(0o600)
            shutil.copyfileobj(made, out)
            out.flush()
            os.fsync(out.fileno())
        # Proven before it has its name: what is called a backup is one, whenever we are cut off.
        checks = verify(temp, workspace.env).checks
        if bad := [check for check in checks if not check.ok]:
            raise UnprovenBackupError(
                f"The backup does not restore everything, and was deleted: {bad[0].name}: "
                f"{bad[0].detail}",
                hint="Run `clawgit doctor`, which checks the repository and its state; then try "
                "again.",
            )
        temp.replace(file)
    finally:
        temp.unlink(missing_ok=True)
    sync(file.parent)
    return checks


def note_backup(place: RepoPlace, file: Path) -> None:
    """Records a backup that was just verified, the newest last. If the disk is full, it is not
    recorded.
    """
    rows = [*(row for row in noted_backups(place) if row != file), file][-_MOST:]
    text = "".join(json.dumps({"file": str(row)}) + "\n" for row in rows)
    with suppress(OSError):
        _list_file(place).write_text(text, "ascii")


def noted_backups(place: RepoPlace) -> list[Path]:
    """The backups that are still where they were written, without lines that cannot be read."""
    rows: list[Path] = []
    for line in text_at(_list_file(place)).splitlines():
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            rows.append(Path(json.loads(line)["file"]))
    return [row for row in rows if row.is_file()]


def _list_file(place: RepoPlace) -> Path:
    return place.shared / "backups"
