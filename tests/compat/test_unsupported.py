"""Repositories that libgit2 cannot work in: each is named, with a way out."""

import subprocess
from pathlib import Path

import pytest

from clawgit.core.errors import UnsupportedRepoError
from clawgit.git.gitdir import find_repo
from tests.conftest import Git, OpenStore


def refused(open_store: OpenStore, root: Path) -> str:
    with pytest.raises(UnsupportedRepoError) as error:
        open_store(root)
    assert error.value.hint
    return error.value.message


def test_sha256(tmp_path: Path, open_store: OpenStore) -> None:
    root = tmp_path / "sha256"
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(root)], check=True)
    assert "sha256" in refused(open_store, root)


def test_reftable(ws: Git, open_store: OpenStore) -> None:
    """As a newer git lays it out: HEAD names no branch, and the references lie in a folder of their
    own."""
    ws("config", "core.repositoryFormatVersion", "1")
    ws("config", "extensions.refStorage", "reftable")
    (ws.root / ".git/reftable").mkdir()
    (ws.root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    assert "reftable" in refused(open_store, ws.root)


def test_a_partial_clone(ws: Git, open_store: OpenStore, tmp_path: Path) -> None:
    ws("config", "uploadpack.allowFilter", "true")
    ws("clone", "-q", "--filter=blob:none", f"file://{ws.root}", str(tmp_path / "partial"))
    assert "partial clone" in refused(open_store, tmp_path / "partial")


def test_a_bare_repository(ws: Git, tmp_path: Path) -> None:
    ws("clone", "-q", "--bare", str(ws.root), str(tmp_path / "bare"))
    with pytest.raises(UnsupportedRepoError, match="without a work tree") as error:
        find_repo(tmp_path / "bare")
    assert error.value.hint


def test_an_extension_that_nobody_knows(ws: Git, open_store: OpenStore) -> None:
    ws("config", "core.repositoryFormatVersion", "1")
    ws("config", "extensions.fromTheFuture", "true")
    assert "fromthefuture" in refused(open_store, ws.root).lower()
