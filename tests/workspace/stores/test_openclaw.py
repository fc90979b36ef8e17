"""An OpenClaw is found, and read without a trace."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from clawgit.core.config.kinds import Sourced
from clawgit.core.config.load import load
from clawgit.git.rules.actors import OPERATOR
from clawgit.workspace.stores.openclaw import OpenClaw, find, is_set_up, settings_for
from clawgit.workspace.workspace import Caller
from tests.each import for_each


def caller(home: Path, **env: str) -> Caller:
    return Caller(OPERATOR, env, datetime(2026, 2, 14, tzinfo=UTC), home)


def installed(home: Path, config: object) -> OpenClaw:
    text = config if isinstance(config, str) else json.dumps(config)
    (home / ".openclaw").mkdir(exist_ok=True)
    (home / ".openclaw/openclaw.json").write_text(text, "utf-8")
    found = find(caller(home))
    assert found is not None
    return found


def workspaces(found: OpenClaw) -> dict[str, Path]:
    return {agent.id: agent.workspace for agent in found.agents}


def said(found: OpenClaw, agent: int = 0) -> Mapping[str, Sourced]:
    return settings_for(found, found.agents[agent].workspace)


def values(found: OpenClaw, agent: int = 0) -> dict[str, object]:
    return {key: sourced.value for key, sourced in said(found, agent).items()}


# Where it is


def test_the_state_folder_is_the_one_openclaw_would_take(tmp_path: Path) -> None:
    assert find(caller(tmp_path)) is None
    for name in (".openclaw", ".openclaw-work", "elsewhere"):
        (tmp_path / name).mkdir()
    for env in ({}, {"OPENCLAW_PROFILE": "default"}):
        found = find(caller(tmp_path, **env))
        assert found is not None
        assert found.state == tmp_path / ".openclaw"
    # One that is named and missing is no other one.
    assert find(caller(tmp_path, OPENCLAW_STATE_DIR=str(tmp_path / "gone"))) is None


# Its agents


MAIN = {"list": [{"id": "main"}, {"id": "w"}]}


@for_each(
    "agents, expected",
    [
        (MAIN, {"main": ".openclaw/workspace", "w": ".openclaw/workspace-w"}),
        ({"entries": {"a": {}, "b": {"default": True}}},
         {"a": ".openclaw/workspace-a", "b": ".openclaw/workspace"}),
        ({"defaults": {"workspace": "~/ws"}, **MAIN}, {"main": "ws", "w": "ws/w"}),
        ({"list": [{"id": "m", "workspace": "~/mine"}, {"id": "w"}]},
         {"m": "mine", "w": ".openclaw/workspace-w"}),
    ],
)  # fmt: skip
def test_agents_have_workspaces(tmp_path: Path, agents: object, expected: dict[str, str]) -> None:
    found = installed(tmp_path, {"agents": agents})
    assert workspaces(found) == {name: tmp_path / path for name, path in expected.items()}


# Its config


@for_each("config, reason", [('{"apiKey": "sk-secret" "x"}', "Unexpected"), ("", "Empty strings")])
def test_a_broken_config_tells_no_secret(tmp_path: Path, config: str, reason: str) -> None:
    found = installed(tmp_path, config)
    (note,) = found.notes
    assert note.startswith(f"{tmp_path}/.openclaw/openclaw.json is not read: ")
    assert reason in note
    assert "sk-secret" not in note
    assert workspaces(found) == {"main": tmp_path / ".openclaw/workspace"}


def test_an_include_is_told_not_followed(tmp_path: Path) -> None:
    assert installed(tmp_path, {"$include": "x.json"}).notes == (
        f"{tmp_path}/.openclaw/openclaw.json: what it includes is not read",
    )


# What it says that is ours too


def test_settings_that_mean_the_same_are_taken_with_their_origin(tmp_path: Path) -> None:
    search = {
        "extraPaths": ["notes", "/srv/x"], "query": {"maxResults": 9, "minScore": 0.4},
    }  # fmt: skip
    defaults = {"memorySearch": search, "userTimezone": "Asia/Seoul"}
    found = installed(tmp_path, {"agents": {"defaults": defaults}})

    assert values(found) == {
        "extra_paths": ["notes", "/srv/x"], "max_results": 9, "min_score": 0.4,
        "timezone": "Asia/Seoul",
    }  # fmt: skip
    assert (
        said(found)["min_score"].origin
        == "openclaw.json: agents.defaults.memorySearch.query.minScore"
    )
    loaded = load(openclaw=said(found))
    assert (loaded.notes, loaded.problems, len(loaded.origins)) == ((), (), 4)


def test_a_workspace_shows_whether_openclaw_has_set_it_up(tmp_path: Path) -> None:
    for name, is_so in (("MEMORY.md", False), ("SOUL.md", True)):
        (tmp_path / name).write_text("x")
        assert is_set_up(tmp_path) == is_so
