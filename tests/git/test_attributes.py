"""Our lines in `info/attributes`: what they say to git, and what must never pass for one."""

from clawgit.git.gitdir import find_repo
from clawgit.git.info import drive, driven, lines_for
from tests.conftest import Git

SCOPE = ("/MEMORY.md", "/memory/**/*.md", "notes/", "/a b/*.md", "!vendor/", "/.gitignore")


def test_git_reads_a_scope_as_clawgit_does(ws: Git) -> None:
    place = find_repo(ws.root)
    drive(place, lines_for(SCOPE))
    assert driven(place) == lines_for(SCOPE)
    asked = {
        "MEMORY.md": True,
        "memory/a/b.md": True,
        "memory/b.md": True,
        "x/notes/c.md": True,
        "a b/d.md": True,
        "notes/vendor/e.md": False,
        "other/MEMORY.md": False,
        "memory/code.py": False,
        ".gitignore": False,
    }
    said = ws("check-attr", "-z", "merge", "--", *asked).split("\0")
    assert {
        path: value == "clawgit" for path, value in zip(said[::3], said[2::3], strict=False)
    } == asked
