"""`clawgit` with no command, and links in terminals that take them."""

import json
import os
from pathlib import Path

import pytest

from clawgit.cli import output
from clawgit.cli.output import takes_links
from clawgit.cli.root import run
from clawgit.ops.workspace import overview
from tests.conftest import Git


@pytest.fixture
def agent(ws: Git) -> Git:
    ws.write("CONFIG.md", "# Settings\n")
    ws.commit_all("Settings")
    return ws


def test_in_a_workspace_it_names_it_and_what_waits(
    agent: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL. #decision\n")

    assert run(["-C", str(agent.root)]) == 0
    told = capsys.readouterr().out

    assert told.startswith(f"{agent.root}  main: 1 not committed\n")
    assert "clawgit snapshot " in told
    assert "1 file is not committed yet" in told
    assert told.index("clawgit snapshot") < told.index("clawgit search TEXT")


def test_on_no_branch_it_says_how_to_get_on_one(
    agent: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    agent("checkout", "-q", "--detach")
    agent.write("MEMORY.md", "# Memory\n\n- Billing uses MySQL. #decision\n")
    assert run(["-C", str(agent.root)]) == 0
    told = capsys.readouterr().out
    assert "  git switch NAME, or git switch -c NAME\n    HEAD is on no branch" in told
    # It would refuse.
    assert "clawgit snapshot" not in told


def test_an_alert_comes_first(agent: Git, capsys: pytest.CaptureFixture[str]) -> None:
    agent.write(
        "CORRECTIONS.md",
        "# Put right\n\n## ab12cd · 2026-02-01T09:00:00+00:00\n- Correct: Berlin.\n- Status: "
        "open\n",
    )
    agent.commit_all("A question")

    assert run(["-C", str(agent.root), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert (told["alerts"], told["waits"]) == (1, 0)
    assert told["next"][0]["command"] == "clawgit corrections list --open"


def test_an_old_bootstrap_beside_notes_of_days_asks_for_nothing(
    agent: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.write("BOOTSTRAP.md", "# Begin\n")
    for note in (agent.root / "memory").glob("*.md"):
        note.unlink()
    assert run(["-C", str(agent.root)]) == 0
    assert "BOOTSTRAP.md" in capsys.readouterr().out

    agent.write("memory/2026-02-01.md", "- Met Ana.\n")
    agent.write("memory/2026-02-02.md", "- Met Ben.\n")

    assert run(["-C", str(agent.root)]) == 0
    assert "BOOTSTRAP.md" not in capsys.readouterr().out


def test_outside_of_one_it_says_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert run([]) == 0
    assert "clawgit init ." in capsys.readouterr().out


def test_a_folder_of_openclaw_that_is_no_workspace_yet_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Path(os.environ["HOME"]) / ".openclaw" / "workspace"
    home.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    assert run(["--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert told["workspace"] is None
    assert [one["command"] for one in told["next"]] == [f"clawgit init '{home}'"]


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "4800"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "iTerm.app"}, False),
        ({"TERM": "xterm-kitty", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"}, False),
        ({}, False),
    ],
)
def test_links_go_to_terminals_that_take_them(env: dict[str, str], expected: bool) -> None:
    assert takes_links(on_terminal=True, env=env) is expected
    assert takes_links(on_terminal=False, env=env) is False


def test_a_link_is_text_where_nobody_can_click_and_a_file_address_where_somebody_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert output.linked("MEMORY.md:3", Path("/a b/MEMORY.md")) == "MEMORY.md:3"

    monkeypatch.setenv("FORCE_HYPERLINK", "1")

    assert output.linked("MEMORY.md:3", Path("/a b/MEMORY.md")) == (
        "\x1b]8;;file:///a%20b/MEMORY.md\x1b\\MEMORY.md:3\x1b]8;;\x1b\\"
    )


def test_what_why_and_search_name_can_be_clicked(
    agent: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    monkeypatch.setenv("CLAWGIT_SEARCH_MODE", "core")
    link = f"\x1b]8;;{(agent.root / 'MEMORY.md').as_uri()}\x1b\\MEMORY.md:3\x1b]8;;\x1b\\"

    assert run(["-C", str(agent.root), "why", "MEMORY.md:3"]) == 0
    assert capsys.readouterr().out.startswith(link)
    assert run(["-C", str(agent.root), "memory", "search", "billing"]) == 0
    assert capsys.readouterr().out.startswith(link)


@pytest.mark.parametrize("width", [80, 140])
def test_a_long_command_fits_the_terminal(
    agent: Git, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr("clawgit.cli.columns.terminal_width", lambda: width)
    step = "clawgit show kkkkllll, then clawgit undo kkkkllll or clawgit status --ack kkkkllll"
    found = overview.Here(agent.root, "main", 0, 1, (overview.Next(step, "Why it matters. " * 9),))
    monkeypatch.setattr("clawgit.ops.workspace.overview.here", lambda _: found)
    assert run(["-C", str(agent.root)]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert max(map(len, lines)) <= width
    assert step in " ".join(" ".join(lines).split())
