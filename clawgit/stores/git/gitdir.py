"""Where a repository lies on disk, found by reading a few small files and without libgit2."""

from pathlib import Path
from typing import NamedTuple

from clawgit.errors import NotAWorkspaceError, UnsupportedRepoError


class RepoPlace(NamedTuple):
    """A work tree, its git directory, and the directory that all worktrees of the repository share."""

    root: Path
    git_dir: Path
    common_dir: Path

    @property
    def worktree(self) -> str:
        """A name for this worktree that fits into a ref and belongs to no other one."""
        return "main" if self.git_dir == self.common_dir else f"worktrees/{self.git_dir.name}"

    @property
    def private(self) -> Path:
        """Transient state of this worktree: lock, held files, private index."""
        return self.git_dir / "clawgit"

    @property
    def shared(self) -> Path:
        """State that all worktrees share: state.db, index.db."""
        return self.common_dir / "clawgit"


def find_repo(start: Path) -> RepoPlace:
    """The repository whose work tree holds `start`."""
    start = start.absolute()
    for folder in (start, *start.parents):
        if place := repo_at(folder):
            return place
        if looks_bare(folder):
            raise UnsupportedRepoError(
                f"{folder} is a git directory without a work tree.",
                hint="Run clawgit in a checkout: `git clone` it, or `git worktree add`.",
            )
    raise NotAWorkspaceError(f"{start} is not inside a git repository.", hint=f"Start one with `clawgit init {start}`.")


def repo_at(root: Path) -> RepoPlace | None:
    """The repository whose work tree has its top at `root`, None where there is none."""
    dot_git = root / ".git"
    if dot_git.is_file():
        text = dot_git.read_text("utf-8", "replace").strip()
        if not text.startswith("gitdir:"):
            raise UnsupportedRepoError(f"{dot_git} is neither a git directory nor a link to one.", hint="Look at it.")
        git_dir = (root / text.removeprefix("gitdir:").strip()).resolve()
    else:
        git_dir = dot_git
    if not (git_dir / "HEAD").is_file():
        return None
    common_file = git_dir / "commondir"
    common = (git_dir / common_file.read_text("utf-8").strip()).resolve() if common_file.is_file() else git_dir
    return RepoPlace(root, git_dir, common)


def looks_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
