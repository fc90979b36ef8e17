"""A `.git` that somebody else prepared: what leads out of it is refused before anything is read."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from clawgit.core.disk.plainfile import read_plain
from clawgit.core.errors import ClawgitError, PathRefusedError, UnsupportedRepoError
from clawgit.front.setup import init
from clawgit.git.gitdir import find_repo, repo_at
from clawgit.git.info import hide_passing
from clawgit.git.lock import workspace_lock
from clawgit.git.place import locate
from clawgit.history.changes import snapshot
from tests.conftest import Git
from tests.making import asker, space_of


@pytest.fixture
def own(tmp_path: Path, git: Git) -> Path:
    """A repository of the victim."""
    folder = tmp_path / "own"
    git("init", "-q", str(folder))
    Git(folder)("commit", "-q", "--allow-empty", "-m", "mine")
    return folder


POSES = {
    "names it in a file": "rm -r .git; echo gitdir: $own/.git >.git",
    "is a link to it": "rm -r .git; ln -s $own/.git .git",
    "shares its objects": "echo $own/.git >.git/commondir",
    "poses as its worktree": "mv .git evil; echo gitdir: evil >.git; echo $PWD/.git >evil/gitdir;"
    " echo $own/.git >evil/commondir",
    "poses as its second worktree": "git -C $own worktree add -q ../second; rm -r .git;"
    " echo gitdir: $own/.git/worktrees/second >.git",
    "poses as its submodule": "mv $own/.git ../apart.git; rm -r .git; echo gitdir: ../apart.git >.git;"
    " git --git-dir ../apart.git config core.worktree $own",
}


@pytest.mark.parametrize("how", POSES)
def test_another_repository_is_not_ones_own(how: str, ws: Git, own: Path) -> None:
    env = {**os.environ, "own": str(own)}
    subprocess.run(["sh", "-ec", POSES[how]], cwd=ws.root, env=env, check=True)
    with pytest.raises(UnsupportedRepoError) as error:
        find_repo(ws.root / "memory", os.environ)
    assert "another folder" in error.value.message
    assert error.value.hint


def test_a_worktree_and_a_submodule_are_their_own(ws: Git, own: Path, tmp_path: Path) -> None:
    ws("worktree", "add", "-q", str(tmp_path / "linked"))
    ws("submodule", "--quiet", "add", str(own), "inside")
    ws("init", "-q", "--separate-git-dir", str(tmp_path / "store.git"), str(tmp_path / "apart"))
    (tmp_path / "by-a-link").symlink_to(ws.root)
    for name in (
        tmp_path / "linked", ws.root / "inside", tmp_path / "apart", tmp_path / "by-a-link",
    ):  # fmt: skip
        assert repo_at(name, os.environ), name


def test_a_repository_apart_from_its_folder_moves_along_and_is_no_copy_s(
    ws: Git, tmp_path: Path
) -> None:
    mine, copy = tmp_path / "mine", tmp_path / "copy"
    ws("init", "-q", "--separate-git-dir", str(tmp_path / "store.git"), str(mine))
    init(mine, asker())
    copytree(mine, copy)
    assert repo_at(mine, os.environ)
    with pytest.raises(UnsupportedRepoError, match="another folder"):
        repo_at(copy, os.environ)
    rmtree(mine)
    assert repo_at(copy, os.environ)


NAMES = (
    "clawgit", "clawgit/held/x", "info/exclude", "HEAD", "index", "objects", "refs", "config",
    "logs/refs/heads/main", "refs/heads/" + "deep/" * 9 + "x", "worktrees/x/ORIG_HEAD",
)  # fmt: skip


def give_way(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(file):
        file.rename(file.with_name("moved-away"))


@pytest.mark.parametrize("name", NAMES)
def test_a_link_that_leads_out_is_refused(name: str, ws: Git, tmp_path: Path) -> None:
    """Whether or not something is there."""
    file = ws.root / ".git" / name
    give_way(file)
    outside = tmp_path / "outside"
    moved = file.with_name("moved-away")
    if moved.exists():
        moved.rename(outside)
    else:
        outside.write_text("precious")
    file.symlink_to(outside)
    for _ in ("there", "dangling"):
        with pytest.raises(ClawgitError) as error:
            repo_at(ws.root, os.environ)
        if name != "HEAD" or outside.exists():
            assert isinstance(error.value, UnsupportedRepoError)
            assert str(outside) in error.value.message
            assert f"rm '{file}'" in error.value.hint
        if outside.exists():
            outside.rename(tmp_path / "elsewhere")


@pytest.mark.parametrize("name", ["clawgit/trust-mark", "logs/HEAD", "info/exclude"])
def test_a_pipe_is_refused(name: str, ws: Git) -> None:
    file = ws.root / ".git" / name
    give_way(file)
    os.mkfifo(file)
    with pytest.raises(UnsupportedRepoError, match="a pipe"):
        repo_at(ws.root, os.environ)


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".gitmodules", ".mailmap"])
def test_a_pipe_or_a_device_that_git_would_read_is_refused(name: str, ws: Git) -> None:
    file = ws.root / name
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    with pytest.raises(UnsupportedRepoError, match="a pipe"):
        repo_at(ws.root, os.environ)
    file.unlink()
    file.symlink_to("/dev/zero")
    with pytest.raises(UnsupportedRepoError, match="a device"):
        repo_at(ws.root, os.environ)


@pytest.mark.parametrize(
    "name",
    ["HEAD", "config", "packed-refs"],
)  # fmt: skip
def test_a_file_that_no_memory_has_room_for_is_refused(name: str, ws: Git) -> None:
    """A file with holes takes no place in an archive."""
    file = ws.root / ".git" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    os.truncate(file, 60 * 10**9)
    with pytest.raises(UnsupportedRepoError):
        repo_at(ws.root, os.environ)


def test_a_lock_that_git_releases_is_fine(ws: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, walk = ws.root / ".git/logs/HEAD.lock", os.walk
    lock.touch()

    def walked(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
        rows = [*walk(folder)]
        if str(lock.parent) == str(folder):
            lock.unlink()
        return iter(rows)

    monkeypatch.setattr("os.walk", walked)
    assert repo_at(ws.root) is not None
    assert not lock.exists()


def test_a_memory_file_that_no_memory_has_room_for_is_an_error_with_words(ws: Git) -> None:
    os.truncate(ws.root / "SOUL.md", 60 * 10**9)
    with (
        closing(space_of(ws)) as space,
        pytest.raises(PathRefusedError, match=r"SOUL\.md has 60,000,000,000 bytes"),
    ):
        snapshot(space)


def test_what_writes_follows_no_link_either(ws: Git, tmp_path: Path) -> None:
    """Somebody may have put it there since the looking."""
    place = locate(ws.root)
    assert place
    precious = tmp_path / "precious"
    precious.write_text("mine\n")
    exclude = place.common_dir / "info/exclude"
    exclude.unlink(missing_ok=True)
    exclude.symlink_to(precious)
    with pytest.raises(OSError, match="link"):
        hide_passing(place)
    (tmp_path / "lock").symlink_to(precious)
    with pytest.raises(ClawgitError), workspace_lock(tmp_path / "lock", "x", 0):
        pass
    assert precious.read_text() == "mine\n"


def test_only_a_plain_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("plain")
    os.mkfifo(tmp_path / "pipe")
    assert read_plain(tmp_path / "plain", 5) == b"12345"
    for name, why in (("plain", "longer"), ("link", "a link"), ("pipe", "a pipe"), (".", "folder")):
        with pytest.raises(OSError, match=why):
            read_plain(tmp_path / name, 4)
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "nothing")
