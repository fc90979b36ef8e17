"""The command line's own behaviour: errors with a next step, exit codes, JSON, who calls, the
clock."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from clawgit import cli as front
from clawgit.cli import COMMANDS, output, run
from tests.cli.conftest import Clawgit
from tests.conftest import Git


@pytest.fixture
def agent(clawgit: Clawgit, tmp_path: Path) -> Git:
    assert clawgit("init", str(tmp_path / "agent")).code == 0
    return Git(tmp_path / "agent")


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself_and_the_table_repeats_its_first_line(name: str) -> None:
    context = front.cli.make_context("clawgit", ["--help"], resilient_parsing=True)
    command = front.cli.get_command(context, name)
    assert command is not None
    assert command.help is not None
    assert command.help.splitlines()[0] == COMMANDS[name].help
    assert "Example" in command.help


def test_help_lists_every_command(clawgit: Clawgit) -> None:
    shown = clawgit("--help")
    assert shown.code == 0
    assert all(f"  {name} " in shown.out for name in COMMANDS)


@pytest.mark.parametrize(
    ("args", "code", "says", "next_step"),
    [
        (("lgo",), 2, "Did you mean log?", "--help"),
        (("log", "--bogus"), 2, "No such option", "clawgit log --help"),
        (("undo", "nothing-like-it"), 1, "nothing-like-it", ""),
        (("restore", "../outside.md", "--at", "HEAD"), 2, "outside the workspace", "inside"),
        (("--now", "tomorrow-ish", "status"), 2, "is not a time", "ISO 8601"),
        (("--now", "0001-01-01", "status"), 2, "a commit can have", "1971"),
        (("--actor", "operator", "snapshot"), 2, "cannot name the operator", "terminal"),
        (("config", "get", "soul_max_token"), 2, "soul_max_token", "soul_max_tokens"),
        (("config", "set", "soul_max_tokens", "many"), 2, "soul_max_tokens", ""),
    ],
)  # fmt: skip
def test_a_mistake_gets_a_message_a_next_step_and_its_code(
    clawgit: Clawgit, agent: Git, args: tuple[str, ...], code: int, says: str, next_step: str
) -> None:
    before = agent.head()
    done = clawgit(*args, cwd=agent.root)
    assert (done.code, done.out) == (code, "")
    assert says in done.err
    assert next_step in done.err
    assert "next:" in done.err
    shaped = clawgit("--json", *args, cwd=agent.root)
    assert shaped.code == code
    error = shaped.json["error"]  # type: ignore[index]
    assert error.keys() >= {"kind", "message", "hint"}
    assert says in error["message"]
    assert error["hint"]
    assert (agent.head(), agent.status()) == (before, "")


def test_outside_of_any_repository(clawgit: Clawgit, tmp_path: Path) -> None:
    done = clawgit("log", cwd=tmp_path)
    assert (done.code, "clawgit init" in done.err) == (1, True)


def test_a_plain_repository_is_no_workspace(clawgit: Clawgit, git: Git) -> None:
    done = clawgit("log", cwd=git.root)
    assert (done.code, "no clawgit workspace" in done.err) == (1, True)


def test_a_bare_repository(clawgit: Clawgit, tmp_path: Path) -> None:
    Git(tmp_path)("init", "-q", "--bare", "x.git")
    done = clawgit("log", cwd=tmp_path / "x.git")
    assert (done.code, "work tree" in done.err) == (1, True)


def test_json_is_taken_before_and_after_the_command(clawgit: Clawgit, agent: Git) -> None:
    before, after = (
        clawgit("--json", "log", cwd=agent.root),
        clawgit("log", "--json", cwd=agent.root),
    )
    assert before.json == after.json


def test_the_workspace_is_named_by_option_by_environment_or_by_the_folder(
    clawgit: Clawgit, agent: Git, tmp_path: Path
) -> None:
    shown = [
        clawgit("-C", str(agent.root), "log", "--json", cwd=tmp_path).json,
        clawgit("log", "--json", cwd=tmp_path, CLAWGIT_WORKSPACE=str(agent.root)).json,
        clawgit("log", "--json", cwd=agent.root / "memory").json,
    ]
    assert shown[0] == shown[1] == shown[2]


def test_openclaw_s_workspace_is_the_last_resort(
    clawgit: Clawgit, agent: Git, tmp_path: Path
) -> None:
    state = Path(os.environ["HOME"]) / ".openclaw"
    state.mkdir()
    (state / "openclaw.json").write_text("{agents: {defaults: {workspace: '%s'}}}" % agent.root)  # noqa: UP031
    assert (
        clawgit("log", "--json", cwd=tmp_path).json == clawgit("log", "--json", cwd=agent.root).json
    )


def test_the_clock_can_be_set(clawgit: Clawgit, agent: Git) -> None:
    (agent.root / "USER.md").write_text("# changed\n")
    done = clawgit("snapshot", "--now", "2026-02-14T09:00:00+01:00", "--json", cwd=agent.root)
    assert agent("log", "-1", "--format=%cI").strip() == "2026-02-14T09:00:00+01:00"
    assert done.json["commit"] == agent.head()  # type: ignore[index]


def test_whoever_has_no_terminal_is_an_agent_and_may_have_a_name(
    clawgit: Clawgit, agent: Git
) -> None:
    (agent.root / "USER.md").write_text("# changed\n")
    clawgit("snapshot", "-m", "mine", "--actor", "Ember", cwd=agent.root)
    assert agent("log", "-1", "--format=%an %ae").strip() == "Ember ember@clawgit.invalid"


def test_a_broken_config_is_told_with_its_line_and_changes_nothing(
    clawgit: Clawgit, agent: Git
) -> None:
    (agent.root / "CONFIG.md").write_text(
        "# Config\n\n```yaml\nsoul_max_tokens: 800\nsoul_polcy: evolve\n```\n"
    )
    done = clawgit("config", "check", cwd=agent.root)
    assert (done.code, "CONFIG.md:5" in done.out, "soul_policy" in done.out) == (1, True, True)


def test_color_follows_the_terminal_and_the_two_variables(clawgit: Clawgit, agent: Git) -> None:
    assert "\x1b[" not in clawgit("log", cwd=agent.root).out
    assert "\x1b[" in clawgit("log", cwd=agent.root, FORCE_COLOR="1").out
    assert "\x1b[" not in clawgit("log", cwd=agent.root, FORCE_COLOR="1", NO_COLOR="1").out


def test_a_bug_says_where_its_log_is_and_ends_with_3(
    agent: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("clawgit.ops.workspace.workspace.find_repo", lambda *_: 1 / 0)
    monkeypatch.chdir(agent.root)
    assert run(["log"]) == 3
    log = tmp_path / "state/clawgit/crash.log"
    assert str(log) in capsys.readouterr().err
    assert "ZeroDivisionError" in log.read_text()


def test_a_bug_is_told_where_its_log_cannot_be_written_too(
    agent: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("clawgit.ops.workspace.workspace.find_repo", lambda *_: 1 / 0)
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    monkeypatch.chdir(agent.root)
    assert run(["log"]) == 3
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert "Its log is nowhere: /dev/null/clawgit/crash.log cannot be written" in said


def test_a_closed_pipe_is_no_error(agent: Git) -> None:
    command = f"{sys.executable} -m clawgit config | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command], cwd=agent.root, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_python_m_clawgit_and_the_version() -> None:
    shown = subprocess.check_output(
        [sys.executable, "-m", "clawgit", "--version"], text=True, timeout=60
    )
    assert shown.startswith("clawgit, version ")


def test_click_s_own_runner_reaches_the_same_commands(
    agent: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(agent.root)
    assert (
        CliRunner().invoke(front.cli, ["config", "get", "soul_max_tokens"], obj=None).output
        == "800\n"
    )


def test_nothing_that_is_shown_acts_on_the_terminal() -> None:
    assert output.shown("a\x1b[31m\x9b31m\u202eb\u2066c") == "a␛[31m�31m�b�c"
