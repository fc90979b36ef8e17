"""Whose a repository is: what git refuses for its owner, we refuse, and with the same
exceptions."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from clawgit.core.errors import ForeignOwnerError
from clawgit.git.gitdir import find_repo, new_repository, refuse_foreign_place, repo_at
from clawgit.git.place import locate
from tests.conftest import Git

STRANGER = 47110


@pytest.fixture
def foreign(ws: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    """To us and to git, all of it is another user's."""
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    return ws


@pytest.fixture
def as_root(ws: Git, monkeypatch: pytest.MonkeyPatch) -> str:
    """Root in a folder that a user owns; the id of that user."""
    owner = os.getuid()
    if owner == 0:
        owner = STRANGER
        subprocess.run(["chown", "-R", str(STRANGER), ws.root], check=True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return str(owner)


def refused(root: Path, env: dict[str, str] | None = None) -> bool:
    """Whether it is, in git's own words and with git's own way out."""
    try:
        find_repo(root, {**os.environ, **(env or {})})
    except ForeignOwnerError as error:
        told = (error.message, error.hint)
    else:
        return False
    assert "dubious ownership" in told[0]
    assert f"git config --global --add safe.directory '{root}'" in told[1]
    return True


def test_another_users_is_refused_from_every_folder_in_it(foreign: Git) -> None:
    with pytest.raises(ForeignOwnerError):
        find_repo(foreign.root / "memory", os.environ)
    with pytest.raises(ForeignOwnerError):
        repo_at(foreign.root, os.environ)
    assert locate(foreign.root) is not None  # looking around is no use of it


@pytest.mark.parametrize("part", [".git", "", ".git/worktrees/linked", "commondir"])
def test_each_part_is_one(
    part: str, ws: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of a linked worktree its folder, its `.git`, where that leads, and the directory that holds
    the configuration."""
    linked = tmp_path / "linked"
    ws("worktree", "add", "-q", str(linked))
    place = locate(linked)
    assert place is not None
    refuse_foreign_place(place, {})
    theirs = {
        ".git": linked / ".git",
        "": linked,
        ".git/worktrees/linked": place.git_dir,
        "commondir": place.common_dir,
    }[part]
    real = os.lstat

    def lstat(path: Path) -> os.stat_result:
        status = real(path)
        if Path(path) != theirs:
            return status
        return os.stat_result((*status[:4], status.st_uid + 1, *status[5:10]))

    monkeypatch.setattr(os, "lstat", lstat)
    with pytest.raises(ForeignOwnerError):
        refuse_foreign_place(place, {**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})


def test_a_link_of_ours_to_a_folder_of_theirs_changes_nothing(foreign: Git, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(foreign.root)
    assert refused(tmp_path / "link")


def test_root_is_refused_in_a_users_folder(ws: Git, as_root: str) -> None:
    assert refused(ws.root)
    assert refused(ws.root, {"SUDO_UID": "1"})


def test_root_by_sudo_is_the_user_who_called_it(ws: Git, as_root: str) -> None:
    assert not refused(ws.root, {"SUDO_UID": as_root})


@pytest.mark.parametrize(
    ("values", "accepted"),
    [(("{root}",), True), (("*",), True), (("/somewhere/else",), False), (("{root}", ""), False)],
)
def test_safe_directory_of_the_user_makes_the_exception(
    foreign: Git, values: tuple[str, ...], accepted: bool
) -> None:
    for value in values:
        foreign("config", "--global", "--add", "safe.directory", value.format(root=foreign.root))
    assert refused(foreign.root) is not accepted


def test_a_repository_cannot_vouch_for_itself(foreign: Git) -> None:
    with (foreign.root / ".git/config").open("a") as config:
        config.write("[safe]\n\tdirectory = *\n")
    assert refused(foreign.root)


def test_a_git_init_that_was_cut_off_is_made_again(git: Git) -> None:
    """It makes HEAD and the folder of references first, and that of objects last."""
    shutil.rmtree(git.root / ".git/objects")
    assert repo_at(git.root) is None
    place = new_repository(git.root, os.environ)
    assert repo_at(git.root) == place
    assert git.status() == ""
