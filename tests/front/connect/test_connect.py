"""clawgit is made known to other tools and taken out again, and nothing of the user's is lost on
the way."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import json5
import pytest

from clawgit.core.errors import (
    ClawgitError,
    ConflictError,
    NotFoundError,
    PathRefusedError,
    UsageError,
)
from clawgit.front.connect.connect import SKILL, Connected, Connection, connect
from clawgit.front.setup import deinit
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import AGENT, OPERATOR
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git, files_below
from tests.making import space_of

CONFIG = """\
{
  agents: { defaults: { workspace: '%s', }, },
  channels: { github: { botToken: 'TOKEN' } },
}
"""

TOKEN = "ghp_" + "x9Kq2LmN0pQrWtUvHxYzB83kd72mLpQwZr7G"

openclaw, claude_code, cursor, codex = "openclaw", "claude-code", "cursor", "codex"


@pytest.fixture
def here(ws: Git) -> Iterator[Workspace]:
    opened = space_of(ws, AGENT)
    yield opened
    opened.close()


@pytest.fixture
def config(here: Workspace) -> Path:
    file = here.caller.home / ".openclaw" / "openclaw.json"
    file.parent.mkdir()
    file.write_text((CONFIG % here.root).replace("TOKEN", TOKEN))
    return file


def put_in(
    here: Workspace, client: str, *, project: Path | None = None, name: str = ""
) -> Connected:
    return connect(here, Connection(client, str(project or ""), name))


def taken_out(here: Workspace, client: str, project: Path | None = None) -> Connected:
    return connect(here, Connection(client, str(project or "")), removing=True)


def actions(done: Connected) -> dict[str, str]:
    return {Path(one.path).name: one.action for one in done.files}


def test_deinit_takes_out_what_every_program_has_of_this_workspace(
    here: Workspace, config: Path, tmp_path: Path
) -> None:
    project = tmp_path / "shop"
    (project / ".cursor").mkdir(parents=True)
    (project / ".cursor" / "mcp.json").write_text('{"mcpServers": {"theirs": {"command": "x"}}}\n')
    before, homes = files_below(project), files_below(config.parent)
    put_in(here, openclaw, name="memory")
    put_in(here, claude_code, project=project)
    put_in(here, cursor, project=project, name="mine")
    put_in(here, codex)
    operator = here.caller._replace(actor=OPERATOR)
    shown = deinit(Workspace(here.place, operator).dry())
    assert (here.place.shared.exists(), (here.root / SKILL).exists()) == (True, True)

    done = deinit(Workspace(here.place, operator))
    hook = config.parent / "hooks/clawgit"
    assert {one for one in done.removed if ": " in one and "exclude" not in one} == {
        f"openclaw: {config}",
        f"openclaw: {here.root}/{SKILL}",
        *(f"openclaw: {hook}/{name}" for name in ("clawgit.json", "handler.js", "HOOK.md")),
        f"codex: {here.caller.home}/.codex/config.toml",
        f"cursor: {project}/.cursor/mcp.json",
        *(
            f"claude-code: {project}/{name}"
            for name in (".claude/settings.local.json", ".mcp.json")
        ),
    }
    assert set(shown.removed) - {*done.removed} == set()
    assert shown.change.changed == done.change.changed
    assert shown.kept == done.kept
    assert (files_below(project), (here.caller.home / ".codex").exists()) == (before, False)
    left = files_below(config.parent)
    assert left.keys() == homes.keys()
    assert json5.loads(left["openclaw.json"].decode()) == json5.loads(
        homes["openclaw.json"].decode()
    )
    assert here.git.commit(done.change.commit or "").message.headline == "remove the skill"
    here.close()
    assert not here.place.shared.exists()


def test_deinit_names_what_it_cannot_take_out_and_leaves_what_others_need(
    here: Workspace, config: Path
) -> None:
    put_in(here, openclaw)
    put_in(here, codex)
    broken = here.caller.home / ".codex" / "config.toml"
    broken.write_text(broken.read_text() + "[[")
    config.unlink()
    done = deinit(Workspace(here.place, here.caller._replace(actor=OPERATOR)))
    assert [one.rpartition("Later: ")[2] for one in done.kept if "Later" in one] == [
        "clawgit connect openclaw --remove", "clawgit connect codex --remove",
    ]  # fmt: skip
    assert not here.place.shared.exists()


# OpenClaw


def test_openclaw_gets_skill_hook_and_server_once_and_gives_them_back(
    here: Workspace, config: Path
) -> None:
    before = files_below(config.parent)
    planned = connect(here.dry(), Connection(openclaw))
    assert files_below(config.parent) == before

    done = put_in(here, openclaw)
    [copy] = [Path(one.backup) for one in done.files if one.backup]
    assert copy.read_bytes() == before["openclaw.json"]
    assert copy.is_relative_to(here.caller.home / ".local/state/clawgit")
    # It is for the user alone, and no answer shows what is secret in there.
    assert (copy.stat().st_mode & 0o777, copy.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert "botToken" in done.files[-1].diff
    assert not any(TOKEN in one.diff for one in done.files)
    assert actions(done) == actions(planned) == {
        "SKILL.md": "added", "HOOK.md": "added", "handler.js": "added", "clawgit.json": "added",
        "openclaw.json": "changed",
    }  # fmt: skip
    text = config.read_text()
    told = json5.loads(text)
    assert told["hooks"]["internal"] == {"enabled": True, "entries": {"clawgit": {"enabled": True}}}
    server = told["mcp"]["servers"]["clawgit"]
    assert (server["args"], server["cwd"]) == (["-C", str(here.root), "mcp"], str(here.root))
    assert Path(server["command"]).is_absolute()
    rows = json.loads((config.parent / "hooks/clawgit/clawgit.json").read_text())
    assert rows["workspaces"] == {"main": str(here.root)}
    assert here.git.commit(str(done.change.commit)).message.op == "agent/connect"
    assert (here.root / SKILL).is_file()

    again = put_in(here, openclaw)
    assert set(actions(again).values()) == {"unchanged"}
    assert (again.change.commit, again.change.changed, again.steps) == (None, (), ())

    out = taken_out(here, openclaw)
    assert files_below(config.parent) == before
    assert not (config.parent / "hooks" / "clawgit").exists()
    assert not (here.root / SKILL).exists()
    assert out.change.commit
    assert set(actions(taken_out(here, openclaw)).values()) == {"unchanged"}


def test_a_config_with_comments_is_left_alone_until_ours_stands_there(
    here: Workspace, config: Path
) -> None:
    config.write_text(f"// mine\n{config.read_text()}")
    before = files_below(config.parent)
    with pytest.raises(ClawgitError, match="comments") as refused:
        put_in(here, openclaw)
    assert files_below(config.parent) == before
    ours = json5.loads(str(refused.value.hint).partition("\n")[2])
    told = {**json5.loads(config.read_text()), **ours}
    config.write_text(f"// mine\n{json.dumps(told)}")
    assert actions(put_in(here, openclaw))["openclaw.json"] == "unchanged"


def test_what_the_user_edited_since_stays_when_it_is_taken_out(
    here: Workspace, config: Path
) -> None:
    before = config.read_text()
    put_in(here, openclaw)
    config.write_text(config.read_text().replace("{", '{"mine": 1,', 1))
    skill, page = here.root / SKILL, config.parent / "hooks/clawgit/HOOK.md"
    skill.write_text(skill.read_text() + "\nAnd be kind.\n")
    page.write_text("mine")

    out = taken_out(here, openclaw)

    assert json.loads(config.read_text()) == {"mine": 1, **json5.loads(before)}
    assert actions(out) | {"clawgit.json": ""} == {
        "openclaw.json": "changed", "clawgit.json": "", "handler.js": "removed", "HOOK.md": "kept",
        "SKILL.md": "kept",
    }  # fmt: skip
    assert page.read_text() == "mine"
    assert skill.is_file()
    assert len([note for note in out.notes if "stays" in note]) == 2


def test_several_agents_share_the_hook_until_the_last_one_leaves(
    here: Workspace, config: Path, tmp_path: Path
) -> None:
    other = Git(tmp_path / "second")
    other.root.mkdir()
    other("init", "-q")
    agents = f"list: [{{id: 'main'}}, {{id: 'work', workspace: '{other.root}'}}], defaults:"
    config.write_text(config.read_text().replace("defaults:", agents))
    before = files_below(config.parent)
    second = Workspace(find_repo(other.root), here.caller)
    put_in(here, openclaw)
    done = put_in(second, openclaw)
    assert done.name == "clawgit-work"
    servers = json5.loads(config.read_text())["mcp"]["servers"]
    assert [one["cwd"] for one in servers.values()] == [str(here.root), str(other.root)]

    taken_out(here, openclaw)
    told = json5.loads(config.read_text())
    assert list(told["mcp"]["servers"]) == ["clawgit-work"]
    assert told["hooks"]["internal"]["entries"] == {"clawgit": {"enabled": True}}
    rows = json.loads((config.parent / "hooks/clawgit/clawgit.json").read_text())
    assert rows["workspaces"] == {"work": str(other.root)}

    taken_out(second, openclaw)
    assert files_below(config.parent).keys() == before.keys()
    assert json5.loads(config.read_text()) == json5.loads(before["openclaw.json"].decode())
    second.close()


def test_a_switch_and_a_server_of_the_user_s_own_are_left_alone(
    here: Workspace, config: Path
) -> None:
    whole = config.read_text()
    config.write_text(
        whole.replace("  agents", "  hooks: { internal: { enabled: true } },\n  agents")
    )
    done = put_in(here, openclaw)
    assert json5.loads(config.read_text())["hooks"] == {"internal": {"enabled": True}}
    assert not any("runs no hook" in note for note in done.notes)
    taken_out(here, openclaw)
    theirs = whole.replace("  agents", "  mcp: {servers: {clawgit: {command: 'mine'}}},\n  agents")
    config.write_text(theirs)
    taken_out(here, openclaw)
    assert config.read_text() == theirs
    with pytest.raises(ConflictError, match="clawgit is yours"):
        put_in(here, openclaw)
    assert config.read_text() == theirs


def test_nothing_is_written_where_one_file_may_not_be(here: Workspace, config: Path) -> None:
    state = config.parent
    config.chmod(0o400)
    before = files_below(state)
    with pytest.raises(PathRefusedError, match="read-only") as told:
        put_in(here, openclaw)
    assert told.value.hint == f"chmod u+w '{config}'"
    config.chmod(0o600)
    real = config.rename(here.caller.home / "dotfile.json")
    config.symlink_to(real)
    with pytest.raises(PathRefusedError, match="is a symlink to") as told:
        put_in(here, openclaw)
    assert "--dry-run" in told.value.hint

    assert files_below(state) == before
    assert not (here.root / SKILL).exists()
    assert connect(here.dry(), Connection(openclaw)).files[-1].diff


def test_what_is_missing_or_broken_is_told_with_the_next_step(here: Workspace) -> None:
    home = here.caller.home
    with pytest.raises(NotFoundError, match="There is no OpenClaw here"):
        put_in(here, openclaw)
    state = home / ".openclaw"
    state.mkdir()
    with pytest.raises(NotFoundError, match="No agent of OpenClaw lives in") as told:
        put_in(here, openclaw)
    assert f"main: {state / 'workspace'}" in told.value.hint
    (state / "workspace").symlink_to(here.root)
    with pytest.raises(NotFoundError, match="no config") as told:
        put_in(here, openclaw)
    assert told.value.hint.startswith("openclaw setup")
    (state / "openclaw.json").write_text("{\n  agents: {\n")
    with pytest.raises(ClawgitError, match=r"openclaw\.json: It is not an object of JSON"):
        put_in(here, openclaw)


# Claude Code, Cursor, Codex


def test_claude_code_gets_a_server_and_three_hooks(here: Workspace, tmp_path: Path) -> None:
    project = tmp_path / "my shop"
    (project / ".claude").mkdir(parents=True)
    settings = project / ".claude" / "settings.local.json"
    settings.write_text(
        '{\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]\n '
        " }\n}\n"
    )
    before = files_below(project)
    with pytest.raises(UsageError, match="not a project"):
        put_in(here, claude_code, project=here.caller.home)
    put_in(here, claude_code, project=project)
    done = put_in(here, claude_code, project=project)

    assert done.change.changed == ()
    server = json.loads((project / ".mcp.json").read_text())["mcpServers"]["clawgit"]
    assert server["args"] == ["-C", str(here.root), "mcp"]
    hooks = json.loads(settings.read_text())["hooks"]
    assert {moment: len(rows) for moment, rows in hooks.items()} == {
        "Stop": 2,
        "SessionStart": 1,
        "UserPromptSubmit": 1,
    }
    assert hooks["SessionStart"][0]["matcher"] == "startup|clear|compact"
    assert hooks["Stop"][1]["hooks"][0]["command"].endswith(
        f" -C {here.root} connect event || exit 1"
    )

    taken_out(here, claude_code, project=project)
    assert files_below(project) == before


def test_cursor_and_codex_get_a_server_and_give_it_back(here: Workspace, tmp_path: Path) -> None:
    home = here.caller.home
    (home / ".codex").mkdir()
    table = '# mine\nmodel = "o"\n'
    (home / ".codex" / "config.toml").write_text(table)
    put_in(here, cursor)
    put_in(here, codex)
    put_in(here, cursor, project=tmp_path)

    told = [
        json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["clawgit"],
        json.loads((tmp_path / ".cursor/mcp.json").read_text())["mcpServers"]["clawgit"],
        tomllib.loads((home / ".codex/config.toml").read_text())["mcp_servers"]["clawgit"],
    ]
    assert told[0] == told[1] == told[2]
    assert put_in(here, codex).change.changed == ()
    for client, project in ((cursor, None), (codex, None), (cursor, tmp_path)):
        taken_out(here, client, project)
    assert not (home / ".cursor").exists()
    assert not (tmp_path / ".cursor").exists()
    assert (home / ".codex/config.toml").read_text() == table
