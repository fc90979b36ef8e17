"""Which commit a worktree is at, from two small files: all that an answer needs to say where it
stands.
"""

from clawgit.stores.git.place import RepoPlace


def head_of(place: RepoPlace) -> str:
    """The full id of HEAD's commit, "" before the first one."""
    try:
        head = (place.git_dir / "HEAD").read_text("utf-8", "replace").strip()
        if not head.startswith("ref:"):
            return head
        name = head.removeprefix("ref:").strip()
        return _loose(place, name) or _packed(place, name)
    except OSError:
        return ""


def _loose(place: RepoPlace, name: str) -> str:
    try:
        return (place.common_dir / name).read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _packed(place: RepoPlace, name: str) -> str:
    for line in (place.common_dir / "packed-refs").read_text("utf-8", "replace").splitlines():
        oid, _, found = line.partition(" ")
        if found == name:
            return oid
    return ""
