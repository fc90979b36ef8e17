"""A shell command, prepared for comparison: its program, verb and words, and its kind."""

import re

from clawgit.domain.lessons.tried import ToolCommand

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


def read_command(text: str) -> ToolCommand:
    """Reads the first program of a line that does the work. Never fails."""
    tokens = _unwrapped(_working_part(text).split())
    if not tokens:
        return ToolCommand(text.strip(), "", "", frozenset())
    # `/usr/bin/python` and `python` are one program.
    program = tokens[0].rpartition("/")[2].strip("\"'()")
    rest = [token.strip("\"'") for token in tokens[1:]]
    verb = next((token for token in rest if not token.startswith("-")), "")
    if program in _RUNNERS and verb:
        # `npx jest`: the program is what is run.
        behind = " ".join(rest[rest.index(verb) :])
        return read_command(behind)._replace(text=text.strip())
    return ToolCommand(text.strip(), program, verb, frozenset(filter(None, rest)))


def _working_part(text: str) -> str:
    """The first part of a line that does more than prepare: `cd x && make` works in `make`."""
    parts = [part for part in _JOINS.split(text[:_LONGEST]) if part.strip()]
    working = (part for part in parts if not _BEFORE.match(part))
    last = parts[-1] if parts else ""
    return next(working, last)


def is_shell(tool: str) -> bool:
    return tool.lower() in _SHELLS


def is_look(command: ToolCommand) -> bool:
    """Whether a command only looks. If it finds nothing, that is an answer and no failure."""
    return command.program in _LOOKING


def is_test_run(command: ToolCommand) -> bool:
    """Whether a command checks something else, so that its failure is not about how it
    was called.
    """
    if command.program in _JUDGING:
        return True
    words = " ".join(sorted(command.words))
    return _TESTS.search(f"{command.program} {words}") is not None


def is_slip(program: str, other: str) -> bool:
    """Whether one program name is a typo of the other, which is no lesson."""
    return (
        program[:1] == other[:1]
        and abs(len(program) - len(other)) <= 1
        and len({*program} ^ {*other}) <= _SLIP
    )


def is_misuse(error: str) -> bool:
    """Whether a command complains about how it was called, or about what it needs to run."""
    return _MISUSED.search(error) is not None


def _unwrapped(tokens: list[str]) -> list[str]:
    """The words without those before the program: variables, `sudo`, `time`, `env`."""
    while tokens and (_VARIABLE.match(tokens[0]) or tokens[0] in _WRAPPERS):
        tokens = tokens[1:]
    return tokens
