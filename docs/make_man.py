# ruff: noqa: INP001 - a script, no package
"""Writes man pages from the commands themselves to a folder (dist/man); `--check` only tries
whether it can.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from clawgit import __version__
from clawgit.front.cli.root import cli
from clawgit.terminal.text import Options

SHORT = ("search", "add")
"""The commands of `memory` that are listed by themselves, too."""

OWN_NAMES = [name for name in cli.list_commands(click.Context(cli)) if name not in SHORT]

FOLDER = Path(__file__).parents[1] / "dist" / "man"

EXIT_STATUS = """\
0 success; 1 an expected failure, or a check that found problems; 2 wrong usage; 3 a bug in clawgit; 130 interrupted."""

FILES = """\
CONFIG.md in the workspace holds the settings. Everything else that clawgit stores in the workspace is in .git/clawgit."""

_SHARED = frozenset(vars(Options))


def pages() -> dict[str, str]:
    """Every page by the name of its file: one for clawgit, one for each command with those below
    it.
    """
    top = click.Context(cli, info_name="clawgit")
    found = {"clawgit.1": _front(top)}
    for name in OWN_NAMES:
        command = cli.get_command(top, name)
        if command is None:
            raise LookupError(name)
        found[f"clawgit-{name}.1"] = _page(command, name, top)
    return found


def _front(top: click.Context) -> str:
    parts = [
        _title("clawgit", (cli.help or "").splitlines()[0]),
        *_section("SYNOPSIS", [_bold("clawgit"), "[OPTIONS] COMMAND \\&..."]),
        *_section("DESCRIPTION", _prose(cli)),
        *_section("OPTIONS", _options(top, shared=True)),
        *_section("COMMANDS", _list()),
        *_section("FILES", [_plain(FILES)]),
        *_section("EXIT STATUS", [_plain(EXIT_STATUS)]),
        *_section("SEE ALSO", ["git(1)"]),
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _list() -> list[str]:
    rows = [_item(f"{_bold(f'clawgit-{name}')}(1)", cli.summary(name)) for name in OWN_NAMES]
    rows += [_item(_bold(f"clawgit {name}"), f"Short for clawgit memory {name}.") for name in SHORT]
    return [line for row in rows for line in row]


def _page(command: click.Command, name: str, top: click.Context) -> str:
    context = click.Context(command, info_name=name, parent=top)
    below = [line for inner in _below(command, context) for line in _described(*inner)]
    parts = [
        _title(f"clawgit-{name}", cli.summary(name)),
        *_section("SYNOPSIS", [_usage(context)]),
        *_section("DESCRIPTION", _prose(command)),
        *_section("OPTIONS", _options(context)),
        *_section("COMMANDS", below),
        *_section("EXIT STATUS", [_plain(EXIT_STATUS)]),
        *_section("SEE ALSO", [f"{_bold('clawgit')}(1), for the options that every command takes"]),
    ]
    return "\n".join(parts) + "\n"


def _below(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None:
            inside = click.Context(inner, info_name=name, parent=context)
            yield inner, inside
            yield from _below(inner, inside)


def _described(command: click.Command, context: click.Context) -> list[str]:
    return [
        f".SS {_plain(context.command_path)}",
        _usage(context),
        ".PP",
        *_prose(command),
        *_options(context),
    ]


def _title(name: str, line: str) -> str:
    head = f'.TH {name.upper()} 1 "" "clawgit {__version__}" "clawgit"'
    return f"{head}\n.SH NAME\n{_plain(name)} \\- {_plain(line.rstrip('.'))}"


def _section(name: str, lines: Iterator[str] | list[str]) -> list[str]:
    found = [*lines]
    return [f".SH {name}", *found] if found else []


def _usage(context: click.Context) -> str:
    words = " ".join(context.get_usage().removeprefix("Usage: ").split())
    return f"{_bold(context.command_path)}{_plain(words.removeprefix(context.command_path))}"


def _prose(command: click.Command) -> list[str]:
    text, *examples = inspect.cleandoc(command.help or "").split("Example: ")
    lines = [line for part in text.strip().split("\n\n") for line in (".PP", _plain(part))][1:]
    for example in examples:
        shown = _plain(" ".join(example.split()))
        lines += [".PP", "Example:", ".PP", ".RS 4", shown, ".RE"]
    return lines


def _options(context: click.Context, *, shared: bool = False) -> list[str]:
    records = [
        param.get_help_record(context)
        for param in context.command.get_params(context)
        if isinstance(param, click.Option)
        and shared == (param.name in _SHARED)
        and "--help" not in param.opts
    ]
    return [
        line
        for record in records
        if record
        for line in _item(_bold(record[0]), " ".join(record[1].split()))
    ]


def _item(name: str, text: str) -> list[str]:
    return [".TP", name, _plain(text)]


def _bold(text: str) -> str:
    return f"\\fB{_escaped(text)}\\fR"


def _plain(text: str) -> str:
    """Lines of text as roff takes them: no line is a request, whatever it begins with."""
    return "\n".join(
        f"\\&{line}" if line.startswith((".", "'")) else line
        for line in _escaped(text).splitlines()
    )


def _escaped(text: str) -> str:
    """Characters that mean something to roff, and those that its input cannot hold, by their
    names.
    """
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return "".join(one if one.isascii() else f"\\[u{ord(one):04X}]" for one in plain)


def main() -> int:
    """0, unless a command has no page."""
    made = pages()
    if "--check" in sys.argv:
        return 0
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, text in made.items():
        target = folder / "man1" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    print(f"{len(made)} pages in {folder}: man -M '{folder}' clawgit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
