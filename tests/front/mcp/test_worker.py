"""Calls as they are answered: each tool, its budget, what goes wrong, and what may change between
two calls."""

import copy
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it comes with mcp, without stubs

from clawgit.core.errors import UsageError
from clawgit.core.tokens import estimate_tokens
from clawgit.front.mcp import worker
from clawgit.front.mcp.tools import TOOLS
from clawgit.front.mcp.worker import Tool, Worker, actor_of, compact
from clawgit.git.lock import workspace_lock
from tests.conftest import Git
from tests.each import for_each
from tests.fleet import agent
from tests.front.mcp.fronts import CALLS, CONFIG, call, front, made, refused


@contextmanager
def opened(root: Path) -> Iterator[Worker]:
    desk = Worker(front(root))
    try:
        yield desk
    finally:
        desk.close()


@for_each(
    "client, slug",
    [
        ("claude-code", "claude-code"), ("OpenClaw Gateway 2026.9", "openclaw-gateway-2026-9"),
            ("", "agent"),
        ("operator", "agent"), ("Operator ", "agent"), ("soul_keeper", "agent"),
            ("clawgit", "agent"),
        ("human", "agent"), ("…日本", "agent"), ("Café-Bot Ünal", "cafe-bot-unal"), ("Operatör", "agent"), ("x" * 90, "x" * 40),
            ("a\nEvidence: b", "a-evidence-b"),
    ],
)  # fmt: skip
def test_a_client_is_an_actor_of_its_own_and_never_one_with_rights(client: str, slug: str) -> None:
    assert actor_of(client).slug == slug


def test_every_tool_answers_in_json_that_says_the_same_twice(ws: Git) -> None:
    made(ws)
    with opened(ws.root) as desk:
        assert [*CALLS] == [*TOOLS]
        for name, arguments in CALLS.items():
            answer = desk.answer("tests", TOOLS[name], arguments)
            desk.tidy()
            assert not answer.failed, answer
            if name == "context":
                assert answer.texts == (answer.value["text"],)
                assert "Billing uses PostgreSQL." in answer.texts[0]
            else:
                assert json.loads(answer.texts[0]) == answer.value
    assert ws.status() == ""


def test_memory_is_answered_in_openclaws_shapes(ws: Git) -> None:
    made(ws)
    with opened(ws.root) as desk:
        asked = {"query": "what does billing use", "maxResults": 3, "minScore": 0.1}
        found = call(desk, "memory_search", **asked)
        [hit] = found["results"]
        fields = {"path", "startLine", "endLine", "score", "snippet", "source", "citation"}
        assert fields <= hit.keys()
        assert {"results", "provider", "model", "fallback", "mode"} <= found.keys()
        assert (hit["path"], hit["citation"]) == ("MEMORY.md", "MEMORY.md#L3-L3")
        assert not {"before", "after", "marks", "more"} & hit.keys()
        got = call(desk, "memory_get", path="memory/2026-02-13.md", **{"from": 3, "lines": 1})
        assert got["text"] == "- Met Ana.\n"
        assert call(desk, "memory_get", path="memory/1999-01-01.md")["text"] == ""


def test_the_shared_memory_is_read_by_what_a_hit_says_and_written_by_nobody(
    ws: Git, tmp_path: Path
) -> None:
    common = agent(
        tmp_path / "common", "Every release is signed by two engineers.", config="shared_memory: ."
    )
    made(ws, CONFIG.replace("core\n", f"core\nshared_memory: '{common.root}'\n"))
    with opened(ws.root) as desk:
        [hit] = call(desk, "memory_search", query="who signs a release", source="shared")["results"]
        for path in (hit["path"], hit["citation"].partition("#")[0]):
            got = call(desk, "memory_get", path=path, **{"from": hit["line"]})
            assert "two engineers" in got["text"]
        for path in ("coder:MEMORY.md", str(common.root / "../MEMORY.md")):
            assert refused(desk, "memory_get", path=path)["kind"] == "usage"
    with opened(common.root) as desk:
        for name, text in (
            ("memory_add", "The heron is grey."),
            ("correction_add", "Releases are signed by one."),
        ):
            assert refused(desk, name, text=text)["kind"] == "not_allowed"
    assert "heron" not in (common.root / "MEMORY.md").read_text()


def test_what_is_written_bears_the_name_of_the_client(ws: Git) -> None:
    made(ws)
    with opened(ws.root) as desk:
        assert call(desk, "memory_add", text="The heron is grey.")["action"] == "added"
        assert call(desk, "memory_search", query="heron")["results"][0]["path"] == "MEMORY.md"
        asked = call(desk, "correction_add", text="The heron is white.", was="The heron is grey.")
        assert asked["status"] == "open"
        new = {"old": "Be brief.", "new": "Be very brief.", "reason": "asked twice"}
        assert call(desk, "soul_propose", **new)["held"] == ["proposed"]
    assert ws("log", "-3", "--format=%an").splitlines() == ["Tests", "Tests", "Olga Operator"]
    assert "Be very brief" not in (ws.root / "SOUL.md").read_text()
    assert "grey" in (ws.root / "MEMORY.md").read_text()


def test_an_answer_fits_into_its_tokens_and_tells_what_was_left_out(ws: Git) -> None:
    made(ws)
    herons = "".join(f"- The heron number {n} is grey and tall.\n" for n in range(300))
    whole = ws.write("memory/long.md", f"# Long\n\n{herons}").read_text()
    with opened(ws.root) as desk:
        asked: dict[str, Any] = {"path": "memory/long.md", "maxTokens": 400}
        answer = desk.answer("tests", TOOLS["memory_get"], asked)
        kept = answer.value["lines"]
        told = f"text: {302 - kept} of 302 lines; read on with from={kept + 1}"
        assert answer.value["dropped"] == [told]
        left_out = f"Left out, for 400 tokens: {told}. Ask more narrowly, or raise maxTokens."
        assert answer.texts[1] == left_out
        assert estimate_tokens(answer.texts[0]) <= 400
        rest = call(desk, "memory_get", **asked | {"maxTokens": 100_000, "from": kept + 1})
        assert answer.value["text"] + rest["text"] == whole

        asked = {"query": "heron", "maxResults": 50, "maxTokens": 500}
        few = desk.answer("tests", TOOLS["memory_search"], asked)
        assert few.value["dropped"][0].startswith("results: ")
        assert estimate_tokens(few.texts[0]) <= 500
        cut = call(desk, "history_diff", max_tokens=500)["dropped"]
        assert cut[0].startswith("files[0].patch: ")
        text = call(desk, "context", message="heron", max_tokens=500)["text"]
        assert estimate_tokens(text) <= 500


def test_after_a_line_that_is_too_long_reading_goes_on_at_the_next(ws: Git) -> None:
    made(ws)
    ws.write("memory/long.md", f"# Long\n\n- {'heron ' * 900}\n- The last.\n")
    with opened(ws.root) as desk:
        asked: dict[str, Any] = {"path": "memory/long.md", "from": 3, "maxTokens": 400}
        answer = desk.answer("tests", TOOLS["memory_get"], asked).value
        assert answer["lines"] == 1
        assert answer["text"].startswith("- heron heron")
        assert answer["dropped"][0] == "text: 1 of 2 lines; read on with from=4"
        assert answer["dropped"][1].endswith(" of 5,403 characters")
        assert call(desk, "memory_get", **asked | {"from": 4})["text"] == "- The last.\n"


WRONG: list[tuple[str, str, dict[str, Any]]] = [
    ("usage", "memory_search", {"query": "  "}),
    ("usage", "memory_get", {"path": "../secret"}),
    ("usage", "memory_get", {"path": "MEMORY.md", "from": 10_000}),
    ("usage", "memory_get", {"path": "/etc/passwd"}),
    ("not_found", "memory_why", {"place": "h0000000"}),
    ("usage", "history_diff", {"b": "HEAD"}),
    ("usage", "soul_propose", {"reason": "why"}),
    ("usage", "soul_propose", {"reason": "why", "old": "Be kind."}),
]


def test_what_goes_wrong_is_an_answer_with_a_remedy(ws: Git, tmp_path: Path) -> None:
    with opened(tmp_path) as desk:
        assert refused(desk, "memory_search", query="x")["kind"] == "not_a_workspace"
    with opened(ws.root) as desk:
        assert refused(desk, "status")["hint"] == f"clawgit init '{ws.root}'"
        made(ws)
        for kind, name, given in WRONG:
            assert refused(desk, name, **given)["kind"] == kind, name
        (ws.root / ".git" / "MERGE_HEAD").write_text(ws.head() + "\n")
        assert refused(desk, "correction_add", text="Billing uses MySQL.")["kind"] == "busy"
        assert call(desk, "memory_add", text="The heron is grey.")["parked"] is True
        (ws.root / ".git" / "MERGE_HEAD").unlink()
        assert call(desk, "memory_search", query="heron")["results"]


@pytest.mark.slow
def test_a_lock_that_others_hold_is_told_with_its_holder(ws: Git) -> None:
    made(ws)
    with opened(ws.root) as desk:
        place = desk._opened("").place
        with workspace_lock(place.private / "lock", "a long job", 0):
            told = refused(desk, "memory_add", text="The heron is grey.")
            assert (told["kind"], "a long job" in told["message"]) == ("busy", True)
            assert call(desk, "memory_search", query="billing")["results"]
        (ws.root / ".git" / "index.lock").write_bytes(b"")
        assert refused(desk, "correction_add", text="The heron is grey.")["kind"] == "busy"
        assert call(desk, "history_log")["commits"]
        (ws.root / ".git" / "index.lock").unlink()
        assert call(desk, "memory_add", text="The heron is grey.")["action"] == "added"


# What a tool takes: the schema tells it, and the check holds calls to it and names what would be r


@for_each(
    "name, given, message, hint",
    [
        ("memory_search", {}, "memory_search needs query: The question", "takes query, maxResults"),
        ("memory_rm", {"ids": []}, "ids: List should have at least 1 item", ""),
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
    # No schema can refuse NaN, which is no JSON.
    if "nan" not in repr(given):
        assert not Draft202012Validator(TOOLS[name].schema).is_valid(given)


# The table of tools: what a model is told of each holds.


_EXAMPLE = re.compile(r"\{.*?\}(?=$|[ ,])")


@for_each("tool", TOOLS.values())
def test_its_examples_are_calls_that_it_takes(tool: Tool) -> None:
    said = tool.schema
    Draft202012Validator.check_schema(said)
    examples: list[dict[str, Any]] = [
        json.loads(one) for one in _EXAMPLE.findall(tool.about.partition("Example: ")[2])
    ]
    assert examples
    for example in examples:
        assert Draft202012Validator(said).is_valid(example)
        assert len(tool.taken(example)) == len(example)


def test_only_who_writes_has_a_dry_run() -> None:
    dry = {name for name, tool in TOOLS.items() if {"dryRun", "dry_run"} & {*tool.params}}
    assert dry == {name for name, tool in TOOLS.items() if tool.writes}


def test_the_list_is_worth_its_place_in_a_context() -> None:
    listed = [
        {"name": tool.name, "about": tool.about, "takes": tool.schema} for tool in TOOLS.values()
    ]
    assert estimate_tokens(json.dumps(listed)) < 5500


def test_the_guide_names_every_tool() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "connect.md").read_text("utf-8")
    assert [name for name in TOOLS if f"`{name}`" not in guide] == []


# An answer fits into its tokens, its longest part gives way first, and it tells what it left out.


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6)
    ),
    max_leaves=12,
)


def size(value: Any) -> int:
    return estimate_tokens(compact(value))


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=6), st.integers(200, 400))
def test_whatever_it_is_it_fits_or_nothing_is_left_to_give(
    value: dict[str, Any], budget: int
) -> None:
    before = copy.deepcopy(value)
    dropped = worker.fitted(value, budget)
    assert json.loads(compact(value)) == value
    assert (value == before) == (not dropped)
    if size(before) <= budget:
        assert size(value) <= budget
