"""What is read from git's index, and written there, is what C git says."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.core.doors import pygit2
from clawgit.core.errors import DamagedError, StorageError, UnsupportedRepoError
from clawgit.git.cgit import CGit
from clawgit.git.dirt import flagged_rows
from clawgit.git.gitdir import find_repo
from clawgit.git.gitindex import Blob, GitIndex, refuse_damaged
from clawgit.git.store import GitStore
from tests.conftest import NOW, Git, intent

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0/\n\r"), min_size=1, max_size=9)
PATHS = st.lists(NAMES.filter(lambda name: name not in (".", "..")), min_size=1, max_size=3).map(
    "/".join
)
PATHS = PATHS.filter(lambda path: ".git" not in path.lower())


def index_at(git: Git) -> GitIndex:
    place = find_repo(git.root)
    place.private.mkdir(exist_ok=True)
    return GitIndex(place)


def as_git_says(git: Git) -> dict[str, Blob]:
    found = {}
    for line in filter(None, git("ls-files", "-s", "-z").split("\0")):
        head, _, path = line.partition("\t")
        mode, oid, stage = head.split()
        if stage == "0":
            found[path] = Blob(oid, int(mode, 8))
    return found


def put(git: Git, paths: list[str], blob: str) -> None:
    git("read-tree", "--empty")
    lines = "".join(f"100644 {blob} 0\t{path}\0" for path in paths)
    git("update-index", "-z", "--replace", "--index-info", stdin=lines, ok=False)


def by_c_git(git: Git, blobs: dict[str, Blob | None]) -> None:
    """Puts other blobs at these paths, as C git does."""
    lines = "".join(
        f"{blob.mode:o} {blob.oid} 0\t{path}\0" if blob else f"0 {'0' * 40} 0\t{path}\0"
        for path, blob in blobs.items()
    )
    git("update-index", "-z", "--index-info", stdin=lines)


def by_us(git: Git, blobs: dict[str, Blob | None]) -> None:
    index = index_at(git)
    index.prepare(blobs)
    index.publish()


def meant(git: Git) -> tuple[str, str]:
    """Every entry with its bits, and the tree that git makes of them."""
    return git("ls-files", "-s", "-v", "-z"), git("write-tree")


@pytest.fixture
def many(ws: Git) -> Git:
    """Paths that are the ends and the beginnings of each other, and one that is executable."""
    for path in (
        "a", "a.md", "b/a", "b/a.md", "b/b/a", "ab", "x/MEMORY.md", "MEMORY.md.old",
        "memory/MEMORY.md",
    ):  # fmt: skip
        ws.write(path, path)
    (ws.root / "ab").chmod(0o755)
    ws("add", "-A")
    return ws


@pytest.mark.parametrize(
    "treatment",
    [["status"], ["update-index", "--index-version", "3"], ["update-index", "--index-version", "4"]],
    ids=" ".join,
)  # fmt: skip
def test_every_entry_is_found_and_no_other(many: Git, treatment: list[str]) -> None:
    many.write("later", "later")
    many(*treatment)
    expected = as_git_says(many)
    found = index_at(many).read([*expected, "no.md", "b", "a/a"])
    assert found.blobs == expected
    assert not found.conflicted
    refuse_damaged(many.root / ".git/index")


def test_a_sparse_index_is_refused(many: Git) -> None:
    many("commit", "-qm", "all")
    index = index_at(many)
    many("sparse-checkout", "set", "--cone", "--sparse-index", "memory")
    with pytest.raises(UnsupportedRepoError):
        index.read(["a"])


def test_the_entries_that_git_overlooks_are_found_in_every_version(many: Git) -> None:
    many("update-index", "--skip-worktree", "a.md", "b/a.md", "ab")
    many("update-index", "--assume-unchanged", "x/MEMORY.md", "b/a.md")
    rows = {path: f"{blob.mode:o} {blob.oid} 0\t{path}" for path, blob in as_git_says(many).items()}
    signs = {"a.md": "S", "b/a.md": "s", "x/MEMORY.md": "h"}
    for version in "234":
        many("update-index", "--index-version", version)
        found = flagged_rows(CGit(many.root, os.environ))
        assert found == {path: f"{sign} {rows[path]}".encode() for path, sign in signs.items()}


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    paths=st.lists(PATHS, min_size=1, max_size=12, unique=True),
    chosen=st.lists(st.sampled_from(["keep", "put", "drop"]), min_size=12, max_size=12),
)
def test_at_any_paths_other_blobs_are_written_as_c_git_writes_them(
    git: Git, paths: list[str], chosen: list[str]
) -> None:
    blob, other = (git("hash-object", "-w", "--stdin", stdin=text).strip() for text in "xy")
    put(git, paths, blob)
    index = git.root / ".git/index"
    whole = index.read_bytes()
    blobs = {
        path: Blob(other, 0o100644) if what == "put" else None
        for path, what in zip(as_git_says(git), chosen, strict=False)
        if what != "keep"
    }
    by_us(git, blobs)
    made = meant(git)
    index.write_bytes(whole)
    by_c_git(git, blobs)
    assert made == meant(git)


def test_what_a_kill_has_left_of_an_earlier_copy_is_no_obstacle(many: Git) -> None:
    index = index_at(many)
    for name in ("index.next", "index.next.lock"):
        (many.root / ".git/clawgit" / name).write_bytes(b"half")
    index.prepare({"a": None})
    index.publish()
    assert "a" not in as_git_says(many)


def test_a_full_disk_is_no_damage(many: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise pygit2.GitError("no error")

    index = index_at(many)
    monkeypatch.setattr(type(pygit2.index_in(f"{many.root}/.git/index")), "write", full)
    with pytest.raises(StorageError, match="disk is full") as told:
        index.prepare({"a": None})
    assert not isinstance(told.value, DamagedError)


def test_an_index_cut_off_anywhere_is_damaged(git: Git) -> None:
    git.write("a.md", "a\n")
    git.write("memory/b.md", "b\n")
    git.commit_all("two files")
    file, index = git.root / ".git/index", index_at(git)
    whole = file.read_bytes()
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        with pytest.raises(DamagedError):
            refuse_damaged(file)
        with pytest.raises(DamagedError):
            index.read(["a.md"])
    file.write_bytes(whole)
    assert index.read(["a.md"]).blobs == {"a.md": as_git_says(git)["a.md"]}


@pytest.mark.parametrize("own", ["MEMORY.md", "new.md"])
def test_an_edit_in_the_second_of_its_staging_is_seen(ws: Git, store: GitStore, own: str) -> None:
    """The times and the size of the file are those that git's index has; an older index than ours
    made git look at the text all the same.
    """
    ws("config", "core.trustctime", "false")
    ws.write("MEMORY.md", "- one\n")
    ws.write("note.md", "- aaa\n")
    ws.commit_all("both")
    index, note = ws.root / ".git/index", ws.root / "note.md"
    ws.write("note.md", "- bbb\n")
    os.utime(note, (1e9, 1e9))
    ws("add", "note.md")
    ws.write("note.md", "- ccc\n")
    os.utime(note, (1e9, 1e9))
    os.utime(index, (1e9, 1e9))
    with store.transaction(intent(), NOW) as tx:
        tx.put(own, "- two\n")
    assert tx.outcome.commit
    assert ws("status", "--short", "note.md") == "MM note.md\n"
