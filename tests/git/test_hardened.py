"""Whoever starts git starts it hardened: one environment, one table of flags; and what our lines in
`info/attributes` say to it."""

import ast
import os
import subprocess
from pathlib import Path

from clawgit.git.cgit import CGit
from clawgit.git.gitdir import find_repo
from clawgit.git.guards.hardened import GUARDS, OVERRULED, hardened, without_local
from clawgit.git.info import drive, driven, lines_for
from tests.conftest import Git
from tests.each import for_each
from tests.test_architecture import nodes

PACKAGE = Path(__file__).parents[2] / "clawgit"
STARTS = {"git/cgit.py", "git/staged.py"}
HANDED_ON = {"hooks/checks/soul.py", "hooks/merge.py"}
"""They hand their arguments to `staged.output`."""


def test_git_is_started_in_two_places_only() -> None:
    found = set()
    speak_of_it = (path for path in PACKAGE.rglob("*.py") if '"git"' in path.read_text("utf-8"))
    for path in speak_of_it:
        for node in nodes(path):
            if isinstance(node, (ast.List, ast.Tuple)) and node.elts and _says_git(node.elts[0]):
                found.add(path.relative_to(PACKAGE).as_posix())
    assert found - HANDED_ON == STARTS
    for name in STARTS:
        text = (PACKAGE / name).read_text()
        assert "hardened(" in text
        assert "guarded(" in text


def _says_git(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "git"


def test_git_sees_every_key_as_we_say_it(ws: Git) -> None:
    for key, _ in OVERRULED:
        ws(
            "config",
            "--local",
            key,
            "true" if key.endswith(("auto", "Sign", "recurse")) else "hostile",
        )
    git = CGit(ws.root, os.environ)
    assert {key: git.text("config", "--get", key).rstrip("\n") for key, _ in OVERRULED} == dict(
        OVERRULED
    )


@for_each("command", GUARDS)
def test_this_git_knows_every_flag(command: str, ws: Git) -> None:
    revisions = {"diff-index": ["HEAD"], "diff-tree": ["HEAD", "HEAD"], "grep": ["-e", "Billing"]}
    CGit(ws.root, os.environ).run(command, *revisions.get(command, []))


def test_what_a_hook_was_given_by_git_is_added_to() -> None:
    env = hardened(
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Olga"}
    )
    assert (env["GIT_CONFIG_KEY_0"], env["GIT_CONFIG_KEY_1"]) == ("user.name", OVERRULED[0][0])
    assert env["GIT_CONFIG_COUNT"] == str(len(OVERRULED) + 1)


def test_nothing_of_another_repository_stays() -> None:
    names = subprocess.run(
        ["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True
    ).stdout
    assert without_local(dict.fromkeys(names.split(), "x")) == {}


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
