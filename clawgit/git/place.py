"""Where a repository lies on disk, whoever owns it: a few small files, without libgit2 or C git."""

import os
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import text_at
from clawgit.core.errors import ForeignOwnerError, UnsupportedRepoError

_LONGEST = 64 * 1024
_HASH = 40
_HEX = frozenset("0123456789abcdef")

MAIN = "main"
"""The name of the first worktree."""

NO_OBJECT = "0" * _HASH
"""What git writes for an object that is not there."""

OURS = "refs/clawgit/"
"""The prefix of the refs that only clawgit writes."""

FORGOTTEN_REF = f"{OURS}forgotten"


class RepoPlace(NamedTuple):
    """A work tree, its git directory, and the directory that all worktrees of the repository
    share.
    """

    root: Path
    git_dir: Path
    common_dir: Path

    @property
    def worktree(self) -> str:
        """A name for this worktree that fits into a ref and belongs to no other one."""
        return MAIN if self.git_dir == self.common_dir else f"worktrees/{self.git_dir.name}"

    @property
    def private(self) -> Path:
        """Transient state of this worktree: lock, held files, private index."""
        return self.git_dir / "clawgit"

    @property
    def shared(self) -> Path:
        """State that all worktrees share: state.db."""
        return self.common_dir / "clawgit"

    @property
    def is_shallow(self) -> bool:
        """Whether the beginning of the history is missing."""
        return (self.common_dir / "shallow").exists()


def locate(root: Path) -> RepoPlace | None:
    """The repository at `root`, whoever owns it: to find it, never to trust its contents."""
    try:
        return _located(root)
    except PermissionError as error:
        raise UnsupportedRepoError(
            f"{error.filename} cannot be read: {error.strerror}.",
            hint=f"Check the owner and the permissions: chmod u+rwX '{root / '.git'}'",
        ) from error


def ref_of(place: RepoPlace, name: str) -> str:
    """The commit of a ref, "" if it does not exist; OSError if nothing can be read."""
    oid = text_at(place.common_dir / name, _LONGEST).strip()
    return oid if is_commit_id(oid) else packed(place).get(name, "")


def record_of(place: RepoPlace) -> str:
    """The commit of the record of what was forgotten, "" where nothing ever was."""
    try:
        return ref_of(place, FORGOTTEN_REF)
    except OSError:
        return ""


def refs_below(place: RepoPlace, prefix: str) -> list[str]:
    """The names of our own references that begin with `prefix`, loose or packed."""
    loose = (
        file.relative_to(place.common_dir).as_posix()
        for file in (place.common_dir / f"{prefix}_").parent.rglob("*")
        if file.is_file()
    )
    names = {name for name in (*loose, *packed(place)) if name.startswith(prefix)}
    return sorted(name for name in names if not name.endswith(".lock"))


def head_of(place: RepoPlace) -> str:
    """The full id of HEAD's commit, "" before the first one."""
    try:
        head = (place.git_dir / "HEAD").read_bytes().decode("utf-8", "replace").strip()
        return ref_of(place, head[4:].strip()) if head.startswith("ref:") else head
    except OSError:
        return ""


def is_commit_id(text: str) -> bool:
    """Whether it is a full hash. Anything else in a file of `.git` is not given to git: it could
    be an option.
    """
    return len(text) == _HASH and not set(text) - _HEX


def packed(place: RepoPlace) -> dict[str, str]:
    """The packed references, and their commits."""
    try:
        packed = (place.common_dir / "packed-refs").read_text("utf-8", "replace")
    except FileNotFoundError:
        return {}
    return {name: oid for oid, _, name in (line.partition(" ") for line in packed.splitlines())}


def _located(root: Path) -> RepoPlace | None:
    dot_git = root / ".git"
    if dot_git.is_file():
        text = _path_in(dot_git)
        if not text.startswith("gitdir:"):
            raise _no_path(dot_git)
        git_dir = (root / text.removeprefix("gitdir:").strip()).resolve()
    else:
        git_dir = dot_git
    if not (git_dir / "HEAD").is_file():
        if looks_bare(git_dir, "refs/heads"):
            # Git would go on to a repository further up.
            raise UnsupportedRepoError(
                f"{git_dir / 'HEAD'} is missing, so git does not know this repository.",
                hint=f"Name its branch again: echo 'ref: refs/heads/BRANCH' > '{git_dir / 'HEAD'}'",
            )
        return None
    common_file = git_dir / "commondir"
    common = (git_dir / _path_in(common_file)).resolve() if common_file.is_file() else git_dir
    place = RepoPlace(root, git_dir, common)
    # `git init` makes the folder of objects last. Where a kill or a power cut has ended it before,
    # there is no repository yet, and it can be run again.
    is_whole = (common / "objects").is_dir() or bool(refs_below(place, "refs/"))
    return place if is_whole else None


def _path_in(file: Path) -> str:
    """The path in one of git's files.

    Read up to the longest possible path: the file may be endless.
    """
    with file.open("rb") as opened:
        data = opened.read(_LONGEST)
    if b"\0" in data:
        raise _no_path(file)
    return os.fsdecode(data).strip()


def _no_path(file: Path) -> UnsupportedRepoError:
    return UnsupportedRepoError(
        f"{file} is neither a git directory nor a link to one.", hint="Look at it."
    )


def looks_bare(folder: Path, *names: str) -> bool:
    """Whether a folder has what a git directory has; these names, or else HEAD and references."""
    return all((folder / name).exists() for name in ("objects", *(names or ("HEAD", "refs"))))


def foreign_owner(root: Path) -> ForeignOwnerError:
    """The error, in git's own words, since users search for these."""
    return ForeignOwnerError(
        f"Detected dubious ownership in repository at '{root}': it belongs to another user.",
        hint=f"If you trust whoever prepared it: git config --global --add safe.directory '{root}'",
    )
