"""`connect` as it is typed."""

import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from clawgit.core.resources import resource
from clawgit.front.cli.root import cli, run
from tests.conftest import Git


@pytest.fixture
def config(here: Git) -> Path:
    file = Path(os.environ["HOME"]) / ".openclaw" / "openclaw.json"
    file.parent.mkdir()
    file.write_text(f"{{\n  agents: {{ defaults: {{ workspace: '{here.root}' }} }}, \n}}\n")
    return file


def test_it_is_shown_first_then_done_once_then_taken_out(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = config.read_text()
    assert run(["connect", "openclaw", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert '+        "args": [' in shown
    assert config.read_text() == before

    assert run(["connect", "openclaw"]) == 0
    said = capsys.readouterr().out
    assert f"changed {config}  backup: " in said
    assert "next: Restart OpenClaw's gateway" in said
    assert run(["connect", "openclaw"]) == 0
    assert capsys.readouterr().out.startswith("no change needed for openclaw\n")
    assert run(["connect", "openclaw", "--remove"]) == 0
    assert f"changed {config}" in capsys.readouterr().out
    assert config.read_text() == before


@pytest.mark.parametrize(
    ("told", "code", "said_of_it"),
    [
        ('{"hook_event_name": "SessionStart"}', 0, "Be kind."),
        ('{"hook_event_name": "PreToolUse"}', 0, ""),
        ("nonsense", 1, ""),
    ],
)
def test_a_hook_is_answered_and_never_with_the_code_that_blocks(
    here: Git,
    told: str,
    code: int,
    said_of_it: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(told.encode())))
    assert run(["connect", "event"]) == code
    said = capsys.readouterr()
    assert said_of_it in said.out
    assert bool(said.out) is bool(said_of_it)
    assert ("There is no event" in said.err) is (code == 1)


TEMPLATES = resource("templates") / "openclaw"


def commands_in(page: str) -> Iterator[list[str]]:
    text = (TEMPLATES / page).read_text("utf-8")
    return (shlex.split(found)[1:] for found in re.findall(r"`(clawgit [^`]+)`", text))


@pytest.mark.parametrize("page", ["skill/SKILL.md", "hook/HOOK.md"])
def test_each_command_that_openclaw_is_told_of_is_there_with_its_options(page: str) -> None:
    told = list(commands_in(page))
    assert len(told) > 3
    for words in told:
        found: click.Command = cli
        context = click.Context(cli, **cli.context_settings)  # a command keeps its `-h`
        while isinstance(found, click.Group) and words:
            inner = found.get_command(context, words.pop(0))
            assert inner is not None, words
            found = inner
        known = {option for param in found.get_params(context) for option in param.opts}
        assert {word for word in words if word.startswith("-")} <= known


def test_the_hook_listens_to_what_its_handler_answers() -> None:
    events = yaml.safe_load((TEMPLATES / "hook/HOOK.md").read_text("utf-8").split("---\n")[1])[
        "metadata"
    ]["openclaw"]
    answered = re.findall(
        r'^  "([a-z:-]+)": \w+,$', (TEMPLATES / "hook/handler.js").read_text("utf-8"), re.MULTILINE
    )

    assert sorted(events["events"]) == sorted(answered)
