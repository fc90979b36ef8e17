"""Asks a program, such as `claude -p`: it reads the prompt and prints an answer with JSON in it."""

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
    UnansweredError,
    label,
)
from clawgit.stores.program import ProgramError, run_program

_ASK = "Answer with one JSON value and nothing else. Its JSON Schema:\n"
_HINT = "Try it in a shell: echo hello | …; then clawgit config check."


class CommandModel:
    """Runs in an empty folder: if the program is an agent, it finds nothing of the workspace."""

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
