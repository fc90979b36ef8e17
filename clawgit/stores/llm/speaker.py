"""The way to the model that `llm_model` names: a command, or a model by its name."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path

from clawgit.doors import tempfile
from clawgit.stores.llm.contract import (
    COMMAND,
    ModelAnswer,
    ModelLimits,
    Question,
    Speaker,
    UnansweredError,
    brief,
    label,
)
from clawgit.stores.program import ProgramError, run_program

_EXTRA = "pip install 'clawgit[llm]'"
_ASK = "Answer with one JSON value and nothing else. Its JSON Schema:\n"
_HINT = "Try it in a shell: echo hello | …; then clawgit config check."


class CommandModel:
    """Asks a program, such as `claude -p`: it reads the prompt, and prints an answer with JSON.

    It runs in an empty folder: if it is an agent, it finds nothing of the workspace.
    """

    def __init__(self, line: str, root: Path, env: Mapping[str, str], limits: ModelLimits) -> None:
        self._line, self._root, self._env, self._limits = line, root, env, limits

    def say(self, question: Question) -> ModelAnswer:
        argv = self._argv()
        prompt = "\n\n".join(
            [question.instructions, question.quoted, _ASK + json.dumps(question.schema)]
        )
        try:
            with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
                ran = run_program(
                    argv, prompt.encode("utf-8", "replace"), folder=Path(folder), env=self._env,
                    seconds=self._limits.seconds, most=self._limits.longest * 4,
                )  # fmt: skip
        except ProgramError as error:
            raise UnansweredError(f"{argv[0]} {error}.", _HINT, gone=True) from error
        if ran.code:
            complaint = f": {ran.words}" if ran.words else ""
            raise UnansweredError(f"{argv[0]} ended with {ran.code}{complaint}.", _HINT, again=True)
        return ModelAnswer(ran.answer.decode("utf-8", "replace"))

    def _argv(self) -> list[str]:
        """A program named by a path that is not absolute begins at the workspace."""
        try:
            program, *arguments = shlex.split(self._line)
        except ValueError as error:
            words = f"llm_model names no program: {label(COMMAND + self._line)}"
            raise UnansweredError(
                words, "clawgit config set llm_model 'command:claude -p'", gone=True
            ) from error
        path = (
            str(self._root / program) if "/" in program and not program.startswith("/") else program
        )
        return [path, *arguments]


class Named:
    """A model by its name. Keys and addresses come only from `env`; one request per question."""

    def __init__(self, name: str, env: Mapping[str, str], limits: ModelLimits) -> None:
        self._name, self._env, self._limits = name, env, limits

    def say(self, question: Question) -> ModelAnswer:
        try:
            from clawgit.stores.llm.named import ask, model_named  # noqa: PLC0415 - pydantic-ai, 1 s

            return ask(model_named(self._name, self._env), question, self._limits)
        except ImportError as error:
            raise UnansweredError(
                f"{self._name} needs a package: {brief(error)}", _EXTRA, gone=True
            ) from error


def speaker(name: str, root: Path, env: Mapping[str, str], limits: ModelLimits) -> Speaker:
    if name.startswith(COMMAND):
        return CommandModel(name.removeprefix(COMMAND), root, env, limits)
    return Named(name, env, limits)
