"""The file format of a backup: a plain tar of a folder, sealed by a checksum over every byte.

The seal is the last member. It has the sha256 of everything before it, and its own bytes follow
from that; so a change of any byte is found, in padding and headers too, and `tar -xf` still opens
the file.
"""

import hashlib
import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from clawgit.errors import ClawgitError
from clawgit.stores.plainfile import sync

_SEAL = "seal.sha256"


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
            temp.chmod(0o600)
            _write_members(folder, out)
            out.flush()
            with temp.open("rb") as written:
                out.write(_seal(hashlib.file_digest(written, "sha256").hexdigest()))
            out.flush()
            os.fsync(out.fileno())
        prove(temp)
        temp.replace(file)
    finally:
        temp.unlink(missing_ok=True)
    sync(file.parent)


def unpack(file: Path, folder: Path) -> None:
    """Checks the seal, then extracts into `folder`.

    DamagedArchiveError comes before anything is written.
    """
    check_seal(file)
    try:
        with tarfile.open(file, "r:", encoding="utf-8", errors="surrogateescape") as tar:
            for member in tar:
                if member.name != _SEAL:
                    _extract(tar, member, folder, file)
    except (tarfile.TarError, ValueError, OverflowError, EOFError) as error:
        # The seal is right, so somebody made it this way; for an odd header tarfile may raise
        # anything.
        raise damaged(file, f"is not an archive that clawgit wrote: {error}") from error
    except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
        raise damaged(file, "holds a name that is a file and a folder") from error


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
    if os.path.lexists(target):
        raise damaged(file, f"holds {member.name!r} twice, or two names that are one here")
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as out:
        shutil.copyfileobj(content, out)


def check_seal(file: Path) -> None:
    """Raises `DamagedArchiveError` if any byte has changed since the file was written."""
    tail = len(_seal(""))
    with file.open("rb") as data:
        left = data.seek(0, os.SEEK_END) - tail
        if left < 0:
            raise damaged(file, "is too short to be a backup")
        data.seek(0)
        digest = hashlib.sha256()
        while left and (block := data.read(min(left, 1 << 20))):
            digest.update(block)
            left -= len(block)
        seal = data.read()
    if seal == _seal(digest.hexdigest()):
        return
    is_ours = _SEAL.encode() in seal
    raise damaged(
        file,
        "is damaged: its bytes do not match its seal"
        if is_ours
        else "is not a backup, or its end is missing",
    )


def sha256_of(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _write_members(folder: Path, out: BinaryIO) -> None:
    for source in sorted(path for path in folder.rglob("*") if path.is_file()):
        with source.open("rb") as data:
            member = tarfile.TarInfo(source.relative_to(folder).as_posix())
            status = os.fstat(data.fileno())
            member.size, member.mode, member.mtime = (
                status.st_size,
                status.st_mode & 0o777,
                int(status.st_mtime),
            )
            out.write(member.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"))
            shutil.copyfileobj(data, out)
            out.write(_padding(member.size))


def _seal(digest: str) -> bytes:
    """The seal's member and the end of the archive."""
    content = digest.ljust(64).encode()
    member = tarfile.TarInfo(_SEAL)
    member.size = len(content)
    return member.tobuf() + content + _padding(len(content)) + bytes(2 * tarfile.BLOCKSIZE)


def _padding(size: int) -> bytes:
    return bytes(-size % tarfile.BLOCKSIZE)


def damaged(file: Path, damage: str) -> DamagedArchiveError:
    """The error for a damaged file, with a next step: much of it may be intact."""
    return DamagedArchiveError(
        f"{file} {damage}.",
        hint=f"Use another backup. To extract what is intact in this one: tar -xf '{file}'",
    )
