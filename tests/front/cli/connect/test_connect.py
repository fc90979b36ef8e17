"""`connect` as it is typed."""

import re
import shlex
from collections.abc import Iterator

import click
import pytest
import yaml

from clawgit.core.resources import resource
from clawgit.front.cli.root import cli
from tests.conftest import Git
from tests.front.cli.typed import call, piped, typed

said, _ = typed("connect")


def test_a_hook_is_answered_and_never_with_the_code_that_blocks(
    here: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sent, code, answered in (
        ('{"hook_event_name": "SessionStart"}', 0, "Be kind."),
        ('{"hook_event_name": "PreToolUse"}', 0, ""),
        ("nonsense", 1, ""),
    ):
        piped(monkeypatch, sent)
        told = call("connect", "event")
        assert (told.code, bool(told.out)) == (code, bool(answered)), sent
        assert answered in told.out
        assert ("There is no event" in told.err) is (code == 1)


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
    page = (TEMPLATES / "hook/HOOK.md").read_text("utf-8")
    told = yaml.safe_load(page.split("---\n")[1])["metadata"]["openclaw"]["events"]
    handler = (TEMPLATES / "hook/handler.js").read_text("utf-8")
    assert sorted(told) == sorted(re.findall(r'^  "([a-z:-]+)": \w+,$', handler, re.MULTILINE))
