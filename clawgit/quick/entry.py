"""The quick start: a simple `memory add` by an agent is written by `clawgit run serve`.

Only the code that asks it is loaded. Everything else goes the usual way, through `clawgit.cli`, so
nothing is refused or explained here.
"""

import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence

from clawgit import garbage
from clawgit.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawgit.stores.asking import Asked

_COMMAND = ["memory", "add"]
_SHARED = {"--actor": "actor", "-C": "directory"}
_OWN = {
    **_SHARED,
    "--tag": "tag",
    "--to": "to",
    "--source": "source",
    "--evidence": "evidence",
    "--session": "session",
}
"""Options with a value, before the command and after it."""

_SOURCES = ("", "explicit", "inferred")
_LONGEST_NAME = 16
"""The characters of an actor's name that cannot be a secret. Other names go the usual way."""

_ELSEWHERE = ("_CLAWGIT_COMPLETE", "CLAWGIT_NOW", "FORCE_COLOR")
"""Variables that ask for more than the write."""

_INTERRUPTED = 130

_PLAIN = {
    "actor": "agent", "directory": "", "tag": "", "to": "", "source": "", "session": "",
}  # fmt: skip


class PlainAdd(NamedTuple):
    """A `memory add` of one fact, as it was typed."""

    text: str
    options: Mapping[str, str]
    evidence: tuple[str, ...]
    as_json: bool


def main() -> None:
    """Runs one command line and exits with its code."""
    garbage.look_seldom()
    try:
        done, asked = _warm(sys.argv[1:])
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
    if done is None:
        # Loaded here, so that a command which the service answers does not wait for it.
        from clawgit.cli import main as usual  # noqa: PLC0415 - click and the commands, 20 ms

        usual(asked=asked)
        return
    _say(done)
    # All is said and nothing is open: Python would only tidy up what it has loaded, for 2 ms.
    os._exit(0)


def plain(arguments: Sequence[str]) -> PlainAdd | None:
    """A command line that adds a fact and asks for nothing unusual; None for any other."""
    words: list[str] = []
    options = dict(_PLAIN)
    evidence: list[str] = []
    as_json = False
    rest = iter(arguments)
    for argument in rest:
        known = _OWN if len(words) >= len(_COMMAND) else _SHARED
        if not argument.startswith("-"):
            words.append(argument)
        elif len(words) == 1:
            return None
        elif argument == "--json":
            as_json = True
        else:
            name, value = _option(argument, rest)
            if name not in known or not value or value.startswith("-"):
                return None
            if known[name] == "evidence":
                evidence.append(value)
            options[known[name]] = value
    if words[:-1] != _COMMAND or not words[-1]:
        return None
    options.pop("evidence", None)
    return PlainAdd(words[-1], options, tuple(evidence), as_json)


def _option(argument: str, rest: Iterator[str]) -> tuple[str, str]:
    name, sign, value = argument.partition("=")
    return (name, value) if sign else (argument, next(rest, ""))


def _warm(arguments: Sequence[str]) -> "tuple[str | None, Asked | None]":
    """What the service has to print of a change; else None, and what it was asked, if it was."""
    adding = plain(arguments)
    if adding is None or not _is_agents(adding):
        return None, None
    folder = _folder_of_service(adding.options["directory"])
    if not folder:
        return None, None
    # Loaded here: other commands do not need it.
    from clawgit.quick.adding import add  # noqa: PLC0415 - sockets, 1 ms of every command

    return add(folder, adding)


def _is_agents(adding: PlainAdd) -> bool:
    """Whether the caller is an agent with a plain name, and no terminal is attached.

    A terminal on standard input would be the operator's.
    """
    if sys.stdin is None or sys.stdin.isatty() or sys.stdout.isatty():
        return False
    if not os.environ.keys().isdisjoint(_ELSEWHERE):
        return False
    return _is_plain_name(adding.options["actor"]) and adding.options["source"] in _SOURCES


def _is_plain_name(actor: str) -> bool:
    letters = actor.replace("-", "")
    is_short = actor.isascii() and len(actor) <= _LONGEST_NAME
    return is_short and letters.isalnum() and actor == actor.lower() and actor != "operator"


def _folder_of_service(directory: str) -> str:
    """The folder with the socket of the service for the current workspace; "" if in doubt, as for
    anything but the plain folder of a repository that we own.
    """
    named = directory or os.environ.get("CLAWGIT_WORKSPACE")
    start = os.path.join(os.getcwd(), named) if named else os.getcwd()  # noqa: PTH109, PTH118 - pathlib takes 5 ms to load
    folder = _repository_above(start)
    if not folder:
        return ""
    git = f"{folder}/.git"
    private = f"{git}/clawgit"
    # A link there leads to the service of another workspace.
    if os.path.lexists(f"{git}/commondir") or os.path.islink(private):  # noqa: PTH114 - as above
        return ""
    is_ours = _is_file(f"{git}/HEAD") and _is_ours(folder, git)
    return private if is_ours and _is_socket(private) else ""


def _repository_above(folder: str) -> str:
    """The nearest folder with a `.git`, from this one up; "" without one, and in a bare one."""
    if ".." in folder.split("/") or not os.path.isdir(folder):  # noqa: PTH112 - as above
        return ""
    while not os.path.lexists(f"{folder}/.git"):
        above = os.path.dirname(folder.rstrip("/"))  # noqa: PTH120 - as above
        if above == folder or _is_file(f"{folder}/HEAD"):
            return ""
        folder = above
    return folder


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
