"""The way to the model that `llm_model` names: a command, or a model by its name."""

from collections.abc import Mapping
from pathlib import Path

from clawgit.stores.llm.command import CommandModel
from clawgit.stores.llm.contract import (
    COMMAND,
    ModelAnswer,
    ModelLimits,
    Question,
    Speaker,
    UnansweredError,
    brief,
)

_EXTRA = "pip install 'clawgit[llm]'"


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
