"""“OpenClaw Persistent Memory & Identity Evolution Spec”: its agents, triage and confidence."""

import re
import sys
from datetime import date, timedelta

import pytest

from clawgit.agents.memory_miner import propose as mined
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.entry import entries
from clawgit.memory.rules.confidence import BASE, confidence
from clawgit.memory.rules.conflict_log import conflicts
from clawgit.talk.rules.corrections import CONFIRMED, Correction, added, corrections
from tests.agents.mining import said as told
from tests.agents.mining import seen
from tests.agents.recalling import call, memory, said, validate
from tests.each import for_each
from tests.seeds.conftest import Agent

MEMORY_TRIGGERS = (
    "Remember that the goats need hay.", "don't forget the hay", "Important: the gate sticks.",
    "Decision: we sell the cart.", "we agreed on oak", "the plan is to plough on Monday",
    "note to self, oil the hinge",
)  # fmt: skip


@for_each("text", MEMORY_TRIGGERS)
def test_memory_triggers_flag_for_memory_miner_priority_true(agent: Agent, text: str) -> None:
    assert agent.json("triage", text)["priority"] is True


def test_runs_on_incoming_messages_regex_only_with_a_latency_budget_of_50ms(agent: Agent) -> None:
    assert agent.json("triage", "Actually, the gate is green. " * 40)["elapsed_ms"] < 50


def test_every_extracted_memory_must_carry_exactly_one_primary_tag_and_its_confidence(
    agent: Agent,
) -> None:
    agent.says(
        "We decided to roof the barn with slate.", "Noted.",
        "Remember that the well is forty feet deep.", "Noted.",
        "Remember that on 12 March 2026 the ferry sank.",
    )  # fmt: skip
    agent("agent", "run", "memory-miner")
    paths = agent.git("show", "--name-only", "--format=", "HEAD").split()
    new = [entry for path in paths for entry in entries(agent.text(path)) if entry.meta]
    assert len(new) == 3
    for entry in new:
        assert len(re.findall(r"#(?:event|knowledge|skill|decision)\b", entry.text)) == 1
        assert entry.facts.conf == BASE["explicit"] == 0.95


def test_process_priority_flagged_messages_first(agent: Agent) -> None:
    agent.says("We decided to keep the seed in the loft.", "Yes.", "Important: the gate sticks.")
    done = agent.json("agent", "run", "memory-miner", "--dry-run")
    order = [row["summary"] for row in done["proposed"]]
    assert ["gate" in words for words in order] == [True, False]


def test_core_search_memory_md_for_keyword_overlap_if_similar_update_it() -> None:
    files = {"MEMORY.md": "# Memory\n\n- The mill is running on 2 wheels. #knowledge\n"}
    done = mined(seen(told("Remember that the mill runs on two wheels."), files))
    [entry] = entries(done.steps[0].edits[0].after or "")
    assert entry.facts.n == 2


def test_if_a_memory_contradicts_corrections_md_the_correction_wins_always() -> None:
    came = said("No, the mare is called Vesta.", "The mare is called Juno. #knowledge")
    assert came.texts == ["The mare is called Vesta. #knowledge #correction"]
    again = mined(seen(told("Remember that the mare is called Juno."), {**came.files}))
    written = "".join(edit.after or "" for step in again.steps for edit in step.edits)
    assert "Vesta" in written or not written


MARE = "The mare is called Juno. #knowledge"
VESTA = "No, the mare is called Vesta."


def test_log_the_full_exchange_to_corrections_md() -> None:
    """Timestamp, trigger phrase, its confidence, both sides, the right value, re-embedded."""
    came = said(VESTA, MARE, turn="I fed Juno, the mare.")
    [logged] = came.log
    assert logged.time is not None
    assert logged.trigger
    assert logged.confidence in ("high", "medium")
    assert (logged.said, logged.words) == ("I fed Juno, the mare.", VESTA)
    assert "Vesta" in logged.correct
    assert "- Re-embedded: false" in came.files["CORRECTIONS.md"]


@for_each("turn", ["I fed Juno, the mare.", "The oven is lit."])
def test_what_the_agent_said_is_marked_when_another_message_lies_between(turn: str) -> None:
    call_between = call(VESTA, turn=turn)
    earlier, [before] = call("Thanks.", ident="m4").message, call_between.exchange
    came = validate(memory(MARE), call_between._replace(exchange=(before, earlier)))
    assert [logged.said for logged in came.log] == [f"(earlier) {turn}"]


def test_core_update_in_place_and_keep_the_old_value() -> None:
    came = said("No, the loft holds 20 bales.", "The loft holds 12 bales. #knowledge")
    assert came.texts == ["The loft holds 20 bales. #knowledge #correction"]
    [logged] = came.log
    assert logged.old == "The loft holds 12 bales."
    assert f"ev=CORRECTIONS.md#{logged.id}" in came.files["MEMORY.md"]


def test_the_old_value_is_in_no_text_that_is_put_into_a_prompt_and_why_tells_it(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    agent("memory", "add", "The loft holds twelve bales.")
    agent("corrections", "add", "The loft holds twenty bales.")
    assert "twelve" not in agent.text("MEMORY.md")
    [hit, *_] = agent.json("memory", "search", "how many bales does the loft hold")["results"]
    assert "twelve" not in hit["snippet"]
    assert "twelve" in agent("why", hit["entryId"])


def test_what_an_agent_says_without_citing_the_operator_is_open(agent: Agent) -> None:
    agent("memory", "add", "The loft holds twelve bales.")
    right = "The loft holds twenty bales."
    agent("corrections", "add", right, "--was", "The loft holds twelve bales.")
    assert [each.status for each in corrections(agent.text("CORRECTIONS.md"))] == ["open"]
    assert right not in agent.text("MEMORY.md")


def test_corrections_from_the_operator_have_confidence_1_always() -> None:
    came = said("No, the loft holds 20 bales.", "The loft holds 12 bales. #knowledge")
    [entry] = came.memory
    for days in (0, 30, 3000):
        day = date(2026, 2, 14) + timedelta(days=days)
        assert confidence(entry.meta, Settings(), day) == 1.0


def aged(source: str, days: int) -> float:
    written = Meta("abc234", (f"conf={BASE[source]}", "n=1", "last=2026-01-01", f"src={source}"))
    return confidence(written, Settings(), date(2026, 1, 1) + timedelta(days=days))


def test_base_confidence_by_source_type() -> None:
    assert BASE == {"explicit": 0.95, "correction": 1.0, "inferred": 0.6}


def test_minus_5_hundredths_per_30_days_without_mention_floor_2_tenths() -> None:
    assert [aged("explicit", days) for days in (29, 30, 60, 90_000)] == [0.95, 0.9, 0.85, 0.2]


def test_plus_5_hundredths_per_repeat_mention(agent: Agent) -> None:
    for _ in range(2):
        agent("memory", "add", "The mill runs on two wheels.", "--source", "inferred")
    [entry] = [entry for entry in entries(agent.text("MEMORY.md")) if "mill" in entry.text]
    assert entry.facts.conf == 0.65


def test_all_corrections_get_a_correction_relevance_boost_of_one_and_a_half(agent: Agent) -> None:
    agent.write(
        "MEMORY.md",
        "# Memory\n\n## Old\n\n- The old hens lay brown eggs.\n\n## New\n\n"
        "- The new hens lay brown eggs. #correction\n",
    )
    said = (
        "## kkaaaa · 2026-02-01\n\n- Correct: The new hens lay brown eggs.\n- Status: confirmed\n"
    )
    agent.write("CORRECTIONS.md", f"# Corrections\n\n{said}")
    agent.git.commit_as_operator("hens")
    hits = agent.json("memory", "search", "brown eggs", "--explain")["results"]
    factors = {hit["line"]: hit["explain"]["factors"] for hit in hits}
    assert factors == {9: {"correction": 1.5}, 5: {}}


def entry(words: str, days: int, ident: str, source: str = "explicit") -> str:
    day = date(2026, 3, 14) - timedelta(days=days)
    return (
        f"- {words} #knowledge <!-- claw:{ident} conf=0.95 n=1 first={day} last={day} "
        f"src={source} ev=chat:main/m{ident[-1]} -->\n"
    )


def test_a_correction_wins_always_then_what_is_newer_by_30_days_else_flag_for_operator_review(
    agent: Agent,
) -> None:
    two = {
        "sooner": entry("The ferry is at 7:30.", 12, "abc234")
        + entry("The ferry is at 8:15.", 0, "abc345"),
        "newer": entry("The mill is not free.", 45, "def456")
        + entry("The mill is free.", 0, "def567"),
        "right": entry("The bus is at 7:30.", 0, "ghk456")
        + entry("The bus is at 8:15. #correction", 45, "ghk567", "correction"),
    }
    said = "No, the bus is at 8:15."
    agent("chat", "log", said, "--session", "main", "--id", "m1")
    right = Correction(
        "mright",
        None,
        correct="The bus is at 8:15.",
        words=said,
        source="chat:main/m1",
        status=CONFIRMED,
    )
    agent.write("CORRECTIONS.md", added("", right))
    agent.write("MEMORY.md", f"# Memory\n\n{''.join(two.values())}")
    agent.git.commit_all("six")
    agent("agent", "run", "conflict-detector")
    status = {each.key: each.facts.status for each in entries(agent.text("MEMORY.md"))}
    assert status == {
        "abc234": "active", "abc345": "active", "def456": "superseded", "def567": "active",
        "ghk456": "superseded", "ghk567": "active",
    }  # fmt: skip
    [flagged] = [one for one in conflicts(agent.text("CONFLICTS.md")) if one.open]
    assert {flagged.a.key, flagged.b.key} == {"abc234", "abc345"}
