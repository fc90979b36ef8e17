"""The quick start: a plain search or `memory add` is made without click. An agent's `memory add` is
written by `clawgit run serve` where it runs.

Only the code for that is loaded. Everything else goes the usual way, through `clawgit.cli.root`, so
nothing is refused or explained here.
"""

from __future__ import annotations

import os
import stat
import sys
from typing import NamedTuple

from clawgit import garbage, surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clawgit.stores.asking import Asked

_SHARED = {"--actor": "actor", "-C": "directory"}
_ADD = ("memory", "add")
_SEARCH = {**_SHARED, "-n": "limit", "--top": "limit"}
_COMMANDS: Mapping[tuple[str, ...], Mapping[str, str]] = {
    _ADD: {
        **_SHARED,
        "--tag": "tag",
        "--to": "to",
        "--source": "source",
        "--evidence": "evidence",
        "--session": "session",
    },
    ("memory", "search"): _SEARCH,
    ("search",): _SEARCH,
}
"""The commands that are read here, and their options with a value. Shared ones may come first."""

_SOURCES = ("", "explicit", "inferred")
_LONGEST_NAME = 16
"""The characters of an actor's name that cannot be a secret. Other names go the usual way."""

_ELSEWHERE = ("_CLAWGIT_COMPLETE", "CLAWGIT_NOW", "FORCE_COLOR")
"""Variables that ask for more than the write."""

_INTERRUPTED = 130


class Plain(NamedTuple):
    """A command line that asks for nothing unusual, as it was typed."""

    command: tuple[str, ...]
    words: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    as_json: bool

    def last(self, name: str) -> str:
        """The value of an option; of several the last, "" without one."""
        return self.options.get(name, ("",))[-1]


def main() -> None:
    """Runs one command line and exits with its code."""
    try:
        _main()
    except KeyboardInterrupt:
        # Most of a short command's time goes into loading, where no one else expects Ctrl-C.
        print("interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)


def _main() -> None:
    garbage.look_seldom()
    surroundings.put_in_order(os.environ)
    typed = None if "_CLAWGIT_COMPLETE" in os.environ else plain(sys.argv[1:])
    done, asked = _warm(typed)
    if done is not None:
        _say(done)
        garbage.leave(0)
    # Loaded here: each command loads only what it needs itself.
    if typed is not None:
        from clawgit.quick.here import run  # noqa: PLC0415 - a search or write and what prints it, 60 ms

        run(typed, asked)
    from clawgit.cli.root import main as usual  # noqa: PLC0415 - click and the commands, 25 ms

    usual(asked=asked)


def plain(arguments: Sequence[str]) -> Plain | None:
    """A command line of one of the commands above; None if it is another, or is not plain."""
    command: tuple[str, ...] = ()
    words: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    as_json = False
    rest = iter(arguments)
    for argument in rest:
        is_whole = command in _COMMANDS
        if not argument.startswith("-"):
            words += [argument] if is_whole else []
            command = command if is_whole else (*command, argument)
        elif command and not is_whole:
            return None
        elif argument == "--json":
            as_json = True
        else:
            name, value = _option(argument, rest, _COMMANDS.get(command, _SHARED))
            if not name:
                return None
            options[name] = (*options.get(name, ()), value)
    if command not in _COMMANDS or not words or "" in words:
        return None
    return Plain(command, (*words,), options, as_json)


def _option(argument: str, rest: Iterator[str], known: Mapping[str, str]) -> tuple[str, str]:
    """What an option is called here, and its value; no name if it is not plain."""
    name, sign, value = argument.partition("=")
    if not (sign and name.startswith("--")):
        name, value = argument, next(rest, "")
    is_plain = bool(value) and not value.startswith("-")
    return (known.get(name, ""), value) if is_plain else ("", "")


def _warm(typed: Plain | None) -> tuple[str | None, Asked | None]:
    """What the service has to print of a change; else None, and what it was asked, if it was."""
    if typed is None or typed.command != _ADD or not _is_agents(typed):
        return None, None
    folder = _folder_of_service(typed.last("directory"))
    if not folder:
        return None, None
    # Loaded here: other commands do not need it.
    from clawgit.quick.adding import add  # noqa: PLC0415 - sockets, 1 ms of every command

    return add(folder, typed)


def _is_agents(typed: Plain) -> bool:
    """Whether an agent with a plain name adds one fact, and no terminal is attached.

    A terminal on standard input would be the operator's.
    """
    if sys.stdin is None or sys.stdin.isatty() or sys.stdout.isatty():
        return False
    if not os.environ.keys().isdisjoint(_ELSEWHERE):
        return False
    actor = typed.last("actor")
    is_known = typed.last("source") in _SOURCES and len(typed.words) == 1
    return is_known and (not actor or _is_plain_name(actor))


def _is_plain_name(actor: str) -> bool:
    letters = actor.replace("-", "")
    is_short = actor.isascii() and len(actor) <= _LONGEST_NAME
    return is_short and letters.isalnum() and actor == actor.lower() and actor != "operator"


def _folder_of_service(directory: str) -> str:
    """The folder with the socket of the service for the current workspace; "" if in doubt, as for
    anything but the plain folder of a repository that we own.
    """
    named = directory or os.environ.get("CLAWGIT_WORKSPACE")
    folder = os.path.join(os.getcwd(), named) if named else os.getcwd()  # noqa: PTH109, PTH118 - pathlib takes 5 ms to load
    # In a folder below, which may be another agent's, the usual way says which workspace answers.
    if ".." in folder.split("/"):
        return ""
    git = f"{folder}/.git"
    private = f"{git}/clawgit"
    # A link there leads to the service of another workspace.
    if os.path.lexists(f"{git}/commondir") or os.path.islink(private):  # noqa: PTH114 - as above
        return ""
    is_ours = _is_file(f"{git}/HEAD") and _is_ours(folder, git)
    return private if is_ours and _is_socket(private) else ""


def _is_file(path: str) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - as above


def _is_ours(folder: str, git: str) -> bool:
    """Whether the repository is a folder of our own user, and no link."""
    user = os.geteuid()
    real = os.lstat(os.path.realpath(folder))
    inner = os.lstat(git)
    return real.st_uid == user == inner.st_uid and stat.S_ISDIR(inner.st_mode)


def _is_socket(private: str) -> bool:
    try:
        return stat.S_ISSOCK(os.lstat(f"{private}/serve.sock").st_mode)
    except OSError:
        return False


def _say(text: str) -> None:
    """Prints what the service would have a command print."""
    out = sys.stdout
    try:
        if text:
            out.write(text.encode(out.encoding, "backslashreplace").decode(out.encoding) + "\n")
        out.flush()
    except BrokenPipeError:
        # The reader is gone, as with `| head`.
        return
