"""Finds an entry by the key of an earlier text, among the lines that history removed."""

from clawgit.domain.change.lines import Spot, normal, spot
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history.pickaxe import PLAIN, hunks

_MEMORY = ("MEMORY.md", "memory.md", "memory")


def spot_of_key(text: str, key: str) -> Spot | None:
    """The line of the entry whose text has this key, whether or not it has an id."""
    at = next((entry.line - 1 for entry in entries(text) if content_key(entry.text) == key), None)
    return None if at is None else spot(text, at)


def spot_in(git: CGit, rev: str, key: str) -> tuple[str, Spot] | None:
    """The file and the line of an entry in a commit."""
    listed = git.text("ls-tree", "-r", "-z", "--name-only", rev, "--", *_MEMORY).split("\0")
    paths = [path for path in listed if holds_entries(path) and "\n" not in path]
    for path, found in zip(paths, Batch(git).read(f"{rev}:{path}" for path in paths), strict=True):
        if found and (here := spot_of_key(normal(found.data), key)):
            return path, here
    return None


def removal_of(git: CGit, head: str, key: str) -> tuple[str, str] | None:
    """The newest commit that removed an entry, and the file. Slow: it reads history back to it."""
    history = git.start(
        *("-c", "core.quotePath=false", "log", "-p", "-U0", "--format=%x00%H"),
        *PLAIN,
        *(head, "--", *_MEMORY),
    )
    for hunk in hunks(history.lines()):
        if spot_of_key("".join(f"{line}\n" for line in hunk.removed), key):
            return hunk.oid, hunk.path
    return None
