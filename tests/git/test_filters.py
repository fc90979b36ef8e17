"""Files under a filter of the repository's own configuration: neither read nor written, and
named."""

from pathlib import Path

import pytest

from clawgit.core.errors import PathRefusedError, UsageError
from clawgit.git.cgit import CGit
from clawgit.git.guards.filters import filtered
from clawgit.health.status import status
from clawgit.history.changes import restore
from clawgit.history.undo import undo
from tests.conftest import NOW, Git, OpenStore, intent, program
from tests.making import space_of


@pytest.fixture
def crypt(ws: Git, tmp_path: Path) -> str:
    """A filter like git-crypt's: what git keeps is not what lies on disk. Nobody has trusted it."""
    rot13 = str(
        program(tmp_path / "rot13", f'echo ran >>"{tmp_path}/ran"\nexec tr A-Za-z N-ZA-Mn-za-m')
    )
    ws.write(".gitattributes", "vault/*.md filter=crypt\n")
    ws("config", "filter.crypt.clean", rot13)
    ws("config", "filter.crypt.smudge", rot13)
    ws.commit_file("vault/a.md", "- The launch code is in the safe.\n", "a vault")
    ws.write("vault/a.md", "- The launch code is on the desk.\n")
    ws.write("MEMORY.md", "# Memory\n\n- Billing uses SQLite. #decision\n")
    (tmp_path / "ran").unlink()
    return rot13


def test_a_snapshot_takes_the_rest_and_names_it(
    ws: Git, crypt: str, open_store: OpenStore, tmp_path: Path
) -> None:
    ws.write("vault/new.md", "- Another secret.\n")
    store = open_store(ws.root)
    outcome, dirt = store.snapshot(NOW)
    assert outcome.snapshots
    assert dirt.paths == ("MEMORY.md",)
    assert [one.path for one in dirt.skipped] == ["vault/a.md", "vault/new.md"]
    assert all("filter `crypt`" in one.reason for one in dirt.skipped)
    assert ws("show", "HEAD:vault/a.md") == "- Gur ynhapu pbqr vf va gur fnsr.\n"
    assert "desk" not in ws("log", "-p", "--no-textconv")
    assert not (tmp_path / "ran").exists()


def test_a_write_is_refused_with_words(ws: Git, crypt: str, open_store: OpenStore) -> None:
    store, head = open_store(ws.root), ws.head()
    for path in ("vault/a.md", "vault/new.md"):
        with store.transaction(intent(), NOW) as tx:
            tx.put("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n")  # as it is
            with pytest.raises(PathRefusedError, match="filter `crypt`") as error:
                tx.put(path, "- Plain.\n")
        assert "git config --global filter.crypt.clean" in error.value.hint
    assert ws.head() == head


@pytest.mark.parametrize("how", ["global", "the same in both", "an accepted row"])
def test_a_trusted_filter_works(how: str, ws: Git, crypt: str, open_store: OpenStore) -> None:
    trusted: frozenset[str] = frozenset()
    if how == "an accepted row":
        trusted = frozenset(f"filter.crypt.{what}={crypt}" for what in ("clean", "smudge"))
    else:
        for what in ("clean", "smudge"):
            ws("config", "--global", f"filter.crypt.{what}", crypt)
    if how == "global":
        ws("config", "--local", "--remove-section", "filter.crypt")
    _, dirt = open_store(ws.root, trusted_filters=trusted).snapshot(NOW)
    assert dirt.skipped == ()
    assert ws("show", "HEAD:vault/a.md") == "- Gur ynhapu pbqr vf ba gur qrfx.\n"


@pytest.mark.parametrize("place", ["config", "included", "includeIf", "worktree"])
def test_wherever_the_repositorys_configuration_lies(place: str, ws: Git) -> None:
    ws.write(".gitattributes", "*.md filter=evil\n")
    file = ws.root / ".git/config"
    if place == "included":
        ws("config", "include.path", "more")
        file = ws.root / ".git/more"
    elif place == "includeIf":
        ws("config", f"includeIf.gitdir:{ws.root}/.path", "more")
        file = ws.root / ".git/more"
    elif place == "worktree":
        ws("config", "extensions.worktreeConfig", "true")
        file = ws.root / ".git/config.worktree"
    ws("config", "--file", str(file), "filter.evil.process", "evil")
    assert filtered(CGit(ws.root, {}), ["MEMORY.md", "notes.txt"]) == {"MEMORY.md": "evil"}


def test_without_a_filter_no_process_is_started_for_one(ws: Git) -> None:
    git = CGit(ws.root, {"PATH": "/nowhere"})
    assert git.untrusted_filters == ()


def test_status_names_it(ws: Git, crypt: str) -> None:
    assert [one.path for one in status(space_of(ws)).skipped] == ["vault/a.md"]


def test_undo_leaves_such_a_file_as_it_is(ws: Git, crypt: str) -> None:
    ws("checkout", "-q", "--", "MEMORY.md")
    ws.write("vault/a.md", "- Moved to the bank.\n")
    ws.write("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n- Be clear.\n")
    sha = ws.commit_all("both")
    space = space_of(ws)
    try:
        done = undo(space, sha)
        assert done.change.changed == ("CHANGELOG.md", "SOUL.md")
        assert [line.partition(" ")[0] for line in done.change.warnings] == ["vault/a.md"]
        assert (ws.root / "vault/a.md").read_text() == "- Moved to the bank.\n"
        only = ws.commit_file("vault/a.md", "- Only this.\n", "only the vault")
        with pytest.raises(UsageError, match="cannot be taken back"):
            undo(space, only)
        with pytest.raises(PathRefusedError, match="filter `crypt`"):
            restore(space, "vault/a.md", sha)
    finally:
        space.close()
