"""“How OpenClaw Remembers”: bootstrap, identity, triggers of a write, the index, the search."""

import os

from clawgit.core.limits import FILE_CHARACTERS, INJECTED
from clawgit.run.performing import asked
from tests.each import for_each
from tests.seeds.conftest import Agent

TEMPLATES = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "HEARTBEAT.md", "BOOTSTRAP.md")


def test_template_files_are_copied_into_a_brand_new_workspace_and_bootstrap_md_once(
    newborn: Agent,
) -> None:
    assert [path for path in TEMPLATES if not newborn.text(path).startswith("# ")] == []
    # HEARTBEAT.md is an empty checklist, as OpenClaw reads it: no model is called.
    lines = newborn.text("HEARTBEAT.md").splitlines()
    assert {line for line in lines if line and not line.startswith("#")} == {"- [ ]"}
    assert newborn.json("heartbeat", "--maintain")["asked"] == []
    (newborn.root / "BOOTSTRAP.md").unlink()
    newborn("init", "--no-openclaw", "--full")
    assert not (newborn.root / "BOOTSTRAP.md").exists()


def test_identity_files_are_injected_and_truncated_to_20000_characters(agent: Agent) -> None:
    assert FILE_CHARACTERS == 20_000
    assert {"SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "MEMORY.md"} <= {*INJECTED}
    agent.write("MEMORY.md", "# Memory\n\n" + "- The ferry leaves at dawn, as ever.\n" * 700)
    agent.git.commit_all("long")
    assert "MEMORY.md" in agent("doctor", code=1)


def test_the_daily_journal_is_append_only(agent: Agent) -> None:
    agent("memory", "add", "The kiln reached 1,240 degrees.", "--tag", "event")
    first = agent.text("memory/2026-03-14.md")
    agent("memory", "add", "The glaze came out green.", "--tag", "event")
    second = agent.text("memory/2026-03-14.md")
    assert [line for line in first.splitlines() if line] == [
        line for line in second.splitlines() if line and "glaze" not in line
    ]


def test_remember_that_goes_where_it_lasts(agent: Agent) -> None:
    agent.says("Remember that we are switching to Redis for caching.")
    agent("agent", "run", "memory-miner")
    assert "switching to Redis for caching" in agent.text("MEMORY.md")


UPKEEP = "# HEARTBEAT.md\n\n- [ ] Every few days: run clawgit heartbeat --maintain\n- [ ]\n"


def test_heartbeat_maintenance_brings_daily_files_into_memory_md(agent: Agent) -> None:
    agent.write("HEARTBEAT.md", UPKEEP)
    agent.write(
        "memory/2026-03-13.md",
        "# 2026-03-13\n\n- Decision: the shop closes on Mondays from May on.\n- It rained.\n",
    )
    done = agent.json("heartbeat", "--maintain", "--dry-run")
    assert (done["commit"], [line["target"] for line in done["promoted"]]) == (None, ["MEMORY.md"])
    answer = agent("heartbeat", "--maintain")
    assert answer.endswith("HEARTBEAT_OK\n")
    assert "the shop closes on Mondays from May on." in agent.text("MEMORY.md")
    assert "closes on Mondays" not in agent.text("memory/2026-03-13.md")
    assert agent("heartbeat", "--maintain") == "HEARTBEAT_OK\n"


def test_a_heartbeat_that_needs_the_human_says_what_for_and_takes_no_message(agent: Agent) -> None:
    agent.write("HEARTBEAT.md", UPKEEP + "- [ ] Look for mail from the landlord\n")
    agent("corrections", "add", "The loft holds twenty bales.")
    done = agent.json("heartbeat", "--maintain")
    assert done["asked"] == ["Look for mail from the landlord"]
    assert any("1 correction asks what is right" in need for need in done["needs"])
    assert done["reply"] == ""
    agent("heartbeat", "--maintain", "You forgot the hay.", code=2)
    assert "hay" not in "".join(agent.text(path) for path in ("HEARTBEAT.md", "MEMORY.md"))


@for_each(
    "text, lines",
    [
        ("", ()),
        ("# Heartbeat\n\n#\n- [ ]\n* \n- [x]  \n", ()),
        (
            "# Heartbeat\n- [ ] Water the figs\nLook out.\n#tag\n",
            ("Water the figs", "Look out.", "#tag"),
        ),
    ],
)
def test_headings_and_empty_boxes_ask_for_nothing(text: str, lines: tuple[str, ...]) -> None:
    assert asked(text) == lines


def test_each_file_is_compared_and_unchanged_files_are_skipped(agent: Agent) -> None:
    for path in agent.root.glob("**/*.md"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    agent("memory", "index")
    agent.write("memory/2026-03-14.md", "# 2026-03-14\n\n- New.\n")
    files = agent.json("memory", "index")
    assert files["changed"] == 1


@for_each(
    "query, found",
    [
        ("commit a828e60", "a828e60"),
        ("what did the doctor say about my eyesight", "physician"),
        ("PostgreSQL billing", "MEMORY.md#L3-L3"),
    ],
)
def test_search_finds_exact_tokens_and_what_means_the_same_with_citations(
    agent: Agent, query: str, found: str
) -> None:
    lines = "- Rolled back commit a828e60 at noon.\n- The physician prescribed glasses.\n- Tea.\n"
    agent.write("memory/2026-03-13.md", f"# 2026-03-13\n\n{lines}")
    [hit, *_] = agent.json("memory", "search", query)["results"]
    assert found in f"{hit['snippet']} {hit['citation']}"


def test_a_conflict_marker_in_any_markdown_is_refused_at_a_commit(newborn: Agent) -> None:
    torn = "# USER.md\n\n<<<<<<< HEAD\n- Name: Ana\n=======\n- Name: Anna\n>>>>>>> theirs\n"
    for path in ("USER.md", "memory/legal.md"):
        newborn.write(path, torn)
        newborn.git("add", path)
        head = newborn.git.head()
        newborn.git("commit", "-qm", "torn", ok=False)
        assert newborn.git.head() == head
        newborn.git("reset", "-q")
        newborn.git("checkout", "-q", ".")
        newborn.git("clean", "-qf", "memory")


def test_the_upkeep_shows_no_secret(agent: Agent) -> None:
    key = "sk-ant-" + "api03-" + "q7Zt9LmX2bRw" * 7 + "-QfA"
    agent.write("HEARTBEAT.md", f"# HEARTBEAT.md\n\n- [ ] Log in with {key}\n")
    agent.git.commit_all("a beat")
    for words in ((), ("--json",)):
        answer = agent("heartbeat", "--maintain", *words)
        assert "Log in with" in answer
        assert key not in answer
