"""A locked soul and plain git: a commit that the operator signed goes through, every other one is
refused."""

import os
from pathlib import Path

import pytest

from clawgit.ops.workspace.operator import set_key
from tests.hooks.hooked import Hooked, Result, hooked
from tests.signing import make_key, signature_letter

__all__ = ["hooked"]

LOCKED = "# Configuration\n\n```yaml\nsoul_policy: locked\n```\n"


@pytest.fixture
def key(hooked: Hooked, tmp_path: Path) -> Path:
    """The operator's key, in a workspace whose soul is locked; git signs with it when it is asked
    to."""
    hooked.write("CONFIG.md", LOCKED)
    hooked("add", "-A")
    hooked("commit", "-q", "--no-verify", "-m", "lock the soul")
    public = make_key(tmp_path, "operator")
    set_key(hooked.space.caller, public)
    hooked("config", "--global", "gpg.format", "ssh")
    hooked("config", "--global", "user.signingKey", str(public))
    return public


def bolder(git: Hooked, *args: str, at_a_terminal: bool = False) -> Result:
    git.write("SOUL.md", "# Soul\n\n- Be kind.\n- Be bold.\n")
    git("add", "SOUL.md")
    if at_a_terminal:
        return git.at_a_terminal("commit", "-q", "-m", "bolder", *args)
    return git.run("commit", "-q", "-m", "bolder", *args)


def notes(git: Hooked) -> list[str]:
    return [file.name for file in git.space.place.private.glob("needs-signature*")]


def test_a_signed_commit_goes_through(hooked: Hooked, key: Path) -> None:
    done = bolder(hooked, "-S")
    assert done.code == 0, done.said
    assert signature_letter(hooked.root, key) == "G"
    assert notes(hooked) == []
    # Only that commit was judged by its signature.
    hooked.write("MEMORY.md", "# Memory\n\n- Tea. #knowledge\n")
    assert hooked.run("commit", "-q", "-a", "-m", "tea").code == 0
    assert hooked.run("branch", "other").code == 0


@pytest.mark.parametrize("at_a_terminal", [False, True])
def test_an_unsigned_one_is_refused_at_a_terminal_too(
    hooked: Hooked, key: Path, at_a_terminal: bool
) -> None:
    before = hooked.head()
    done = bolder(hooked, at_a_terminal=at_a_terminal)
    assert done.code != 0
    assert "git commit -S" in done.said
    assert (hooked.head(), notes(hooked)) == (before, [])


def test_the_signature_of_somebody_else_is_none(hooked: Hooked, key: Path, tmp_path: Path) -> None:
    before = hooked.head()
    hooked("config", "--global", "user.signingKey", str(make_key(tmp_path, "thief")))
    assert bolder(hooked, "-S").code != 0
    assert hooked.head() == before


def test_without_any_key_nothing_changed_for_a_signed_commit(hooked: Hooked, key: Path) -> None:
    (Path(os.environ["HOME"]) / ".config" / "clawgit" / "operator-key.json").unlink()
    before = hooked.head()
    assert bolder(hooked, "-S").code == 1
    assert hooked.head() == before


def test_a_key_that_cannot_be_read_leaves_the_soul_refused(hooked: Hooked, key: Path) -> None:
    (Path(os.environ["HOME"]) / ".config" / "clawgit" / "operator-key.json").write_text("{")
    before = hooked.head()
    done = bolder(hooked, "-S")
    assert (done.code, hooked.head(), notes(hooked)) == (1, before, [])
    assert "SOUL.md is locked" in done.said
    assert "the operator key could not be checked" in done.said


def test_a_signature_does_not_excuse_a_secret(hooked: Hooked, key: Path) -> None:
    before = hooked.head()
    hooked.write("MEMORY.md", "# Memory\n\n- Key: ghp_9aB3dE5fG7hJ9kL1mN3pQ5rS7tV9wX1yZ3a4\n")
    hooked("add", "MEMORY.md")
    assert bolder(hooked, "-S").code == 1
    assert hooked.head() == before


def test_a_note_that_a_dead_git_left_stops_nobody(hooked: Hooked, key: Path) -> None:
    (hooked.space.place.private / "needs-signature.1").write_text("SOUL.md: locked\n")
    hooked.write("MEMORY.md", "# Memory\n\n- Tea. #knowledge\n")
    assert hooked.run("commit", "-q", "-a", "-m", "tea").code == 0
    assert notes(hooked) == []
