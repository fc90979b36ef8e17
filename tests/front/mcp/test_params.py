"""What a tool takes: the schema tells it, and the check holds calls to it and names what would be
right."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it comes with mcp, without stubs

from clawgit.core.errors import UsageError
from clawgit.front.mcp.tools import TOOLS
from tests.each import for_each


@for_each(
    "name, given, message, hint",
    [
        ("memory_search", {}, "memory_search needs query: The question", "takes query, maxResults"),
        ("memory_search", {"query": " \n"}, "memory_search needs query", ""),
        ("memory_rm", {"ids": [" "]}, "memory_rm needs ids", ""),
        ("memory_search", {"query": "q", "maxresult": 3}, "no parameter 'maxresult'",
         "Did you mean maxResults?"),
        ("memory_search", {"query": 3}, "query: Input should be a valid string", ""),
        ("memory_search", {"query": "q" * 20_001}, "query: String should have at most 20000", ""),
        ("memory_search", {"query": "q", "maxResults": 201}, "maxResults: Input should be less", ""),
        ("memory_search", {"query": "q", "maxResults": 2.5}, "maxResults: ", ""),
        ("memory_search", {"query": "q", "maxResults": 10**400}, "maxResults: ", ""),
        ("memory_search", {"query": "q", "minScore": float("nan")}, "minScore: ", ""),
        ("memory_search", {"query": "q", "source": "x"}, "source: Input should be 'memory'", ""),
        ("memory_get", {"path": "p", "from": 0}, "from: ", ""),
        ("memory_add", {"text": "t", "evidence": "a"}, "evidence: ", ""),
        ("memory_add", {"text": "t", "evidence": ["a"] * 51}, "evidence: ", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(name: str, given: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as told:
        TOOLS[name].taken(given)
    assert message in told.value.message
    assert hint in told.value.hint
    # No schema can refuse NaN, which is no JSON, or a text of blanks.
    if "nan" not in repr(given) and "needs" not in message:
        assert not Draft202012Validator(TOOLS[name].schema).is_valid(given)
