"""Which models are at hand: told by what is installed, what OpenClaw's config names, and an Ollama
on this machine."""

from pathlib import Path

import pytest

from clawgit.stores.llm.at_hand import AtHand, at_hand, ollama_models
from tests.each import for_each
from tests.stores.llm.service import Reply, Service

MODELS = {"models": [{"name": "llama3.2:latest"}, {"name": "qwen3:8b"}]}


def installed(tmp_path: Path, *programs: str) -> dict[str, str]:
    for name in programs:
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    return {"PATH": str(tmp_path)}


def names(found: tuple[AtHand, ...]) -> list[str]:
    return [one.model for one in found]


def test_openclaws_own_comes_first_then_claude_then_ollama(
    tmp_path: Path, service: Service
) -> None:
    service.replies = [Reply(MODELS)]
    env = {**installed(tmp_path, "openclaw", "claude"), "OLLAMA_BASE_URL": f"{service.url}/v1"}
    own, *others = names(at_hand(env, "anthropic/claude-opus-4-6"))
    assert own.startswith("command:sh -c 'exec openclaw infer model run")
    assert others == ["command:claude -p", "ollama:llama3.2:latest", "ollama:qwen3:8b"]
    assert service.requests == [], "no model was asked anything"


@for_each(
    "model, env, wanted",
    [
        ("ollama/llama3.2", {}, ["ollama:llama3.2"]),
        ("anthropic/claude-opus-4-6", {"ANTHROPIC_API_KEY": "k"}, ["anthropic:claude-opus-4-6"]),
        ("openai/gpt-5", {"OPENAI_API_KEY": "k"}, ["openai:gpt-5"]),
        ("openai/gpt-5", {}, []),
        ("nobody/model", {"": "x"}, []),
        ("", {}, []),
    ],
)
def test_without_its_command_openclaws_model_needs_a_key(
    model: str, env: dict[str, str], wanted: list[str]
) -> None:
    assert names(at_hand({"PATH": "/nowhere", **env}, model, asks=False)) == wanted


def test_an_ollama_tells_its_models(service: Service) -> None:
    service.replies = [Reply(MODELS)]
    assert ollama_models({"OLLAMA_BASE_URL": f"{service.url}/v1"}) == (
        "llama3.2:latest",
        "qwen3:8b",
    )


@pytest.mark.parametrize(
    "reply",
    [
        Reply(MODELS, status=500), Reply(raw=b"{not json"), Reply([1]), Reply({"models": 5}),
        Reply(raw=b"[" * 9000),
        Reply({"models": [5, {}, {"name": None}, {"name": "two words"}, {"name": "\x1b[31m"}]}),
        Reply({}, slow=True),
    ],
    ids=["error", "broken", "list", "number", "deep", "names", "slow"],
)  # fmt: skip
def test_what_answers_otherwise_is_none(service: Service, reply: Reply) -> None:
    service.replies = [reply]
    assert ollama_models({"OLLAMA_BASE_URL": f"{service.url}/v1"}) == ()


@pytest.mark.parametrize(
    "address",
    [
        "http://ollama.example.org:11434/v1",
        "https://127.0.0.1:1/v1",
        "http://127.0.0.1:1/v1",
        "http://[x",
    ],
)
def test_nobody_elsewhere_is_asked(address: str) -> None:
    assert ollama_models({"OLLAMA_BASE_URL": address}) == ()
