"""The file format of a backup: a plain tar of a folder, and the sha256 of all its bytes after its
end. So a change of any byte is found, in headers too, and `tar -xf` opens the file. And the list of
a workspace's backups: one JSON line each, the newest last.
"""

import hashlib
import json
import os
import shutil
import tarfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from clawgit.core.disk.plainfile import sync
from clawgit.core.errors import ClawgitError
from clawgit.git.place import RepoPlace

_SEAL = hashlib.sha256().digest_size * 2


class DamagedArchiveError(ClawgitError):
    """The seal of the file is wrong, so no byte can be trusted, though much may be intact."""

    kind = "damaged_backup"


def pack(folder: Path, file: Path, prove: Callable[[Path], None] = lambda _: None) -> None:
    """Writes all files below `folder` to a new `file`, which appears whole or not at all.

    `prove` is called with the file before it gets its name, and raises if the file is bad.
    """
    temp = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with temp.open("xb") as out:
            # Before a byte is in it: it will hold the whole memory.
            temp.chmod(0o600)
            with tarfile.open(fileobj=out, mode="w:", encoding="utf-8") as tar:
                for source in sorted(path for path in folder.rglob("*") if path.is_file()):
                    tar.add(source, source.relative_to(folder).as_posix(), filter=_nobodys)
            out.flush()
            out.write(sha256_of(temp).encode())
            out.flush()
            os.fsync(out.fileno())
        # Proven before it has its name: what is called a backup is one, whenever we are cut off.
        prove(temp)
        temp.replace(file)
    finally:
        temp.unlink(missing_ok=True)
    sync(file.parent)


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The member without the name of the user, which is nobody's business."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def unpack(file: Path, folder: Path) -> None:
    """Checks the seal, then extracts into `folder`.

    DamagedArchiveError comes before anything is written.
    """
    _check_seal(file)
    try:
        with tarfile.open(file, "r:", encoding="utf-8", errors="surrogateescape") as tar:
            for member in tar:
                _extract(tar, member, folder, file)
    except (tarfile.TarError, ValueError, OverflowError, EOFError) as error:
        # The seal is right, so somebody made it this way; for an odd header tarfile may raise
        # anything.
        raise damaged(file, f"is not an archive that clawgit wrote: {error}") from error
    except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
        raise damaged(file, "holds a name twice, or as a file and a folder") from error


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, file: Path) -> None:
    """Writes one plain file.

    `tarfile`'s own guard against paths that lead elsewhere exists only since Python 3.11.4. Sparse
    files are refused: we write none, and one could be much larger than the archive.
    """
    is_plain = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not member.issparse()
    content = tar.extractfile(member) if is_plain else None
    parts = PurePosixPath(member.name).parts
    if content is None or not parts or ".." in parts or member.name.startswith("/"):
        raise damaged(file, f"holds a member that no backup has: {member.name!r}")
    target = folder.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as out:
        shutil.copyfileobj(content, out)


def _check_seal(file: Path) -> None:
    digest = hashlib.sha256()
    with file.open("rb") as data:
        left = data.seek(0, os.SEEK_END) - _SEAL
        if left < 0:
            raise damaged(file, "is too short to be a backup")
        data.seek(0)
        while left and (block := data.read(min(left, 1 << 20))):
            digest.update(block)
            left -= len(block)
        if data.read() != digest.hexdigest().encode():
            raise damaged(file, "is damaged, or no backup: its bytes do not match its seal")


def sha256_of(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def damaged(file: Path, damage: str) -> DamagedArchiveError:
    """The error for a damaged file, with a next step: much of it may be intact."""
    return DamagedArchiveError(
        f"{file} {damage}.",
        hint=f"Use another backup. To extract what is intact in this one: tar -xf '{file}'",
    )


_MOST = 20


def note_backup(place: RepoPlace, file: Path) -> None:
    """Records a backup that was just verified. If the disk is full, it is not recorded."""
    rows = [*(row for row in noted_backups(place) if row != file), file][-_MOST:]
    text = "".join(json.dumps({"file": str(row)}) + "\n" for row in rows)
    with suppress(OSError):
        _list_file(place).write_text(text, "ascii")


def noted_backups(place: RepoPlace) -> list[Path]:
    """The backups that are still where they were written, without lines that cannot be read."""
    rows: list[Path] = []
    with suppress(OSError):
        for line in _list_file(place).read_text("utf-8", "replace").splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                rows.append(Path(json.loads(line)["file"]))
    return [row for row in rows if row.is_file()]


def _list_file(place: RepoPlace) -> Path:
    return place.shared / "backups"
