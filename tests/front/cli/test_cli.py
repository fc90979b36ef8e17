"""The command line's own behaviour: errors with a next step, exit codes, JSON, who calls, the
clock."""

import re
from pathlib import Path

import click
import pytest

from clawgit.core.config.settings import KEYS
from clawgit.front.cli import root as front
from clawgit.terminal.command_table import EVERYDAY, TABLE, UNLISTED, every_command
from tests.conftest import Git
from tests.each import for_each
from tests.front.cli.typed import call


@pytest.fixture
def agent(tmp_path: Path) -> Git:
    assert call("init", str(tmp_path / "agent")).code == 0
    return Git(tmp_path / "agent")


def command_of(path: str) -> click.Command:
    command: click.Command | None = front.cli
    context = click.Context(front.cli, info_name="clawgit")
    for word in path.split():
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
    assert command is not None
    return command


@for_each("path", [path for path, _ in every_command()])
def test_every_command_explains_itself_and_the_list_shows_its_first_line(path: str) -> None:
    command = command_of(path)
    above = command_of(path.rpartition(" ")[0])
    assert command.help is not None
    assert command.help.splitlines()[0] == above.summary(path.rsplit(maxsplit=1)[-1])  # type: ignore[attr-defined]
    assert "Example" in command.help


def test_help_lists_every_command_in_groups_one_line_each() -> None:
    shown = call("--help", COLUMNS="80")
    lines = shown.out.splitlines()
    assert shown.code == 0
    for name in front.cli.places:
        listed = [line for line in lines if line.startswith(f"  {name} ")]
        assert len(listed) == (name not in TABLE[""][UNLISTED]), name
        assert all(line.endswith(front.cli.summary(name)) for line in listed)
    assert max(map(len, lines)) <= 80
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings[1] == f"{EVERYDAY}:"
    everyday = lines[lines.index(f"{EVERYDAY}:") + 1 :][:13]
    assert [line.split()[0] for line in everyday] == [
        "status", "log", "diff", "undo", "redo", "restore", "why", "sync", "search", "add",
        "context", "soul", "connect",
    ]  # fmt: skip


def test_a_group_alone_shows_its_state_and_what_can_be_done(agent: Git) -> None:
    for path in ("soul", "memory", "chat", "hooks"):
        told = call(path, cwd=agent.root)
        state, _, commands = told.out.partition("Commands:\n")
        assert (path, told.code, bool(state.strip())) == (path, 0, True)
        assert all(f"  {name} " in commands for name in TABLE[path]["Commands"])
        assert isinstance(call(path, "--json", cwd=agent.root).json, dict)


SHORT_FORMS = [
    (("search", "tea", "--json"), ("memory", "search", "tea", "--json")),
    (("blame", "--json"), ("soul", "blame", "--json")),
    (("memory", "organize", "--dry-run"), ("agent", "run", "organizer", "--dry-run")),
    (("soul", "drift"), ("soul", "log", "--drift")),
    (("chat", "list"), ("chat", "search")),
    (("memory", "search", "--query", "tea"), ("memory", "search", "tea")),
]


def test_short_forms_and_former_names_do_what_the_command_does(agent: Git) -> None:
    def shown(words: tuple[str, ...]) -> str:
        told = call(*words, cwd=agent.root)
        assert told.code == 0, words
        return re.sub(r'run r[0-9a-f]+|"elapsedMs".*', "", told.out)

    for typed, words in SHORT_FORMS:
        assert shown(typed) == shown(words)


@for_each(
    "typed, meant",
    [
        (["lgo"], "Did you mean clawgit log"),
        (["compact"], "memory compact"),
        (["conf"], "Did you mean clawgit conflicts or clawgit config"),
        (["memory", "triage"], "Did you mean clawgit triage?"),
        (["schedule", "instal"], "Did you mean clawgit schedule install or "),
        (["log", "--jsn"], "--json"),
        (["xyzzyx"], "No such command"),
    ],
)
def test_a_wrong_word_names_the_nearest_command(typed: list[str], meant: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        front.cli.main(typed, standalone_mode=False, prog_name="clawgit")
    assert meant in refused.value.format_message()


def test_what_only_previews_says_so_and_names_apply(agent: Git) -> None:
    for name in ("promote", "compact", "tidy"):
        told = call("memory", name, cwd=agent.root).err
        assert "preview, nothing written; --apply writes" in told, name
        assert "preview" not in call("memory", name, "--apply", cwd=agent.root).err, name


def test_config_shows_what_differs_and_all_of_it_on_request(agent: Git) -> None:
    bare = call("config", cwd=agent.root, CLAWGIT_MAX_RESULTS="9").out
    assert "max_results" in bare
    assert "soul_max_tokens" not in bare
    assert f"of {len(KEYS)} settings are at their defaults: clawgit config --all" in bare
    everything = call("config", "--all", cwd=agent.root).out
    assert all(f"\n{name} " in f"\n{everything}" for name in KEYS)
    listed = call("config", "--json", cwd=agent.root).json["settings"]
    assert [setting["key"] for setting in listed] == [*KEYS]


MISTAKES = [
    (("lgo",), 2, "Did you mean clawgit log", "--help"),
    (("log", "--bogus"), 2, "No such option", "clawgit log --help"),
    (("memory", "search", "tea", "--at", " "), 2, "Name a change id", "search --help"),
    (("context", "--at", ""), 2, "Name a change id", "clawgit context --help"),
    (("memory", "search", "tea", "--soruce", "x"), 2, "'--source'?", "search"),
    (("memory", "search", "tea", "--min-score", "x"), 2, "'x' is not a valid float range", "search"),
    (("conflicts", "resolve", "k3x9ab"), 2, "Choose from: a, b, both", "resolve --help"),
    (("undo", "nothing-like-it"), 1, "nothing-like-it", ""),
    (("undo", "MEMORY.md"), 1, "'MEMORY.md' is neither", "clawgit restore 'MEMORY.md'"),
    (("restore", "../outside.md", "--at", "HEAD"), 2, "outside the workspace", "inside"),
    (("--now", "tomorrow-ish", "status"), 2, "is not a time", "ISO 8601"),
    (("--now", "0001-01-01", "status"), 2, "cannot store", "1971"),
    (("--now", "2107-01-01T00:00:00+00:00", "status"), 2, "cannot store", "2105"),
    (("--actor", "operator", "snapshot"), 2, "cannot be 'operator'", "you are the operator"),
    (("why", "MEMORY.md"), 2, "is a file", "clawgit why 'MEMORY.md:1'"),
    (("--actor", "clawgit", "snapshot"), 2, "clawgit's own names", "--actor my-agent"),
    (("--actor", "op\u0435rator", "snapshot"), 2, "not a valid actor name", "a to z"),
    (("connect", "cursor", "--project", "nowhere"), 2, "'nowhere' does not exist", "connect --help"),
    (("agent", "edit", "organizer"), 2, "organizer has no prompt", "One of: memory-miner"),
    (("agent", "run", "gardener"), 2, "gardener", ""),
    (("session", "reset-check", "--last", "soon"), 2, "nor a time", ""),
    (("run", "--drop", "1"), 1, "no item 1 in the queue", ""),
    (("run", "--drop", "99999999999999999999"), 2, "99999999999999999999", ""),
    (("log", "NOPE.md"), 1, "touches NOPE.md", "--stat"),
    (("config", "get", "soul_max_token"), 2, "soul_max_token", "soul_max_tokens"),
    (("config", "set", "soul_max_tokens", "many"), 2, "soul_max_tokens", ""),
]  # fmt: skip


def test_a_mistake_gets_a_message_a_next_step_and_its_code(agent: Git) -> None:
    before = agent.head()
    for args, code, says, next_step in MISTAKES:
        done = call(*args, cwd=agent.root)
        assert (done.code, done.out) == (code, ""), args
        assert says in done.err, args
        assert next_step in done.err, args
        assert "next:" in done.err, args
        shaped = call("--json", *args, cwd=agent.root)
        error = shaped.json["error"]
        assert (shaped.code, says in error["message"]) == (code, True)
        assert error["kind"]
        assert error["hint"]
    assert (agent.head(), agent.status()) == (before, "")


def test_the_workspace_is_named_by_option_by_environment_or_by_the_folder(
    agent: Git, git: Git, tmp_path: Path
) -> None:
    shown = [
        call("-C", str(agent.root), "log", "--json", cwd=tmp_path).json,
        call("log", "--json", cwd=tmp_path, CLAWGIT_WORKSPACE=str(agent.root)).json,
        call("log", "--json", cwd=agent.root / "memory").json,
    ]
    assert shown[0] == shown[1] == shown[2]
    # Elsewhere it is told how to make one.
    for folder, says in ((tmp_path, "clawgit init"), (git.root, "not a clawgit workspace")):
        done = call("log", cwd=folder)
        assert (done.code, says in done.err) == (1, True)


def test_a_folder_that_is_gone_is_said_and_another_can_be_named(agent: Git, tmp_path: Path) -> None:
    for words in (("status",), ("-C", "ws", "status"), ("init",), ("init", "notes")):
        with pytest.MonkeyPatch.context() as patch:
            gone = tmp_path / "gone"
            gone.mkdir()
            patch.chdir(gone)
            gone.rmdir()
            told = call(*words)
            # What the message names is how to go on.
            elsewhere = call("-C", str(agent.root), "log", "MEMORY.md")
        assert (told.code, "The current folder is gone" in told.err) == (2, True), words
        assert "clawgit -C" in told.err
        assert elsewhere.code == 0, elsewhere


def test_openclaws_workspace_is_named_where_the_folder_is_in_none(
    agent: Git, tmp_path: Path
) -> None:
    config = Path.home() / ".openclaw/openclaw.json"
    config.parent.mkdir()
    config.write_text(f"{{agents: {{defaults: {{workspace: '{agent.root}'}}}}}}")
    told = call("memory", "add", "Ana likes tea.", "--json", cwd=tmp_path)
    assert told.json["changed"] == ["MEMORY.md"]
    named = f"note: this folder is in no workspace; the command is for {agent.root}\n"
    assert told.err == named
    assert call("status", cwd=agent.root / "memory").err == ""
    assert call("-C", str(agent.root), "status", cwd=tmp_path).err == ""


def test_whoever_has_no_terminal_is_an_agent_and_may_have_a_name(agent: Git) -> None:
    (agent.root / "USER.md").write_text("# changed\n")
    call("snapshot", "-m", "mine", "--actor", "Ember", cwd=agent.root)
    assert agent("log", "-1", "--format=%an %ae").strip() == "Ember ember@clawgit.invalid"


def test_a_bug_says_where_its_log_is_and_ends_with_3(
    agent: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("clawgit.workspace.workspace.find_repo", lambda *_: 1 / 0)
    told = call("log", cwd=agent.root, XDG_STATE_HOME=str(tmp_path / "state"))
    log = tmp_path / "state/clawgit/crash.log"
    assert (told.code, str(log) in told.err) == (3, True)
    assert "ZeroDivisionError" in log.read_text()


def test_the_prompt_of_an_agent_is_changed_from_a_file(agent: Git) -> None:
    new = agent.write("new.txt", "# Memory Miner\n\nOnly decisions.\n")
    edit = ("agent", "edit", "memory-miner", "--file", str(new))
    before = (agent.root / "agents/memory-miner/SOUL.md").read_text()
    assert "+Only decisions." in call(*edit, "--dry-run", cwd=agent.root).out
    assert call(*edit, "--json", cwd=agent.root).json["held"], "who calls is no operator"
    assert (agent.root / "agents/memory-miner/SOUL.md").read_text() == before
