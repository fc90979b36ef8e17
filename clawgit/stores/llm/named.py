"""A model by its name, asked through pydantic-ai: `anthropic:…`, `openai:…`, `ollama:…` and what
else that knows.
"""

import asyncio
import json
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from clawgit.stores.llm.contract import Limits, Question, Said, UnansweredError

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider
    from pydantic_ai.usage import RunUsage

_ANSWER_TOKENS = 8000
_EXTRA = "pip install 'clawgit[llm]'"
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FIRST_PAUSE = 2.0
_OLLAMA = "http://localhost:11434/v1"
_LONGEST_WORDS = 200


class Named:
    """Keys and addresses come from `env` alone. One request a question: who asks decides what is
    asked again.
    """

    def __init__(self, name: str, env: Mapping[str, str], limits: Limits) -> None:
        self._name, self._env, self._limits = name, env, limits

    def say(self, question: Question) -> Said:
        try:
            return ask(model_named(self._name, self._env), question, self._limits)
        except ImportError as error:
            raise UnansweredError(
                f"{self._name} needs a package: {_brief(error)}", _EXTRA, gone=True
            ) from error


def ask(model: "Model", question: Question, limits: Limits) -> Said:
    """One request to a model of pydantic-ai."""
    from pydantic_ai.exceptions import (  # noqa: PLC0415 - half a second
        AgentRunError,
        ContentFilterError,
        ModelAPIError,
        UserError,
    )
    from pydantic_ai.usage import RunUsage  # noqa: PLC0415

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
        words = f"{model.model_name} gave no answer of use: {_brief(error)}"
        raise UnansweredError(words, again=True, tokens=usage.total_tokens) from error
    except UserError as error:
        raise UnansweredError(
            f"{model.model_name} cannot be asked: {_brief(error)}", gone=True
        ) from error
    return Said(answer, usage.total_tokens or None)


async def _asked(model: "Model", question: Question, limits: Limits, usage: "RunUsage") -> str:
    from pydantic_ai import Agent, StructuredDict  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a model does not support is no word for the operator
        shape = StructuredDict(dict(question.schema), name="answer")
        agent: Agent[object, dict[str, Any]] = Agent(model, output_type=shape, retries=0)
        asked = agent.run(
            question.quoted, instructions=question.instructions, usage=usage,
            model_settings={"max_tokens": _ANSWER_TOKENS, "timeout": limits.seconds},
        )  # fmt: skip
        try:
            done = await asyncio.wait_for(asked, limits.seconds)
        finally:
            if close := getattr(getattr(model, "client", None), "close", None):
                await close()
    return json.dumps(done.output, ensure_ascii=False)


def model_named(name: str, env: Mapping[str, str]) -> "Model":
    """The model, with nothing asked of it yet; ImportError where the extra is missing."""
    from pydantic_ai.exceptions import UserError  # noqa: PLC0415
    from pydantic_ai.models import infer_model  # noqa: PLC0415

    # Others that speak OpenAI's language have its chat completions and nothing newer.
    full = name.replace("openai:", "openai-chat:", 1) if name.startswith("openai:") else name
    try:
        return infer_model(full, lambda provider: _provider(provider, env))
    except (UserError, ValueError, TypeError) as error:
        hint = "clawgit config set llm_model anthropic:…, openai:…, ollama:… or command:…"
        raise UnansweredError(
            f"llm_model {name} cannot be used: {_brief(error)}", hint, gone=True
        ) from error


def _provider(name: str, env: Mapping[str, str]) -> "Provider[Any]":
    """Its clients ask once: who waits how long, and how often, is decided by who asks."""
    if name.startswith("openai"):
        from openai import AsyncOpenAI  # noqa: PLC0415 - an extra
        from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

        address = env.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
        key = _key("openai", "OPENAI_API_KEY", env, needed=not env.get("OPENAI_BASE_URL"))
        return OpenAIProvider(
            openai_client=AsyncOpenAI(api_key=key, base_url=address, max_retries=0)
        )
    if name == "ollama":
        from openai import AsyncOpenAI  # noqa: PLC0415
        from pydantic_ai.providers.ollama import OllamaProvider  # noqa: PLC0415

        address = env.get("OLLAMA_BASE_URL") or _OLLAMA
        key = _key(name, "OLLAMA_API_KEY", env, needed=False)
        return OllamaProvider(
            openai_client=AsyncOpenAI(api_key=key, base_url=address, max_retries=0)
        )
    if name == "anthropic":
        from anthropic import AsyncAnthropic  # noqa: PLC0415 - an extra
        from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

        address = env.get("ANTHROPIC_BASE_URL") or "https://api.anthropic.com"
        key = _key(name, "ANTHROPIC_API_KEY", env)
        return AnthropicProvider(
            anthropic_client=AsyncAnthropic(api_key=key, base_url=address, max_retries=0)
        )
    return _other(name, env)


def _other(name: str, env: Mapping[str, str]) -> "Provider[Any]":
    from pydantic_ai.providers import infer_provider_class  # noqa: PLC0415

    made: Any = infer_provider_class(name)
    variable = f"{name.partition('-')[0].upper()}_API_KEY"
    found: Provider[Any] = made(api_key=_key(name, variable, env))
    return found


def _key(name: str, variable: str, env: Mapping[str, str], *, needed: bool = True) -> str:
    key = env.get(variable, "")
    if not key and needed:
        raise UnansweredError(
            f"{name} needs a key in {variable}.", f"export {variable}=…", gone=True
        )
    return key or "none"


def _of_service(error: Any) -> UnansweredError:
    """What a service says for itself: its body may quote the key, so only its status is told."""
    from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, ModelTimeoutError  # noqa: PLC0415

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
    hint = "Check the key in the environment." if status in (401, 403) else ""
    return UnansweredError(words, hint, again=status in _RETRIED, gone=True, pause=pause)


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:_LONGEST_WORDS]
