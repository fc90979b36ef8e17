"""“OpenClaw 永久记忆系统技术解析”: two layers, the tools, the index, compaction, resets, agents."""

import json

import pytest

from clawgit.core.config.settings import Settings
from clawgit.core.markdown.item import items, size
from clawgit.talk.rules.session import CACHED_SECONDS, LONGEST_RESULT, RESULT_ENDS, SAFE_ANSWERS
from clawgit.talk.session import KEPT_TURNS
from tests.each import for_each
from tests.seeds.conftest import Agent

NOTES = "# 2026-03-12\n\n## 10:30 - 接口讨论\n\n我们决定使用REST而非GraphQL，原因：简单性。\n"


@pytest.fixture
def talked(agent: Agent) -> Agent:
    agent.write("memory/2026-03-12.md", NOTES)
    agent.git.commit_all("a day")
    return agent


def test_memory_search_answers_with_path_lines_score_and_snippet_and_get_reads_lines(
    talked: Agent,
) -> None:
    """`query`, `maxResults` and `minScore` over MEMORY.md and memory/*.md."""
    answer = talked.json("memory", "search", "REST GraphQL")
    assert answer["provider"]
    assert answer["model"]
    hit = answer["results"][0]
    assert (hit["path"], hit["source"]) == ("memory/2026-03-12.md", "memory")
    assert (hit["startLine"], hit["endLine"]) == (5, 5)
    assert 0 < hit["score"] <= 1
    assert "决定使用REST而非GraphQL" in hit["snippet"]
    got = talked.json("memory", "get", "memory/2026-03-12.md", "--from", "3", "--lines", "1")
    assert (got["text"].strip(), got["path"]) == ("## 10:30 - 接口讨论", "memory/2026-03-12.md")


def test_defaults_of_max_results_6_and_min_score_35_hundredths() -> None:
    assert (Settings().max_results, Settings().min_score) == (6, 0.35)


def test_chunks_of_400_tokens_with_an_overlap_of_80() -> None:
    first, second, *_ = items("memory/x.md", " ".join(f"word{n}" for n in range(2000)))
    shared = [word for word in second.text.split() if word in first.text.split()]
    assert (size(first.text), size(" ".join(shared))) == (399, 78)


def test_a_file_is_indexed_when_it_is_saved_and_the_index_can_be_deleted(talked: Agent) -> None:
    talked.write("memory/2026-03-14.md", "# 2026-03-14\n\n- The kiln reached 1,240 degrees.\n")
    [hit, *_] = found = talked.json("memory", "search", "kiln degrees")["results"]
    assert hit["path"] == "memory/2026-03-14.md"
    for file in (talked.root / ".git" / "clawgit").glob("*.db*"):
        if "state" not in file.name:
            file.unlink()
    assert talked.json("memory", "search", "kiln degrees")["results"] == found


def talk(count: int) -> str:
    rows = []
    for n in range(count):
        role = "user" if n % 2 == 0 else "assistant"
        content = [{"type": "text", "text": f"Turn {n}: the seam of hull plate {n} is welded."}]
        message = {"role": role, "content": content, "timestamp": 1_773_478_800_000 + n * 60_000}
        parent = f"e{n - 1}" if n else None
        rows.append({"type": "message", "id": f"e{n}", "parentId": parent, "message": message})
    return "\n".join(map(json.dumps, rows)) + "\n"


def test_compaction_sums_up_older_turns_and_keeps_the_last_10_whole(agent: Agent) -> None:
    agent.write("talk.jsonl", talk(40))
    texts = agent("session", "compact", str(agent.root / "talk.jsonl"), "--json")
    assert all(f"Turn {n}: the seam" in texts for n in range(30, 40))
    assert KEPT_TURNS == 10


@pytest.mark.parametrize(("tokens", "due"), [("175999", False), ("176000", True)])
def test_memory_flush_at_reserve_20000_and_soft_threshold_4000(
    agent: Agent, tokens: str, due: bool
) -> None:
    agent.write("talk.jsonl", talk(4))
    size = ("--tokens", tokens, "--window", "200000")
    told = agent.json("session", "flush-check", str(agent.root / "talk.jsonl"), *size)
    assert (told["flush"], told["reply"]) == (due, "NO_REPLY")
    assert "NO_REPLY" in told["prompt"]
    assert told["path"] == "memory/2026-03-14.md"


def test_soft_trim_of_4000_chars_to_1500_and_1500_keeps_the_last_3_assistants() -> None:
    assert (LONGEST_RESULT, RESULT_ENDS) == (4000, 1500)
    assert (SAFE_ANSWERS, CACHED_SECONDS) == (3, 600)


@for_each(
    "mode, last, now, due",
    [
        ("daily", "2026-03-13T23:00:00Z", "2026-03-14T03:59:00Z", False),
        ("daily", "2026-03-13T23:00:00Z", "2026-03-14T04:00:00Z", True),
        ("idle", "2026-03-14T01:00:00Z", "2026-03-14T01:59:00Z", False),
        ("idle", "2026-03-14T01:00:00Z", "2026-03-14T02:01:00Z", True),
        ("daily+idle", "2026-03-14T01:00:00Z", "2026-03-14T02:01:00Z", True),
        ("daily+idle", "2026-03-14T03:50:00Z", "2026-03-14T04:00:00Z", True),
    ],
)
def test_reset_modes_daily_at_4_idle_and_whichever_comes_first(
    agent: Agent, mode: str, last: str, now: str, due: bool
) -> None:
    agent.now = now
    assert agent.json("session", "reset-check", "--rule", mode, "--last", last)["reset"] is due


def test_with_new_the_last_15_messages_are_saved_as_a_memory_file_of_their_own(
    agent: Agent,
) -> None:
    agent.write("talk.jsonl", talk(20))
    agent("session", "new", str(agent.root / "talk.jsonl"))
    [note] = (agent.root / "memory").glob("2026-03-14-*.md")
    text = note.read_text()
    assert "Turn 5:" in text
    assert "Turn 4:" not in text
    [hit, *_] = agent.json("memory", "search", "seam of hull plate 19")["results"]
    assert hit["path"] == f"memory/{note.name}"


def test_an_agent_can_read_its_own_workspace_only(agent: Agent) -> None:
    for path in ("../elsewhere.md", "/etc/hosts"):
        assert agent("memory", "get", path, code=2) == "", path
