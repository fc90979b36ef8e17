"""Where a search finds nothing, it says what it does not cover and how that is added."""

import pytest

from clawgit.front import setup
from clawgit.safety.trust import set_setting
from clawgit.search.search import Request, search
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import asker, space_of


@pytest.fixture
def space(git: Git) -> Workspace:
    for path in ("pyproject.toml", "src/app.py", "README.md", "docs/a.md", "docs/b.md"):
        git.write(path, "# Kilns\n\nThe kiln is fired on Fridays.\n" if ".md" in path else "x\n")
    git.write("node_modules/p/README.md", "# P\n")
    git.write(".github/PULL_REQUEST.md", "# P\n")
    git.write("AGENTS.md", "# Rules\n")
    git.commit_all("a program")
    setup.init(git.root, asker(CLAWGIT_SEARCH_MODE="core"))
    return space_of(git, CLAWGIT_SEARCH_MODE="core")


def test_nothing_found_says_what_lies_outside_and_how_it_is_added(space: Workspace) -> None:
    answer = search(space, Request("when is the kiln fired"))
    assert (answer.results, answer.searched) == ((), 0)
    assert answer.outside is not None
    assert answer.outside.files == 3
    assert answer.outside.places == ("docs", "README.md")
    assert answer.outside.next == """clawgit config set extra_paths '["docs", "README.md"]'"""
    set_setting(space, "extra_paths", '["docs", "README.md"]')
    space.read_config_anew()
    found = search(space, Request("when is the kiln fired"))
    assert {hit.path for hit in found.results} <= {"README.md", "docs/a.md", "docs/b.md"}
    assert found.results
    assert (found.searched, found.outside) == (3, None)
    assert search(space, Request("zzzz")).outside is None
