"""`init`: what it says before it writes, and after."""

import json

import pytest

from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.front.cli.typed import typed

CLAUDE = (
    "a repository that Claude Code works in; its scope: CLAUDE.md, CLAUDE.local.md, AGENTS.md, "
    ".claude/**/*.md"
)


@pytest.fixture
def shop(git: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    git.write("app.py", "print(1)\n")
    git.write("CLAUDE.md", "# Use tabs\n")
    git.commit_all("a shop")
    monkeypatch.chdir(git.root)
    return git


def test_the_words_of_a_dry_run_are_those_of_the_run(shop: Git) -> None:
    told = said("init", "--dry-run").splitlines()
    done = said("init").splitlines()
    assert told == [CLAUDE, "would be created: CONFIG.md, git's hooks"]
    assert [line.replace("would be created", "created") for line in told] == done[:2]
    assert done[2].endswith("is a workspace")
    again = said("init").splitlines()
    assert again == [CLAUDE, f"{shop.root} is a workspace already; nothing to do"]


said, _ = typed()


def test_a_folder_of_a_workspace_becomes_one_of_its_own_only_by_name(
    shop: Git, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said("init")
    (shop.root / "src").mkdir()
    monkeypatch.chdir(shop.root / "src")
    assert run(["init"]) == 2
    assert f"{shop.root}/src is in the workspace {shop.root}." in capsys.readouterr().err
    assert not [*(shop.root / "src").iterdir()]
    assert f"{shop.root}/src is a workspace" in said("init", ".")


def test_json_keeps_its_keys_and_has_what_is_new(shop: Git) -> None:
    told = json.loads(said("init", "--json"))
    assert {
        "workspace",
        "adopted",
        "created",
        "commit",
        "id",
        "changed",
        "waiting",
        "notes",
    } <= set(told)
    assert (told["layout"], told["repository"]) == ("claude-code", False)
    assert "CLAUDE.md" in told["scope"]
    seen = json.loads(said("status", "--json"))
    assert seen["layout"] == "claude-code"
    assert seen["scope"] == told["scope"]
