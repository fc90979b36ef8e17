"""Finds the language models that this machine can use, without asking any of them anything."""

import json
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import NamedTuple, TypeGuard
from urllib.parse import urlsplit

from clawgit.doors import shutil
from clawgit.stores.http_client import NoReplyError, is_this_machine, send
from clawgit.stores.llm.contract import COMMAND

OLLAMA = "http://127.0.0.1:11434"
PATIENCE = 0.5
"""Seconds in which an Ollama must list its models."""

_LONGEST = 256 * 1024
"""How many bytes of an Ollama's list are read."""

_MOST_NAMED = 3
_HTTP_PORT = 80

_KEYS: Mapping[str, str] = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_OPENCLAW = "sh -c 'exec openclaw infer model run --prompt \"$(cat)\"'"


class AtHand(NamedTuple):
    """A model as `llm_model` names it, and where it comes from, in words."""

    model: str
    what: str


def at_hand(
    env: Mapping[str, str], openclaw_model: str = "", *, asks: bool = True
) -> tuple[AtHand, ...]:
    """The models that could answer, the most likely first.

    `openclaw_model` is what OpenClaw's config names. `asks`: an Ollama on this machine is asked for
    its list; nothing else is asked.
    """
    models = [*_of_openclaw(openclaw_model, env), *_of_claude(env)]
    if asks:
        models += _of_ollama(env)
    return tuple({model.model: model for model in models}.values())


def _of_openclaw(model: str, env: Mapping[str, str]) -> Iterator[AtHand]:
    """The model of OpenClaw: its command, which has the keys; else by name, if the environment has
    a key.
    """
    provider, _, name = model.partition("/")
    key = _KEYS.get(provider)
    if provider == "ollama":
        yield AtHand(f"ollama:{name}", "OpenClaw's own model, by Ollama")
    elif model and shutil.which("openclaw", path=env.get("PATH")):
        yield AtHand(f"{COMMAND}{_OPENCLAW}", f"OpenClaw's own model, {model}, by its command")
    elif key and env.get(key):
        yield AtHand(f"{provider}:{name}", f"OpenClaw's own model, with the key in {key}")


def _of_claude(env: Mapping[str, str]) -> Iterator[AtHand]:
    if shutil.which("claude", path=env.get("PATH")):
        yield AtHand(f"{COMMAND}claude -p", "Claude Code, as this user is logged in to it")


def _of_ollama(env: Mapping[str, str]) -> Iterator[AtHand]:
    for name in ollama_models(env)[:_MOST_NAMED]:
        yield AtHand(f"ollama:{name}", "Ollama on this machine; nothing leaves it")


def ollama_models(env: Mapping[str, str]) -> tuple[str, ...]:
    """The models of an Ollama that answers on this machine; one elsewhere is not asked."""
    try:
        address = urlsplit(env.get("OLLAMA_BASE_URL") or OLLAMA)
        host, port = address.hostname, address.port or _HTTP_PORT
    except ValueError:
        return ()
    if not is_this_machine(host) or address.scheme != "http":
        return ()
    place = f"[{host}]" if ":" in str(host) else host
    url = f"http://{place}:{port}/api/tags"
    try:
        reply = send(url, None, {}, seconds=PATIENCE, most=_LONGEST)
    except NoReplyError:
        return ()
    return _named(reply.body) if reply.status == HTTPStatus.OK else ()


def _named(body: bytes) -> tuple[str, ...]:
    """The names in Ollama's list; nothing of an answer in another form."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    rows = answer.get("models") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        return ()
    names = [row.get("name") for row in rows if isinstance(row, dict)]
    return tuple(filter(_is_name, names))


def _is_name(name: object) -> TypeGuard[str]:
    """Whether a name may be put into CONFIG.md: another program could answer at Ollama's port."""
    if not isinstance(name, str):
        return False
    return bool(name) and name.isprintable() and " " not in name
