"""Fixtures: a small memory, and what asks it in both tiers."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.search.search import Hit, Request, SearchAnswer, search
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import repo_at
from tests.conftest import NOW, Git

_MEMORY = """# Memory

## Decisions

- Billing uses PostgreSQL, not MySQL. #decision <!-- claw:m7k2q9 conf=0.95 n=2 first=2026-02-01 last=2026-02-10 -->
- The public API is REST; GraphQL was turned down. #decision

## People

- Ana leads the Harbor project and prefers short mails.
"""
_DAY = """# 2026-02-13

## 10:30 - staging

- The certificate of the staging host runs out in March.
- **Ana:** When does the dashboard ship?
- **Bob:** It ships on 3 March.
"""

Ask = Callable[..., SearchAnswer]


def space_of(git: Git, **env: str) -> Workspace:
    place = repo_at(git.root)
    assert place is not None
    return Workspace(place, Caller(OPERATOR, {**os.environ, **env}, NOW, Path(os.environ["HOME"])))


@pytest.fixture
def memory(git: Git) -> Git:
    git.write("MEMORY.md", _MEMORY)
    git.write("memory/2026-02-13.md", _DAY)
    git.write("SOUL.md", "# Soul\n\n- Never delete files without asking.\n")
    git.write("CONFIG.md", "# Settings\n\nThe certificate of nobody.\n")
    git.commit_all("start")
    return git


@pytest.fixture(params=["core", "enhanced"])
def ask(request: pytest.FixtureRequest, memory: Git) -> Ask:
    def asked(query: str, **more: object) -> SearchAnswer:
        return search(space_of(memory, CLAWGIT_SEARCH_MODE=request.param), Request(query, **more))  # type: ignore[arg-type]

    return asked


def first_hit(answer: SearchAnswer) -> Hit:
    return answer.results[0]
