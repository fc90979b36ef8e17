"""Completion: what a shell is offered for a word that is being typed."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from clawgit.cli.command_table import OWN_NAMES
from clawgit.cli.completion import TAKES, kind_of, teach
from clawgit.cli.given import Options, running
from clawgit.cli.root import cli, run
from clawgit.ops.workspace.completing import SOURCES
from tests.conftest import Git

CORRECTION = (
    "\n## ab12cd · 2026-02-01T09:00:00+00:00\n- Agent said: Paris.\n- Correct: Berlin.\n"
    "- Status: confirmed\n"
)


def completed(root: Path, *typed: str) -> dict[str, str]:
    """What is offered for the last word, each with what is said beside it."""
    teach(cli, " ".join(typed))
    given = Options()
    given.directory = str(root)
    with running(given):
        offered = ShellComplete(cli, {}, "clawgit", "_CLAWGIT_COMPLETE").get_completions(
            [*typed[:-1]], typed[-1]
        )
    return {item.value: item.help or "" for item in offered}


@pytest.fixture
def agent(ws: Git) -> Git:
    ws.write("CONFIG.md", "# Settings\n")
    ws.write(
        "MEMORY.md",
        "# Memory\n\n- Billing uses PostgreSQL. #decision <!-- claw:m7k2q9 conf=0.95 -->\n",
    )
    ws.write("CORRECTIONS.md", CORRECTION)
    ws.commit_all("Learn about billing\n\nClawgit-Id: kkmmppqq")
    return ws


def test_words_are_offered_for_what_a_parameter_means(agent: Git) -> None:
    at = agent.root
    assert "kkmmppqq" in completed(at, "show", "kk")
    assert completed(at, "show", "kk")["kkmmppqq"].endswith("Olga Operator: Learn about billing")
    assert [*completed(at, "restore", "mem")] == ["memory/2026-02-13.md", "memory/"]
    assert completed(at, "why", "m7") == {"m7k2q9": "Billing uses PostgreSQL. #decision"}
    assert "MEMORY.md" in completed(at, "why", "ME")
    assert [*completed(at, "memory", "get", "--at", "y")] == ["yesterday"]
    assert "soul_max_tokens" in completed(at, "config", "set", "soul_max_t")
    assert [*completed(at, "agent", "run", "soul")] == ["soul-keeper"]
    assert completed(at, "corrections", "archive", "a") == {"ab12cd": "Berlin."}
    assert completed(at, "soul", "approve", "") == {}


def test_a_change_that_was_made_by_hand_is_offered_by_its_hash(agent: Git) -> None:
    by_hand = agent("rev-parse", "--short", "HEAD~1").strip()

    assert by_hand in completed(agent.root, "undo", "")


def test_where_no_workspace_is_a_shell_is_told_nothing(tmp_path: Path) -> None:
    assert completed(tmp_path, "show", "") == {}


def test_every_id_revision_and_path_in_the_help_is_completed() -> None:
    unknown = [
        f"{path}: {called}"
        for path, param, context in _parameters()
        if not kind_of(param, path, context)
        and (called := param.make_metavar(context)).strip("[].")
        in ("ID", "REV", "PATH", "ENTRY", "PLACE", "ID|DATE")
        and f"{path} {called.strip('[].')}" not in TAKES
    ]

    assert unknown == []
    assert {kind for kind in TAKES.values() if kind} == {*SOURCES}


def _parameters() -> Iterator[tuple[str, click.Parameter, click.Context]]:
    def below(
        command: click.Command, path: str, parent: click.Context
    ) -> Iterator[tuple[str, click.Parameter, click.Context]]:
        context = click.Context(command, info_name=path, parent=parent)
        yield from ((path, param, context) for param in command.params)
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                found = command.get_command(context, name)
                assert found is not None
                yield from below(found, f"{path} {name}", context)

    top = click.Context(cli, info_name="clawgit")
    for name in OWN_NAMES:
        command = cli.get_command(top, name)
        assert command is not None
        yield from below(command, name, top)


def test_a_real_bash_completes_an_id(agent: Git) -> None:
    script = (
        f"PATH={Path(sys.executable).parent}:$PATH\n"
        'eval "$(clawgit completion bash)"\n'
        "COMP_WORDS=(clawgit undo kkm); COMP_CWORD=2; _clawgit_completion clawgit; echo "
        '"${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", script], cwd=agent.root, capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr) == ("kkmmppqq\n", "")


@pytest.mark.parametrize(
    ("shell", "sign"),
    [("zsh", "#compdef clawgit"), ("fish", "complete --no-files --command clawgit")],
)
def test_other_shells_get_a_script_of_their_own(
    shell: str, sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["completion", shell]) == 0
    assert sign in capsys.readouterr().out
