"""What is read straight from git's index is what C git says, or C git is asked."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.stores.git.indexfile import find_entries, flagged_entries
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
    [[], ["update-index", "--index-version", "3"],
        ["update-index", "--skip-worktree", "b/a", "MEMORY.md"],
     ["update-index", "--assume-unchanged", "a"], ["add", "-N", "later"],
         ["update-index", "--untracked-cache"]],
    ids=lambda words: " ".join(words) or "plain",
)  # fmt: skip
def test_every_entry_is_found_and_no_other(many: Git, treatment: list[str]) -> None:
    many.write("later", "later")
    many("status") if not treatment else many(*treatment)
    many("status")
    expected = as_git_says(many)
    asked = [*expected, b"nothing", b"b", b"MEMORY", b"EMORY.md", b"a/"]
    assert find_entries((many.root / ".git/index").read_bytes(), asked) == expected


@pytest.mark.parametrize(
    "treatment",
    [["update-index", "--index-version", "4"], ["update-index", "--split-index"],
     ["sparse-checkout", "set", "--cone", "--sparse-index", "memory"]],
    ids=lambda words: words[-1],
)  # fmt: skip
def test_what_cannot_be_read_so_is_left_to_git(many: Git, treatment: list[str]) -> None:
    many("commit", "-qm", "all")
    many(*treatment)
    assert find_entries((many.root / ".git/index").read_bytes(), [b"MEMORY.md"]) is None


def test_a_path_in_conflict_has_no_entry_of_its_own(many: Git) -> None:
    blob = many("hash-object", "-w", "a").strip()
    many("rm", "-q", "--cached", "a")
    many(
        "update-index",
        "--index-info",
        stdin="".join(f"100644 {blob} {stage}\ta\n" for stage in (1, 2, 3)),
    )
    assert find_entries((many.root / ".git/index").read_bytes(), [b"a", b"a.md"]) == {
        b"a.md": as_git_says(many)[b"a.md"]
    }


@pytest.mark.parametrize("damaged", [b"", b"DIRC", b"DIRC\0\0\0\2", b"\0" * 99])
def test_a_damaged_index_is_left_to_git(damaged: bytes) -> None:
    assert find_entries(damaged, [b"a"]) is None


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PATHS, min_size=1, max_size=12, unique=True))
def test_any_paths(git: Git, paths: list[str]) -> None:
    blob = git("hash-object", "-w", "--stdin", stdin="x").strip()
    git("read-tree", "--empty")
    lines = "".join(f"100644 {blob} 0\t{path}\0" for path in paths)
    git("update-index", "-z", "--replace", "--index-info", stdin=lines, ok=False)
    expected = as_git_says(git)
    asked = {*expected, *(os.fsencode(path) for path in paths)}
    found = find_entries((git.root / ".git/index").read_bytes(), asked)
    assert found in (expected, None)
    assert (
        found is not None or any("link" in path or "sdir" in path for path in paths) or not expected
    )


def flags_as_git_says(git: Git) -> set[tuple[bytes, bool, bool]]:
    records = [record for record in git("ls-files", "-v", "-z").split("\0") if record]
    rows = {
        (os.fsencode(record[2:]), record[0].upper() == "S", record[0].islower())
        for record in records
    }
    return {row for row in rows if row[1] or row[2]}


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
    found = flagged_entries((many.root / ".git/index").read_bytes())
    assert found is not None
    assert {(one.path, one.skip, one.assume) for one in found} == flags_as_git_says(many)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_flags_of_another_form_are_left_to_git(many: Git, version: str) -> None:
    many("update-index", "--index-version", version)
    found = flagged_entries((many.root / ".git/index").read_bytes())
    assert (found is None) is (version == "4")


def test_a_split_or_damaged_index_is_left_to_git(many: Git) -> None:
    index = (many.root / ".git/index").read_bytes()
    assert flagged_entries(index) == []
    assert flagged_entries(index[:-30]) is None
    assert flagged_entries(index[:40]) is None
    assert flagged_entries(b"") is None
    many("update-index", "--split-index")
    assert flagged_entries((many.root / ".git/index").read_bytes()) is None
