"""Asks a model by its name through pydantic-ai: `anthropic:…`, `openai:…`, `ollama:…` and others.

Loading pydantic-ai takes .5 to 1.8 s, so `mind` imports this module with the first question.
"""

import asyncio
import json
import warnings
from collections.abc import Mapping
from typing import Any

from pydantic_ai import Agent, StructuredDict
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelTimeoutError,
    UserError,
)
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.usage import RunUsage

from clawgit.agents.llm import ModelAnswer, ModelLimits, Question, UnansweredError, brief

_ANSWER_TOKENS = 8000

_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same question may be asked again."""

_BAD_KEY = (401, 403)


def ask(model: Model, question: Question, limits: ModelLimits) -> ModelAnswer:
    """One request to a model of pydantic-ai."""
    usage = RunUsage()
    try:
        answer = asyncio.run(_asked(model, question, limits, usage))
    except ModelHTTPError as error:
        raise _of_service(error) from error
    except (TimeoutError, AgentRunError, UserError) as error:
        _, words, flags = next(row for row in _TROUBLES if isinstance(error, row[0]))
        words = f"{model.model_name} {words.format(said=brief(error), seconds=limits.seconds)}"
        raise UnansweredError(words, tokens=usage.total_tokens, **flags) from error
    return ModelAnswer(answer, usage.total_tokens or None)


_FIRST_PAUSE = 2.0
_TROUBLES: tuple[tuple[type[Exception], str, dict[str, Any]], ...] = (
    (TimeoutError, "took longer than {seconds:g} s.", {"gone": True}),
    (ContentFilterError, "refused to answer.", {}),
    (ModelTimeoutError, "took too long.", {"gone": True}),
    (
        ModelConnectionError,
        "cannot be reached.",
        {"again": True, "gone": True, "pause": _FIRST_PAUSE},
    ),
    (
        ModelAPIError,
        "gave an answer that cannot be read.",
        {"again": True, "pause": _FIRST_PAUSE},
    ),
    (AgentRunError, "gave no usable answer: {said}", {"again": True}),
    (UserError, "cannot be asked: {said}", {"gone": True}),
)
"""What an error means: the words, and what may still be asked. The first row that fits counts."""


async def _asked(model: Model, question: Question, limits: ModelLimits, usage: RunUsage) -> str:
    with warnings.catch_warnings():
        # Warnings about what a model does not support are of no use to the operator.
        warnings.simplefilter("ignore")
        shape = StructuredDict(dict(question.schema), name="answer")
        agent: Agent[object, dict[str, Any]] = Agent(model, output_type=shape, retries=0)
        run = agent.run(
            question.quoted,
            instructions=question.instructions,
            usage=usage,
            model_settings={"max_tokens": _ANSWER_TOKENS, "timeout": limits.seconds},
        )
        try:
            result = await asyncio.wait_for(run, limits.seconds)
        finally:
            if close := getattr(getattr(model, "client", None), "close", None):
                await close()
    return json.dumps(result.output, ensure_ascii=False)


def model_named(name: str, env: Mapping[str, str]) -> Model:
    """The model, not yet asked anything; ImportError if the package of its provider is missing."""
    # Other servers with OpenAI's API have only its chat completions.
    full = name.replace("openai:", "openai-chat:", 1) if name.startswith("openai:") else name
    try:
        return infer_model(full, lambda provider: _provider(provider, env))
    except (UserError, ValueError, TypeError) as error:
        hint = "clawgit config set llm_model anthropic:…, openai:…, ollama:… or command:…"
        raise UnansweredError(
            f"llm_model {name} cannot be used: {brief(error)}", hint, gone=True
        ) from error


_ADDRESSES = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "ollama": ("OLLAMA_BASE_URL", "http://localhost:11434/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
}
"""Where a service is: the variable that says it, and the usual address."""


def _provider(name: str, env: Mapping[str, str]) -> Provider[Any]:
    """The provider. Its clients do not retry: the caller decides that."""
    kind = name.partition("-")[0]
    variable, usual = _ADDRESSES.get(kind, ("", ""))
    address = env.get(variable)
    name, where = (kind, {"base_url": address or usual}) if usual else (name, {})
    made: Any = infer_provider_class(name)
    key = env.get(f"{kind.upper()}_API_KEY")
    # A private server with OpenAI's API seldom needs a key.
    if not (key or kind == "ollama" or (kind == "openai" and address)):
        words = f"{name} needs a key in {kind.upper()}_API_KEY."
        raise UnansweredError(words, f"export {kind.upper()}_API_KEY=…", gone=True)
    provider: Provider[Any] = made(api_key=key or "none", **where)
    if hasattr(provider.client, "max_retries"):
        provider.client.max_retries = 0
    return provider


def _of_service(error: ModelHTTPError) -> UnansweredError:
    """The error for a service's answer, by its status only: its text may quote the key."""
    status = error.status_code
    pause = error.retry_after if error.retry_after is not None else _FIRST_PAUSE
    words = f"{error.model_name} answered with status {status}."
    hint = "Check the key in the environment." if status in _BAD_KEY else ""
    return UnansweredError(words, hint, again=status in _RETRIED, gone=True, pause=pause)
