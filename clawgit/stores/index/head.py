"""Reads the commit of a worktree from two small files, without libgit2 or C git."""

from clawgit.stores.git.place import RepoPlace, ref_of


def head_of(place: RepoPlace) -> str:
    """The full id of HEAD's commit, "" before the first one."""
    try:
        head = (place.git_dir / "HEAD").read_text("utf-8", "replace").strip()
        if not head.startswith("ref:"):
            return head
        name = head.removeprefix("ref:").strip()
        return ref_of(place, name)
    except OSError:
        return ""
