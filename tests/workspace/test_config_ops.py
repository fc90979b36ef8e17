"""What `config`, `config get`, `config set` and `config check` answer."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from clawgit.core.config.load import load
from clawgit.core.config.settings import Settings
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.safety.in_force import config_in_force, read_config
from clawgit.safety.trust import settings
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import Git
from tests.making import space_of

TEXT = "# Config\n\n```yaml\nmax_results: 5\ntimezone: Europe/Berlin\nbanana: 1\n```\n"
CALLER = Callable[..., Caller]


@pytest.fixture
def caller(tmp_path: Path) -> CALLER:
    def make(**env: str) -> Caller:
        return Caller(OPERATOR, env, datetime(2026, 2, 14, tzinfo=UTC), tmp_path)

    return make


def test_the_list_hides_passwords_and_a_single_answer_does_not() -> None:
    env = {
        "CLAWGIT_CHAT_STORE": "postgresql://me:p4/ss@h/db",
        "CLAWGIT_DIGEST_TO": "tgram://token/1",
    }
    loaded = load(env=env)
    shown = {one.key: one.value for one in settings(loaded).settings}
    assert (shown["chat_store"], shown["digest_to"]) == ("postgresql://me:…@h/db", ["tgram://…"])
    assert settings(loaded, "chat_store").settings[0].value == "postgresql://me:p4/ss@h/db"


# From disk


def test_the_environment_beats_the_file_beats_openclaw_beats_the_default(
    tmp_path: Path, caller: CALLER
) -> None:
    root = tmp_path / ".openclaw/workspace"
    root.mkdir(parents=True)
    search = {"extraPaths": ["notes"], "query": {"maxResults": 9, "minScore": "sk-secret"}}
    config = {"agents": {"defaults": {"userTimezone": "Asia/Seoul", "memorySearch": search}}}
    (tmp_path / ".openclaw/openclaw.json").write_text(json.dumps(config))
    (root / "CONFIG.md").write_text(TEXT)

    loaded = read_config(root, caller(CLAWGIT_MAX_RESULTS="3"))

    for key, value, origin in (
        ("max_results", 3, "env CLAWGIT_MAX_RESULTS"),
        ("timezone", "Europe/Berlin", "CONFIG.md:5"),
        ("extra_paths", ("notes",), "openclaw.json: agents.defaults.memorySearch.extraPaths"),
        ("min_score", Settings().min_score, "default"),
    ):
        assert (getattr(loaded.settings, key), loaded.origin(key)) == (value, origin)
    [note] = loaded.notes
    assert note.startswith("openclaw.json: agents.defaults.memorySearch.query.minScore is ignored")
    assert "sk-secret" not in note
    assert [one.key for one in loaded.problems] == ["banana"]


def test_a_config_that_is_no_text_is_a_problem(tmp_path: Path, caller: CALLER) -> None:
    (tmp_path / "CONFIG.md").write_bytes(b"# Caf\xc3\xa9\n\xe9\n")
    (problem,) = read_config(tmp_path, caller()).problems
    assert (problem.where, problem.message) == ("CONFIG.md:2", "this is not UTF-8 text")


def test_an_edit_and_a_change_of_openclaws_config_count_at_once(ws: Git) -> None:
    here = space_of(ws)
    state = here.caller.home / ".openclaw"
    state.mkdir(parents=True)
    for limit in (8, 9):
        ws.write("CONFIG.md", f"```yaml\nmax_results: {limit}\n```\n")
        told = {"workspace": str(ws.root), "memorySearch": {"query": {"minScore": limit / 10}}}
        (state / "openclaw.json").write_text(json.dumps({"agents": {"defaults": told}}), "utf-8")
        now = config_in_force(here.place, here.caller).settings
        assert (now.max_results, now.min_score) == (limit, limit / 10)


def test_where_no_setting_names_a_zone_it_is_that_of_the_system(ws: Git, caller: CALLER) -> None:
    now = datetime(2026, 7, 1, 23, tzinfo=UTC)
    for name in ("UTC", "Etc/UTC", "Europe/Berlin", "Asia/Seoul"):
        space = Workspace(find_repo(ws.root), caller(TZ=name)._replace(now=now))
        assert space.local_now.isoformat() == now.astimezone(ZoneInfo(name)).isoformat()
