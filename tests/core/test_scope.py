"""A scope decides by its last pattern that fits; plain patterns mean what they mean in a
.gitignore."""

import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.core.layout import LAYOUTS, Scope, scope_in_force
from tests.each import for_each

NAMES = st.sampled_from(
    ["a", "b", "ab", "memory", "x.md", "y.md", "app.py", "README.MD", "node_modules", ".claude"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PARTS = st.sampled_from(
    ["a", "b", "*", "a*", "?", "*.md", "memory", "app.py", "**", "[ab]", "[!a]", ".claude"]
)


@st.composite
def patterns(draw: st.DrawFn) -> str:
    body = "/".join(draw(st.lists(PARTS, min_size=1, max_size=3)))
    return draw(st.sampled_from(["", "/"])) + body + draw(st.sampled_from(["", "/"]))


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(patterns(), min_size=1, max_size=4),
    st.lists(PATHS, min_size=1, max_size=6, unique=True),
)
def test_patterns_that_take_in_mean_what_git_means_by_them(
    tmp_path_factory: pytest.TempPathFactory, written: list[str], paths: list[str]
) -> None:
    """Git answers for the same lines in a .gitignore: what it would ignore is what the scope
    covers."""
    root = tmp_path_factory.mktemp("ignores")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git/info/exclude").write_text("".join(f"{pattern}\n" for pattern in written))
    asked = ["git", "-c", "core.ignorecase=true", "check-ignore", "--no-index", "--stdin", "-z"]
    listed = "\0".join(paths).encode() + b"\0"
    done = subprocess.run(asked, cwd=root, input=listed, capture_output=True, check=False)
    ignored = set(done.stdout.decode().split("\0")) - {""}
    assert {path for path in paths if Scope(tuple(written)).covers(path)} == ignored


@given(st.lists(st.tuples(st.booleans(), NAMES), min_size=1, max_size=6), PATHS)
def test_the_last_pattern_that_fits_a_path_or_a_folder_above_it_decides(
    written: list[tuple[bool, str]], path: str
) -> None:
    expected = False
    for takes, name in written:
        if any(fnmatchcase(part.lower(), name.lower()) for part in path.split("/")):
            expected = takes
    patterns = tuple(("" if takes else "!") + name for takes, name in written)
    assert Scope(patterns).covers(path) == expected


@for_each(
    "pattern, path, covered",
    [
        ("*.md", "deep/er/notes.MD", True),
        ("/*.md", "deep/notes.md", False),
        ("/notes/", "notes/a/b.txt", True),
        ("CLAUDE.md", "services/api/CLAUDE.md", True),
        (".claude/**/*.md", ".claude/rules/style.md", True),
        (".claude/**/*.md", "pkg/.claude/top.md", False),
        ("a[", "a[", True),
        ("\\*.md", "a.md", False),
    ],
)
def test_how_a_pattern_is_read(pattern: str, path: str, *, covered: bool) -> None:
    assert Scope((pattern,)).covers(path) == covered


@for_each("layout", LAYOUTS)
def test_no_pattern_frees_the_soul_or_the_settings_from_their_guard(layout: str) -> None:
    scope = scope_in_force(layout, ("notes/*.md", "!*", "!/SOUL.md", "!/CONFIG.md"))
    assert all(map(scope.covers, ("SOUL.md", "IDENTITY.md", "CONFIG.md")))
    assert not scope.covers("notes/a.md")


def test_git_is_asked_about_no_less_than_the_scope_covers(tmp_path: Path) -> None:
    """The pathspecs that narrow a question to git may let too much through, never too little."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    paths = [
        "a.md", "deep/CLAUDE.md", ".claude/rules/x.md", "memory/a.md", "memory-bank/b.md", "app.py",
        "system/p.md",
    ]  # fmt: skip
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x\n")
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    for layout in LAYOUTS:
        scope = scope_in_force(layout, ())
        asked = ["git", "ls-files", "--", *scope.pathspecs]
        told = subprocess.run(
            asked, cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        assert set(told) >= {path for path in paths if scope.covers(path)}, layout
        assert "app.py" not in told
