"""Our lines in `info/attributes`: what they say to git, and what must never pass for one."""

from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.info import drive, driven, holds_more, lines_for
from tests.conftest import Git
from tests.each import for_each

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


@for_each(
    "line, more",
    [
        ("*.md merge=clawgit", False),
        ('"a b/*.md" merge=clawgit', False),
        ("**/vendor/**/*.md !merge", False),
        ("*.md filter=evil !merge", True),
        ("*.md filter=evil merge=clawgit", True),
        ('"a" filter=evil "b" merge=clawgit', True),
        ("*.md text", True),
        ("# a comment", True),
    ],
)
def test_a_line_that_says_more_is_not_ours(tmp_path: Path, line: str, more: bool) -> None:
    file = tmp_path / "attributes"
    file.write_text(f"{line}\n")
    assert holds_more(file) is more


def test_no_file_says_nothing_and_a_link_may_say_anything(tmp_path: Path) -> None:
    assert not holds_more(tmp_path / "none")
    (tmp_path / "link").symlink_to(tmp_path / "none")
    assert holds_more(tmp_path / "link")
