"""Fixtures: a small memory, and what asks it in both tiers."""

from collections.abc import Callable

import pytest

from clawgit.search.search import Hit, Request, SearchAnswer, search
from tests.conftest import Git
from tests.making import space_of

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


@pytest.fixture
def memory(git: Git) -> Git:
    git.write("MEMORY.md", _MEMORY)
    git.write("memory/2026-02-13.md", _DAY)
    git.write("SOUL.md", "# Soul\n\n- Never delete files without asking.\n")
    git.write("CONFIG.md", "# Settings\n\nThe certificate of nobody.\n")
    git.commit_all("start")
    return git


def asking(memory: Git, mode: str) -> Ask:
    def asked(query: str, **more: object) -> SearchAnswer:
        return search(space_of(memory, CLAWGIT_SEARCH_MODE=mode), Request(query, **more))  # type: ignore[arg-type]

    return asked


@pytest.fixture
def ask(memory: Git) -> Ask:
    """By words alone, where meaning and a reader make no difference."""
    return asking(memory, "core")


@pytest.fixture(params=["core", "enhanced"])
def ask_either(request: pytest.FixtureRequest, memory: Git) -> Ask:
    return asking(memory, request.param)


def first_hit(answer: SearchAnswer) -> Hit:
    return answer.results[0]
