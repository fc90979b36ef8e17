"""Asks a model by its name through pydantic-ai: `anthropic:…`, `openai:…`, `ollama:…` and others.

Loading pydantic-ai takes .5 to 1.8 s, so `speaker` imports this module with the first question.
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

from clawgit.doors import anthropic, openai
from clawgit.stores.llm.contract import ModelAnswer, ModelLimits, Question, UnansweredError, brief

_ANSWER_TOKENS = 8000

_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same question may be asked again."""

_FIRST_PAUSE = 2.0
_OLLAMA = "http://localhost:11434/v1"
_BAD_KEY = (401, 403)


def ask(model: Model, question: Question, limits: ModelLimits) -> ModelAnswer:
    """One request to a model of pydantic-ai."""
    usage = RunUsage()
    try:
        answer = asyncio.run(_asked(model, question, limits, usage))
    except TimeoutError as error:
        raise UnansweredError(
            f"{model.model_name} took longer than {limits.seconds:g} s.", gone=True
        ) from error
    except ContentFilterError as error:
        raise UnansweredError(
            f"{model.model_name} refused to answer.", tokens=usage.total_tokens
        ) from error
    except ModelAPIError as error:
        raise _of_service(error) from error
    except AgentRunError as error:
        words = f"{model.model_name} gave no usable answer: {brief(error)}"
        raise UnansweredError(words, again=True, tokens=usage.total_tokens) from error
    except UserError as error:
        raise UnansweredError(
            f"{model.model_name} cannot be asked: {brief(error)}", gone=True
        ) from error
    return ModelAnswer(answer, usage.total_tokens or None)


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


def _provider(name: str, env: Mapping[str, str]) -> Provider[Any]:
    """The provider. Its clients do not retry: the caller decides that."""
    if name.startswith("openai"):
        return _openai(env)
    if name == "ollama":
        return _ollama(env)
    if name == "anthropic":
        return _anthropic(env)
    variable = f"{name.partition('-')[0].upper()}_API_KEY"
    provider_class: Any = infer_provider_class(name)
    provider: Provider[Any] = provider_class(api_key=_key(name, variable, env))
    return provider


def _openai(env: Mapping[str, str]) -> Provider[Any]:
    address = env.get("OPENAI_BASE_URL")
    # A private server seldom needs a key.
    key = _key("openai", "OPENAI_API_KEY", env, needed=not address)
    provider_class: Any = infer_provider_class("openai")
    provider: Provider[Any] = provider_class(
        openai_client=_openai_client(key, address or "https://api.openai.com/v1")
    )
    return provider


def _ollama(env: Mapping[str, str]) -> Provider[Any]:
    key = _key("ollama", "OLLAMA_API_KEY", env, needed=False)
    provider_class: Any = infer_provider_class("ollama")
    provider: Provider[Any] = provider_class(
        openai_client=_openai_client(key, env.get("OLLAMA_BASE_URL") or _OLLAMA)
    )
    return provider


def _openai_client(key: str, address: str) -> Any:
    return openai.AsyncOpenAI(api_key=key, base_url=address, max_retries=0)


def _anthropic(env: Mapping[str, str]) -> Provider[Any]:
    address = env.get("ANTHROPIC_BASE_URL") or "https://api.anthropic.com"
    key = _key("anthropic", "ANTHROPIC_API_KEY", env)
    provider_class: Any = infer_provider_class("anthropic")
    provider: Provider[Any] = provider_class(
        anthropic_client=anthropic.AsyncAnthropic(api_key=key, base_url=address, max_retries=0)
    )
    return provider


def _key(name: str, variable: str, env: Mapping[str, str], *, needed: bool = True) -> str:
    key = env.get(variable, "")
    if not key and needed:
        raise UnansweredError(
            f"{name} needs a key in {variable}.", f"export {variable}=…", gone=True
        )
    return key or "none"


def _of_service(error: Any) -> UnansweredError:
    """The error for a service's answer, by its status only: its text may quote the key."""
    name = error.model_name
    if isinstance(error, ModelTimeoutError):
        return UnansweredError(f"{name} took too long.", gone=True)
    if isinstance(error, ModelConnectionError):
        return UnansweredError(
            f"{name} cannot be reached.", again=True, gone=True, pause=_FIRST_PAUSE
        )
    if not isinstance(error, ModelHTTPError):
        return UnansweredError(
            f"{name} gave an answer that cannot be read.", again=True, pause=_FIRST_PAUSE
        )
    status = error.status_code
    pause = error.retry_after if error.retry_after is not None else _FIRST_PAUSE
    words = f"{name} answered with status {status}."
    hint = "Check the key in the environment." if status in _BAD_KEY else ""
    return UnansweredError(words, hint, again=status in _RETRIED, gone=True, pause=pause)
