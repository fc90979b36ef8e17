"""Models by name, asked through pydantic-ai: a server that speaks two wire formats."""

import json
import sys
from contextlib import nullcontext
from dataclasses import dataclass

import pytest

from clawgit.agents.llm import meter, used_by
from clawgit.core.errors import NoAnswerError
from clawgit.core.tokens import estimate_tokens
from clawgit.workspace.stores.state import State
from tests.agents.llm.conftest import Minds
from tests.agents.llm.service import KEY, Reply, Service
from tests.conftest import NOW

NAMES = ("openai:gpt-5", "anthropic:claude-sonnet-4-5")
BOTH = [NAMES[0], pytest.param(NAMES[1], marks=pytest.mark.slow)]
"""Each wire format; where one shows what there is to see, the other is for the long run."""

SHAPED = {"facts": [{"text": "Ana likes tea", "day": None}], "sure": 0.9}


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was said."""

    text: str
    day: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """All that was said."""

    facts: tuple[Fact, ...]
    sure: float


FACTS = Facts((Fact("Ana likes tea", None),), 0.9)


@pytest.mark.parametrize("name", [*BOTH, "ollama:llama3.2"])
def test_a_typed_answer_comes_over_the_wire(
    minds: Minds, service: Service, state: State, name: str
) -> None:
    service.replies = [Reply(SHAPED)]
    mind = minds(name, **service.env)
    assert mind.ask("What was said?", {"chat": "I like tea. – Ana"}, Facts) == FACTS
    [request] = service.requests
    assert request["model"] == name.partition(":")[2]
    assert "I like tea. – Ana" in json.dumps(request["messages"], ensure_ascii=False)
    assert "never follow it" not in json.dumps(request["messages"][-1])
    assert mind.used[1:] == (77, 1)
    assert meter(state, NOW).tokens == 77
    assert "not-set" in service.keys[0] or KEY in service.keys[0]


def test_what_a_server_does_not_count_is_estimated(
    minds: Minds, service: Service, state: State
) -> None:
    service.replies = [Reply(SHAPED, counts=False)]
    minds(NAMES[0], **service.env).ask("What was said?", {"chat": "tea"}, Facts)
    assert used_by(state, "r1").tokens > estimate_tokens("What was said? tea")


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    ("replies", "words", "requests"),
    [
        ([Reply(text="I cannot help with that.")], "no usable answer", 3),
        ([Reply({"facts": "none"})], "no usable answer", 3),
        ([Reply(raw=b"{not json")], "cannot be asked", 1),
        ([Reply(status=401)], "status 401", 1),
        ([Reply(status=500)], "status 500", 3),
    ],
    ids=["prose", "shape", "broken", "key", "server"],
)
def test_a_failure_is_told_in_words_and_never_the_key(
    minds: Minds, service: Service, state: State, name: str, replies: list[Reply], words: str,
    requests: int,
) -> None:  # fmt: skip
    service.replies = replies
    with pytest.raises(NoAnswerError, match=words) as caught:
        minds(name, **service.env).ask("What was said?", {}, Facts)
    assert len(service.requests) == requests
    kept = meter(state, NOW).trouble + caught.value.message + caught.value.hint
    assert KEY not in kept
    assert meter(state, NOW).trouble


@pytest.mark.parametrize("name", BOTH)
def test_what_fails_for_a_moment_is_asked_again(minds: Minds, service: Service, name: str) -> None:
    service.replies = [
        Reply(status=429, headers={"Retry-After": "0.1"}),
        Reply({"facts": "none"}),
        Reply(SHAPED),
    ]
    assert minds(name, **service.env).ask("What was said?", {}, Facts) == FACTS


def test_three_questions_in_a_row_without_an_answer_are_the_last(
    minds: Minds, service: Service
) -> None:
    nothing = Reply(text="")
    service.replies = [*[nothing] * 6, Reply(SHAPED), nothing]
    mind = minds(NAMES[0], **service.env)
    for number in range(8):
        with nullcontext() if number == 2 else pytest.raises(NoAnswerError, match="no usable"):
            mind.ask("What was said?", {"n": str(number)}, Facts)
    # Two questions in vain, an answer, three in vain: each of those in vain was asked three times.
    assert len(service.requests) == 6 + 1 + 9


@pytest.mark.parametrize("name", BOTH)
def test_a_slow_answer_is_not_waited_for_and_the_next_question_not_asked(
    minds: Minds, service: Service, name: str
) -> None:
    service.replies = [Reply(SHAPED, slow=True)]
    mind = minds(name, seconds=1, **service.env)  # time for a request on a busy machine
    for number in range(2):
        with pytest.raises(NoAnswerError, match=r"too long|longer than"):
            mind.ask("What was said?", {"n": str(number)}, Facts)
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("openai:gpt-5", "openai needs a key in OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "anthropic needs a key in ANTHROPIC_API_KEY"),
        ("gpt-5", "cannot be used"),
        ("nobody:model", "cannot be used"),
    ],
)
def test_a_model_that_cannot_be_had_is_told(minds: Minds, name: str, words: str) -> None:
    with pytest.raises(NoAnswerError, match=words):
        minds(name, OPENAI_API_KEY="", OPENAI_BASE_URL="").ask("What was said?", {}, Facts)


def test_a_package_that_is_missing_is_told(minds: Minds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "clawgit.agents.llm.named", raising=False)
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(NoAnswerError, match="needs a package") as caught:
        minds("openai:gpt-5", OPENAI_API_KEY=KEY).ask("What was said?", {}, Facts)
    assert caught.value.hint == "pip install 'clawgit[llm]'"
