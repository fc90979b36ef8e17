"""What is read from git's index, and written there, is what C git says."""

import os
import struct
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.core.errors import UnsupportedRepoError
from clawgit.git.gitindex import (
    Blob,
    IndexFileEntry,
    entries_of,
    index_entries,
    why_damaged,
    with_blobs,
)
from tests.conftest import Git

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0/\n\r"), min_size=1, max_size=9)
PATHS = st.lists(NAMES.filter(lambda name: name not in (".", "..")), min_size=1, max_size=3).map(
    "/".join
)
PATHS = PATHS.filter(lambda path: ".git" not in path.lower())


def as_git_says(git: Git) -> dict[bytes, tuple[str, int, bool]]:
    found = {}
    for line in filter(None, git("ls-files", "-s", "-t", "-z").split("\0")):
        head, _, path = line.partition("\t")
        tag, mode, oid, _ = head.split()
        found[os.fsencode(path)] = (oid, int(mode, 8), tag == "S")
    return found


def index_of(git: Git) -> bytes:
    return (git.root / ".git/index").read_bytes()


def entries_found(git: Git) -> dict[bytes, tuple[str, int, bool]]:
    """The entries as clawgit reads them, without those in conflict."""
    found = index_entries(git.root / ".git/index")
    return {one.path: (one.oid, one.mode, one.skip) for one in found if not one.stage}


def read_alone(index: bytes) -> list[IndexFileEntry] | None:
    """The entries without C git; None if only C git can read them."""
    try:
        return [*entries_of(index)]
    except (ValueError, struct.error):
        return None


@pytest.fixture
def many(ws: Git) -> Git:
    """Paths that are the ends and the beginnings of each other, and one that is executable."""
    for path in (
        "a",
        "a.md",
        "b/a",
        "b/a.md",
        "b/b/a",
        "ab",
        "x/MEMORY.md",
        "MEMORY.md.old",
        "memory/MEMORY.md",
    ):
        ws.write(path, path)
    (ws.root / "ab").chmod(0o755)
    ws("add", "-A")
    return ws


@pytest.mark.parametrize(
    "treatment",
    [[], ["update-index", "--index-version", "3"], ["update-index", "--index-version", "4"],
        ["update-index", "--skip-worktree", "b/a", "MEMORY.md"],
     ["update-index", "--assume-unchanged", "a"], ["add", "-N", "later"],
         ["update-index", "--untracked-cache"]],
    ids=lambda words: " ".join(words) or "plain",
)  # fmt: skip
def test_every_entry_is_found_and_no_other(many: Git, treatment: list[str]) -> None:
    many.write("later", "later")
    many("status") if not treatment else many(*treatment)
    many("status")
    assert read_alone(index_of(many))
    assert entries_found(many) == as_git_says(many)


@pytest.mark.parametrize(
    "treatment",
    [["update-index", "--split-index"],
     ["sparse-checkout", "set", "--cone", "--sparse-index", "memory"]],
    ids=lambda words: words[-1],
)  # fmt: skip
def test_an_index_that_leaves_entries_out_is_refused(many: Git, treatment: list[str]) -> None:
    many("commit", "-qm", "all")
    many(*treatment)
    with pytest.raises(UnsupportedRepoError):
        entries_found(many)


def test_a_path_in_conflict_has_three_entries(many: Git) -> None:
    blob = many("hash-object", "-w", "a").strip()
    many("rm", "-q", "--cached", "a")
    many(
        "update-index",
        "--index-info",
        stdin="".join(f"100644 {blob} {stage}\ta\n" for stage in (1, 2, 3)),
    )
    found = read_alone(index_of(many)) or []
    assert [bool(one.stage) for one in found if one.path == b"a"] == [True] * 3
    assert entries_found(many)[b"a.md"] == as_git_says(many)[b"a.md"]


@pytest.mark.parametrize("damaged", [b"", b"DIRC", b"DIRC\0\0\0\2", b"\0" * 99])
def test_a_damaged_index_is_left_to_git(damaged: bytes) -> None:
    assert read_alone(damaged) is None


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PATHS, min_size=1, max_size=12, unique=True))
def test_any_paths(git: Git, paths: list[str]) -> None:
    blob = git("hash-object", "-w", "--stdin", stdin="x").strip()
    git("read-tree", "--empty")
    lines = "".join(f"100644 {blob} 0\t{path}\0" for path in paths)
    git("update-index", "-z", "--replace", "--index-info", stdin=lines, ok=False)
    assert entries_found(git) == as_git_says(git)


def flags_as_git_says(git: Git) -> set[tuple[bytes, bool, bool]]:
    records = [record for record in git("ls-files", "-v", "-z").split("\0") if record]
    rows = {
        (os.fsencode(record[2:]), record[0].upper() == "S", record[0].islower())
        for record in records
    }
    return {row for row in rows if row[1] or row[2]}


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    paths=st.lists(PATHS, min_size=1, max_size=6, unique=True),
    bits=st.lists(st.integers(0, 3), min_size=6, max_size=6),
)
def test_the_flagged_entries_are_those_that_git_names(
    many: Git, paths: list[str], bits: list[int]
) -> None:
    blob = many("hash-object", "-w", "--stdin", stdin="x").strip()
    many("read-tree", "--empty")
    usable = [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]
    many(
        "update-index",
        "-z",
        "--index-info",
        stdin="".join(f"100644 {blob} 0\t{path}\0" for path in usable),
    )
    for bit, flag in ((1, "--skip-worktree"), (2, "--assume-unchanged")):
        chosen = [path for path, flags in zip(usable, bits, strict=False) if flags & bit]
        many("update-index", "-z", flag, "--stdin", stdin="".join(f"{path}\0" for path in chosen))
    assert {*flagged(many)} == flags_as_git_says(many)


def flagged(git: Git) -> Iterator[tuple[bytes, bool, bool]]:
    for one in index_entries(git.root / ".git/index"):
        if one.skip or one.assume:
            yield one.path, one.skip, one.assume


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_flags_are_found_in_every_version(many: Git, version: str) -> None:
    many("update-index", "--index-version", version)
    many("update-index", "--skip-worktree", "a")
    many("update-index", "--assume-unchanged", "a.md")
    assert [*flagged(many)] == [(b"a", True, False), (b"a.md", False, True)]
    assert {*flagged(many)} == flags_as_git_says(many)


LATER = 1 << 31
"""A second in which the index might have been written, long after any file."""


def as_read(index: bytes) -> list[IndexFileEntry]:
    return [*entries_of(index)]


def tree_of(git: Git, index: bytes) -> str:
    (git.root / ".git/index").write_bytes(index)
    return git("write-tree")


def by_c_git(git: Git, blobs: dict[bytes, Blob | None]) -> bytes:
    """The index in which C git puts other blobs at these paths."""
    lines = "".join(
        f"{blob.mode:o} {blob.oid} 0\t{os.fsdecode(path)}\0" if blob
        else f"0 {'0' * 40} 0\t{os.fsdecode(path)}\0"
        for path, blob in blobs.items()
    )  # fmt: skip
    git("update-index", "-z", "--index-info", stdin=lines)
    return index_of(git)


def meant(index: bytes) -> list[tuple[bytes, str, int, bool, bool]]:
    return [(one.path, one.oid, one.mode, one.skip, one.assume) for one in entries_of(index)]


@pytest.mark.parametrize("version", ["2", "4"])
@pytest.mark.parametrize(
    "paths",
    [{"a": True}, {"MEMORY.md": True}, {"b/b/a": False}, {"b/a.md": True, "b/c.md": True},
     {"b/a": False, "b/a.md": False, "b/b/a": False, "b": True}, {"z": True, "0": True},
     {"a/x.md": True}, {"b": True}, {"b/a/c/d.md": True, "memory": True}],
)  # fmt: skip
def test_other_blobs_are_written_as_c_git_writes_them(
    many: Git, paths: dict[str, bool], version: str
) -> None:
    many("commit", "-qm", "all")
    many("update-index", "--index-version", version)
    many("update-index", "--skip-worktree", "ab")
    oid = many("hash-object", "-w", "--stdin", stdin="another").strip()
    blobs = {os.fsencode(path): Blob(oid, 0o100644) if put else None for path, put in paths.items()}
    index = index_of(many)
    made = with_blobs(entries_of(index), blobs, LATER)
    by_git = by_c_git(many, blobs)
    assert meant(made) == meant(by_git) != meant(index)
    # Git reads it, and works the folders out again.
    assert tree_of(many, made) == tree_of(many, by_git)
    assert many("fsck", "--strict", "--no-dangling") == ""


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    paths=st.lists(PATHS, min_size=1, max_size=12, unique=True),
    chosen=st.lists(st.sampled_from(["keep", "put", "drop"]), min_size=12, max_size=12),
)
def test_at_any_paths_other_blobs_are_written_as_c_git_writes_them(
    git: Git, paths: list[str], chosen: list[str]
) -> None:
    blob, other = (git("hash-object", "-w", "--stdin", stdin=text).strip() for text in "xy")
    git("read-tree", "--empty")
    lines = "".join(f"100644 {blob} 0\t{path}\0" for path in paths)
    git("update-index", "-z", "--replace", "--index-info", stdin=lines, ok=False)
    blobs = {
        path: Blob(other, 0o100644) if what == "put" else None
        for path, what in zip(as_git_says(git), chosen, strict=False)
        if what != "keep"
    }
    made = with_blobs(entries_of(index_of(git)), blobs, LATER)
    assert meant(made) == meant(by_c_git(git, blobs) if blobs else index_of(git))


def test_the_first_index_is_made(git: Git) -> None:
    oid = git("hash-object", "-w", "--stdin", stdin="first").strip()
    made = with_blobs((), {b"memory/a.md": Blob(oid, 0o100644)}, 0)
    assert tree_of(git, made)
    assert git("ls-files") == "memory/a.md\n"


def test_a_file_of_the_second_of_the_index_is_looked_at_by_git(many: Git) -> None:
    changed = int((many.root / "ab").stat().st_mtime)

    def times(written: int) -> bytes:
        made = with_blobs(entries_of(index_of(many)), {}, written)
        return next(one.head[:16] for one in entries_of(made) if one.path == b"ab")

    assert times(changed) == bytes(16) != times(changed + 60)


def test_an_index_cut_off_anywhere_is_damaged(git: Git) -> None:
    git.write("a.md", "a\n")
    git.write("memory/b.md", "b\n")
    git.commit_all("two files")
    index = (git.root / ".git/index").read_bytes()
    assert why_damaged(index) == ""
    assert all(why_damaged(index[:end]) for end in range(len(index)))
    whole = read_alone(index)
    assert [one.path for one in whole or ()] == [b"a.md", b"memory/b.md"]
    for end in range(len(index)):
        left = list[IndexFileEntry]()
        with suppress(ValueError, struct.error):
            left += entries_of(index[:end])
        assert left == (whole or [])[: len(left)]


def test_an_index_without_a_checksum_is_sound(git: Git) -> None:
    git.write("a.md", "a\n")
    git.commit_all("a file")
    index = (git.root / ".git/index").read_bytes()
    assert why_damaged(index[:-20] + bytes(20)) == ""
