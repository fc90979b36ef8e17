"""Which language models are at hand on this machine, without one being asked anything."""

import json
import shutil
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from clawgit.stores.llm.contract import COMMAND

OLLAMA = "http://127.0.0.1:11434"
PATIENCE = 0.5
"""Seconds that an Ollama has to say which models it has."""

_LONGEST = 256 * 1024
_MOST_NAMED = 3
_HERE = ("localhost", "127.0.0.1", "::1")
_KEYS: Mapping[str, str] = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_OPENCLAW = "sh -c 'exec openclaw infer model run --prompt \"$(cat)\"'"


class AtHand(NamedTuple):
    """A model as `llm_model` names it, and in words whose it is."""

    model: str
    what: str


def at_hand(
    env: Mapping[str, str], openclaw_model: str = "", *, asks: bool = True
) -> tuple[AtHand, ...]:
    """What could answer, the likeliest first. `openclaw_model` is what OpenClaw's config names;
    `asks` looks for an Ollama on this machine, which is the only thing that is asked.
    """
    found = (
        *_of_openclaw(openclaw_model, env),
        *_of_claude(env),
        *(_of_ollama(env) if asks else ()),
    )
    return tuple({one.model: one for one in found}.values())


def _of_openclaw(model: str, env: Mapping[str, str]) -> Iterator[AtHand]:
    """By its own command, which has its keys; without that by its model's name, where a key is in
    the environment.
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
    """The models of an Ollama that answers on this machine at once; none where there is none, or it
    lies elsewhere.
    """
    from http.client import HTTPConnection, HTTPException  # noqa: PLC0415 - 20 ms, for who connects at a terminal

    try:
        place = urlsplit(env.get("OLLAMA_BASE_URL") or OLLAMA)
        host, port = place.hostname, place.port
    except ValueError:
        return ()
    if host not in _HERE or place.scheme != "http":
        return ()
    asking = HTTPConnection(host, port or 80, timeout=PATIENCE)
    try:
        asking.request("GET", "/api/tags", headers={"User-Agent": "clawgit"})
        answer = asking.getresponse()
        return _named(answer.read(_LONGEST)) if answer.status == 200 else ()  # noqa: PLR2004 - HTTP's own
    except (OSError, HTTPException):
        return ()
    finally:
        asking.close()


def _named(body: bytes) -> tuple[str, ...]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    rows = told.get("models") if isinstance(told, dict) else None
    names = (
        (row.get("name") for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
    )
    return tuple(
        name
        for name in names
        if isinstance(name, str) and name and name.isprintable() and " " not in name
    )
