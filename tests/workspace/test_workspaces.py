"""Which agents there are: those of OpenClaw's config in each era, and those that the user added."""

import json
from pathlib import Path

import pytest

from clawgit.core.errors import ConfigError, UnsupportedRepoError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.workspace.reach import ReachRefusedError, registry_file
from clawgit.workspace.workspaces import add, agent_of, workspaces
from tests.fleet import agent, asker, at, name, openclaw


def _rows() -> list[tuple[str, str, str]]:
    return [(one.agent, one.condition, one.origin) for one in workspaces(asker()).workspaces]


@pytest.mark.parametrize("era", ["list", "entries"])
def test_openclaws_agents_are_named_with_where_they_live(tmp_path: Path, era: str) -> None:
    agent(tmp_path / "main")
    (tmp_path / "coder").mkdir()
    there = {one: {"workspace": str(tmp_path / one)} for one in ("main", "coder", "gone")}
    entries = [{"id": one, **rest} for one, rest in there.items()] if era == "list" else there
    openclaw({"agents": {era: entries}})
    assert _rows() == [
        ("main", "ready", "openclaw.json"), ("coder", "not initialised", "openclaw.json"),
        ("gone", "missing", "openclaw.json"),
    ]  # fmt: skip
    steps = [one.next for one in workspaces(asker()).workspaces]
    assert steps[0] == ""
    assert steps[1] == f"clawgit init '{tmp_path / 'coder'}'"
    assert "start OpenClaw once" in steps[2]


def test_a_repository_that_another_folder_owns_is_not_ready(tmp_path: Path) -> None:
    git = agent(tmp_path / "coder")
    guest = tmp_path / "guest"
    guest.mkdir()
    (guest / ".git").write_text(f"gitdir: {git.root}/.git\n")
    name(coder=git.root, guest=guest)
    assert [row[:2] for row in _rows()] == [("coder", "ready"), ("guest", "refused")]
    with pytest.raises(UnsupportedRepoError, match="repository of another folder"):
        find_repo(guest)


def test_an_added_agent_is_listed_and_found_again(tmp_path: Path) -> None:
    git = agent(tmp_path / "coder")
    assert add(asker()._replace(dry_run=True), "coder", git.root).changed
    assert _rows() == []
    assert add(asker(), "coder", git.root).action == "added"
    again = add(asker(), "coder", git.root)
    assert (again.action, again.changed) == ("kept", ())
    assert agent_of(at(git)) == "coder"
    told = json.loads(registry_file(asker()).read_text())
    assert told == {"coder": str(git.root)}


def test_what_would_give_an_agent_more_than_a_name_is_the_operators(tmp_path: Path) -> None:
    """`main` writes the shared memory, and a name that points elsewhere misleads whoever asks for
    it."""
    first, second = agent(tmp_path / "first"), agent(tmp_path / "second")
    name(coder=first.root)
    for who in ("main", "coder"):
        with pytest.raises(ReachRefusedError, match="Only the operator"):
            add(asker(), who, second.root)
    assert add(asker(OPERATOR), "coder", second.root).action == "moved"


def test_a_broken_list_is_an_error_with_its_place_and_is_kept(tmp_path: Path) -> None:
    file = registry_file(asker())
    file.parent.mkdir(parents=True)
    for text in ("{", "[]", '{"x": "relative"}', '{"x": 1}'):
        file.write_text(text)
        with pytest.raises(ConfigError, match=r"workspaces\.json"):
            add(asker(OPERATOR), "coder", tmp_path)
        assert file.read_text() == text
