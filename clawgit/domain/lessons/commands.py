"""A command of a shell as it is compared with another: its program, its verb, its words; and what
kind it is.
"""

import re

from clawgit.domain.lessons.tried import Command


def read_command(text: str) -> Command:
    """Reads the first program of a line that does the work; never fails."""
    parts = [part for part in _JOINS.split(text[:_LONGEST]) if part.strip()]
    told = next((part for part in parts if not _BEFORE.match(part)), parts[-1] if parts else "")
    tokens = _unwrapped(told.split())
    program = tokens[0].rpartition("/")[2].strip("\"'()") if tokens else ""
    rest = [token.strip("\"'") for token in tokens[1:]]
    verb = next((token for token in rest if not token.startswith("-")), "")
    if program in _RUNNERS and verb:
        return read_command(" ".join(rest[rest.index(verb) :]))._replace(text=text.strip())
    return Command(text.strip(), program, verb, frozenset(token for token in rest if token))


def is_shell(tool: str) -> bool:
    return tool.lower() in _SHELLS


def is_look(command: Command) -> bool:
    """A command that only looks: that it finds nothing is an answer."""
    return command.program in _LOOKING


def is_test_run(command: Command) -> bool:
    """A command that judges something else: that it fails says something of that, and not of how it
    was called.
    """
    return command.program in _JUDGING or bool(
        _TESTS.search(f"{command.program} {' '.join(sorted(command.words))}")
    )


def is_slip(program: str, other: str) -> bool:
    """Whether the name of a program is another's with a slip of the finger: that is no lesson."""
    return (
        program[:1] == other[:1]
        and abs(len(program) - len(other)) <= 1
        and len({*program} ^ {*other}) <= _SLIP
    )


def is_misuse(error: str) -> bool:
    """Whether a command complains of how it was called, or of what it needs to run at all."""
    return _MISUSED.search(error) is not None


def _unwrapped(tokens: list[str]) -> list[str]:
    """Without what stands before the program: variables, `sudo`, `time`, `env`."""
    while tokens and (_VARIABLE.match(tokens[0]) or tokens[0] in _WRAPPERS):
        tokens = tokens[1:]
    return tokens


_LONGEST = 2_000
_SLIP = 2
_JOINS = re.compile(r"&&|\|\||;|\n|(?<!\|)\|(?!\|)")
_BEFORE = re.compile(r"\s*(?:cd|export|source|\.|set|mkdir|pushd|echo|sleep)\b")
_VARIABLE = re.compile(r"[A-Za-z_]\w*=")
_WRAPPERS = frozenset({"sudo", "time", "env", "nohup", "nice", "command", "exec", "timeout"})
_RUNNERS = frozenset({"npx", "uvx", "poetry", "pipenv", "bunx"})
_SHELLS = frozenset(
    {"bash", "exec", "shell", "sh", "run", "terminal", "run_command", "execute", "process"}
)
_LOOKING = frozenset(
    (
        "ls", "cat", "head", "tail", "grep", "egrep", "rg", "find", "fd", "which", "whereis",
        "type", "test", "[",
        "diff", "cmp", "stat", "file", "wc", "pwd", "echo", "tree", "less", "sed", "awk", "ps",
        "pgrep", "lsof",
        "ping", "true", "false", "cd", "sleep",
    )
)  # fmt: skip
_JUDGING = frozenset((
    "pytest", "jest", "vitest", "mocha", "ruff", "mypy", "eslint", "tsc", "flake8", "pylint",
    "shellcheck", "rspec",
))  # fmt: skip
_TESTS = re.compile(r"\b(?:test|tests|check|lint|typecheck|build|verify)\b")
_MISUSED = re.compile(
    r"unrecognized (?:arguments?|option)|unknown (?:option|flag|command|argument)|invalid "
    r"(?:option|argument|choice)"
    r"|no such option|usage:|command not found|not recognized as|no module "
    r"named|modulenotfounderror|cannot find module"
    r"|permission denied|not installed|missing script|no tests? (?:ran|found)|file or directory "
    r"not found",
    re.IGNORECASE,
)
