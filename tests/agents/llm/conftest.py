"""Fixtures of the language model: minds on a real `state.db`, and a local service."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawgit.agents.llm import OpenMind
from clawgit.core.config.settings import Settings
from clawgit.workspace.stores.state import State
from tests.agents.llm.service import Service, serving
from tests.conftest import NOW

Minds = Callable[..., OpenMind]
_NAMES = (
    "OPENAI_BASE_URL", "OPENAI_API_KEY", "OLLAMA_BASE_URL", "ANTHROPIC_BASE_URL",
    "ANTHROPIC_API_KEY",
)  # fmt: skip


@pytest.fixture
def service() -> Iterator[Service]:
    with serving() as one:
        yield one


@pytest.fixture
def minds(state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Minds:
    def opened(model: str, cap: int = 100_000, seconds: float = 20, **env: str) -> OpenMind:
        settings = Settings(llm_model=model, llm_daily_tokens=cap)
        for name in _NAMES:
            monkeypatch.delenv(name, raising=False)
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        return OpenMind(
            settings,
            state=state,
            run="r1",
            clock=lambda: NOW,
            root=tmp_path,
            env=os.environ,
            seconds=seconds,
        )

    return opened
