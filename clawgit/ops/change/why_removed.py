"""Finds an entry by the key of an earlier text, among the lines that history removed."""

from collections.abc import Iterable, Iterator

from clawgit.domain.change.lines import Spot, normal, spot
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit

_MEMORY = ("MEMORY.md", "memory.md", "memory")
_PLAIN = (
    "--no-renames", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative",
    "--no-show-signature",
    "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip


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
        "-c",
        "core.quotePath=false",
        "log",
        "-p",
        "-U0",
        "--format=%x00%H",
        *_PLAIN,
        head,
        "--",
        *_MEMORY,
    )
    for oid, path, text in _removed(history.lines()):
        if spot_of_key(text, key):
            return oid, path
    return None


def _removed(lines: Iterable[bytes]) -> Iterator[tuple[str, str, str]]:
    """Each run of lines that a commit removed from a file, from the output of `git log -p`."""
    # After the head of a hunk, a line that starts with `---` is text and not the name of a file.
    oid, path, taken, heading = "", "", "", True
    for data in lines:
        line = normal(data)
        if not heading and line.startswith("-"):
            taken += line[1:]
            continue
        if taken:
            yield oid, path, taken
            taken = ""
        if line.startswith("\0"):
            oid = line[1:].strip()
        elif line.startswith("diff --git "):
            heading = True
        elif heading and line.startswith("--- a/"):
            path = line[len("--- a/") :].rstrip("\n\t")
        elif line.startswith("@@"):
            heading = False
    if taken:
        yield oid, path, taken
