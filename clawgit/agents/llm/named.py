"""Asks a model through pydantic-ai: one by its name, `anthropic:…`, `openai:…`, `ollama:…` and so
on, or a program that reads the prompt and prints an answer.

Loading pydantic-ai takes .5 to 1.8 s, so `mind` imports this module with the first question.
"""

import asyncio
import shlex
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pydantic_ai import Agent, PromptedOutput
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError, UnexpectedModelBehavior, UserError
from pydantic_ai.messages import ModelMessage, ModelResponse, RetryPromptPart, TextPart
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from clawgit.agents.llm import COMMAND, ModelAnswer, T, UnansweredError, brief
from clawgit.core.disk.program import ProgramError, run_program
from clawgit.core.doors import tempfile
from clawgit.core.tokens import estimate_tokens

_ANSWER_TOKENS = 8000
_RETRIES = 2
"""How often an answer of the wrong shape is asked for again; a service that is busy, too."""

_LONGEST = 1_600_000
"""The most bytes that a program may print."""

_BAD_KEY = (401, 403)
_HINT = "Try it in a shell: echo hello | …; then clawgit config."

Metered = Callable[[], AbstractContextManager[ModelAnswer]]
"""Around each request: what the day has left for it, and a record of what it took."""


class _MeteredModel(WrapperModel):
    def __init__(self, model: Model, metered: Metered, seconds: float) -> None:
        super().__init__(model)
        self._metered, self._seconds = metered, seconds

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        with self._metered() as record:
            asked = super().request(messages, model_settings, model_request_parameters)
            try:
                response = await asyncio.wait_for(asked, self._seconds)
            except (TimeoutError, AgentRunError) as error:
                raise _unanswered(error, self._seconds) from error
            # A tool call has the answer as its arguments.
            record.text = "\n".join(
                getattr(part, "content", "") or str(getattr(part, "args", ""))
                for part in response.parts
            )
            record.tokens = response.usage.total_tokens
            return response


def ask(
    model: Model, instructions: str, quoted: str, answer: type[T], seconds: float, metered: Metered
) -> T:
    """The answer as a value of its type. A model that gives none is told why, and asked again."""
    shape: Any = PromptedOutput(answer) if isinstance(model, FunctionModel) else answer
    agent: Agent[object, T] = Agent(
        _MeteredModel(model, metered, seconds),
        output_type=shape,
        instructions=instructions,
        retries=_RETRIES,
        model_settings={"max_tokens": _ANSWER_TOKENS, "timeout": seconds},
    )
    with warnings.catch_warnings():
        # Warnings about what a model does not support are of no use to the operator.
        warnings.simplefilter("ignore")
        try:
            return agent.run_sync(quoted).output
        except (AgentRunError, UserError) as error:
            raise _unanswered(error, seconds) from error


def _unanswered(error: Exception, seconds: float) -> UnansweredError:
    if isinstance(error, ModelHTTPError):
        # By its status only: the text of a service may quote the key.
        hint = "Check the key in the environment." if error.status_code in _BAD_KEY else ""
        return UnansweredError(f"The model answered with status {error.status_code}.", hint)
    if isinstance(error, TimeoutError):
        return UnansweredError(f"The model took longer than {seconds:g} s.")
    if isinstance(error, UnexpectedModelBehavior):
        words = f"The model gave no usable answer: {brief(error.__cause__ or error)}"
        return UnansweredError(words, gone=False)
    return UnansweredError(f"The model cannot be asked: {brief(error)}")


def model_named(name: str, env: Mapping[str, str], root: Path, seconds: float) -> Model:
    """The model, not yet asked anything; ImportError if the package of its provider is missing."""
    if name.startswith(COMMAND):
        return _program(name, env, root, seconds)
    # Other servers with OpenAI's API have only its chat completions.
    full = name.replace("openai:", "openai-chat:", 1) if name.startswith("openai:") else name
    try:
        return infer_model(full, lambda provider: _provider(provider, env))
    except (UserError, ValueError, TypeError) as error:
        hint = "clawgit config set llm_model anthropic:…, openai:…, ollama:… or command:…"
        raise UnansweredError(f"llm_model {name} cannot be used: {brief(error)}", hint) from error


_USUAL = {
    "openai": "https://api.openai.com/v1",
    "ollama": "http://localhost:11434/v1",
    "anthropic": "https://api.anthropic.com",
}
"""Where a service is, unless the environment says it."""


def _provider(name: str, env: Mapping[str, str]) -> Provider[Any]:
    kind = name.partition("-")[0]
    if kind not in _USUAL:
        return infer_provider(name)
    # A variable may be set and empty, which the libraries take for an address, or as a key.
    address, key = (env.get(f"{kind.upper()}_{what}") for what in ("BASE_URL", "API_KEY"))
    if not key and not _is_open(kind, address):
        words = f"{kind} needs a key in {kind.upper()}_API_KEY."
        raise UnansweredError(words, f"export {kind.upper()}_API_KEY=…")
    made: Any = infer_provider_class(name)
    provider: Provider[Any] = made(api_key=key or "not-set", base_url=address or _USUAL[kind])
    return provider


def _is_open(kind: str, address: str | None) -> bool:
    """Whether a model is asked without a key: a private server with OpenAI's API seldom has one."""
    return kind == "ollama" or (kind == "openai" and bool(address))


def _program(name: str, env: Mapping[str, str], root: Path, seconds: float) -> Model:
    """A program, such as `claude -p`. It runs in an empty folder: if it is an agent, it finds
    nothing of the workspace.
    """
    try:
        program, *arguments = shlex.split(name.removeprefix(COMMAND))
    except ValueError as error:
        hint = "clawgit config set llm_model 'command:claude -p'"
        raise UnansweredError("llm_model names no program.", hint) from error
    if "/" in program:  # a path that is not absolute begins at the workspace
        program = str(root / program)

    async def answered(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        prompt = "\n\n".join([info.instructions or "", *_texts(messages)])
        try:
            with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
                ran = run_program(
                    [program, *arguments], prompt.encode("utf-8", "replace"),
                    folder=Path(folder), env=env, seconds=seconds, most=_LONGEST,
                )  # fmt: skip
        except ProgramError as error:
            raise UnansweredError(f"{program} {error}.", _HINT) from error
        if ran.code:
            complaint = f": {ran.words}" if ran.words else ""
            raise UnansweredError(f"{program} ended with {ran.code}{complaint}.", _HINT)
        said = ran.answer.decode("utf-8", "replace")
        used = RequestUsage(
            input_tokens=estimate_tokens(prompt), output_tokens=estimate_tokens(said)
        )
        # Whatever the program says around the JSON is left out.
        told = said[said.find("{") : said.rfind("}") + 1]
        return ModelResponse([TextPart(told or said)], usage=used)

    return FunctionModel(answered)


def _texts(messages: list[ModelMessage]) -> list[str]:
    """What was asked and answered so far, as a program reads it."""
    parts = [part for message in messages for part in message.parts]
    return [
        part.model_response() if isinstance(part, RetryPromptPart) else str(part.content)
        for part in parts
        if hasattr(part, "content")
    ]
