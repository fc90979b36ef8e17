"""The man pages that `make man` builds from the commands: complete, and clean for the programs that
show them."""

import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import pytest

from clawgit.front.cli.root import cli
from tests.conftest import run_to_end

SCRIPT = Path(__file__).parents[1] / "docs" / "make_man.py"
REQUESTS = (".TH ", ".SH ", ".SS ", ".TP", ".PP", ".RS 4", ".RE")


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    spec = importlib.util.spec_from_file_location("make_man", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Mapping[str, str] = module.pages()
    return made


def test_every_command_has_a_page_with_all_that_is_below_it(pages: Mapping[str, str]) -> None:
    top = click.Context(cli, info_name="clawgit")
    own = [name for name in cli.list_commands(top) if name not in ("search", "add")]
    assert {*pages} == {"clawgit.1", *(f"clawgit-{name}.1" for name in own)}
    for name in own:
        command = cli.get_command(top, name)
        assert command is not None
        for option in _long_options(command):
            shown = option.replace("-", "\\-")
            assert shown in pages[f"clawgit-{name}.1"] or shown in pages["clawgit.1"], (
                f"{name}: {option}"
            )


def _long_options(command: click.Command) -> Iterator[str]:
    for param in command.params:
        if isinstance(param, click.Option) and not param.hidden and param.name != "help":
            yield max(param.opts, key=len)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _long_options(inner)


def test_no_line_is_taken_for_a_request_of_roff(pages: Mapping[str, str]) -> None:
    lines = [line for text in pages.values() for line in text.splitlines()]
    assert [line for line in lines if line.startswith(".") and not line.startswith(REQUESTS)] == []
    assert [line for line in lines if line.startswith("'") or not line.isascii()] == []


@pytest.mark.host
def test_groff_has_nothing_to_say_against_them(pages: Mapping[str, str]) -> None:
    for text in pages.values():
        done = run_to_end("groff", "-ww", "-man", "-Tutf8", input=text)
        assert (done.returncode, done.stderr) == (0, "")
