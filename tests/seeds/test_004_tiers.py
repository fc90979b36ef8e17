"""“Soul Memory”: four tiers, decay, compaction by quarters, the weekly review."""

from datetime import UTC, datetime, timedelta
from math import exp, log

import pytest

from clawgit.core.config.settings import Settings
from clawgit.run.performing import perform
from tests.chatting import at_a_terminal
from tests.mailbox import mailbox
from tests.seeds.conftest import Agent


def test_memory_status_counts_the_files_of_each_tier(agent: Agent) -> None:
    agent.write("memory/roadmap.md", "# Roadmap\n\n- Boats by May.\n")
    _, shown = agent("memory", "status").splitlines()[0].split(maxsplit=1)
    assert shown == "identity (T0) 1, lasting (T1) 2, of a day (T2) 1"


def test_soul_is_immutable_human_authorized_changes_only(agent: Agent) -> None:
    agent.settings(timezone="UTC", soul_policy="locked")
    before = agent.text("SOUL.md")
    agent("soul", "edit", "--add", "Sing at work.", "--section", "Soul", code=1)
    assert agent.text("SOUL.md") == before


AGES = {0: 1.0, 7: 0.81, 23: 0.5, 30: 0.41, 60: 0.17, 90: 0.07}


def test_the_table_of_a_half_life_of_23_days(agent: Agent) -> None:
    agent.settings(timezone="UTC", half_life_days=23)
    days = {age: datetime(2026, 3, 14, tzinfo=UTC).date() - timedelta(days=age) for age in AGES}
    for age, day in days.items():
        assert round(exp(-log(2) / 23 * age), 2) == pytest.approx(AGES[age], abs=0.011)
        agent.write(f"memory/{day}.md", f"# {day}\n\n- Kiln {age} reached {1000 + age} degrees.\n")
    words = ("kiln degrees", "--explain", "--min-score", "0", "--top", "9")
    hits = agent.json("memory", "search", *words)["results"]
    decay = {hit["path"]: hit["explain"]["factors"].get("decay", 1.0) for hit in hits}
    for age, day in days.items():
        assert decay[f"memory/{day}.md"] == pytest.approx(AGES[age], abs=0.011)


def test_evergreen_files_are_exempt_from_decay(agent: Agent) -> None:
    agent.settings(timezone="UTC", half_life_days=7)
    agent.write("memory/kilns.md", "# Kilns\n\n- The kiln reached 1,240 degrees.\n")
    agent.git.commit_all("kilns")
    agent.now = "2026-09-14T09:00:00+00:00"
    [hit, *_] = agent.json("memory", "search", "kiln degrees", "--explain")["results"]
    assert "decay" not in hit["explain"]["factors"]


def test_decay_is_off_by_default() -> None:
    assert Settings().half_life_days == 0


def test_memory_compact_previews_groups_by_quarter_and_removes_the_originals_where_asked(
    agent: Agent,
) -> None:
    for day in ("2025-02-03", "2025-05-06", "2025-05-07"):
        agent.write(f"memory/{day}.md", f"# {day}\n\n- Fired pot {day}.\n")
    agent.git.commit_all("old days")
    head = agent.git.head()
    shown = agent("memory", "compact")
    assert "2025-Q1" in shown
    assert "2025-Q2" in shown
    assert agent.git.head() == head
    agent("memory", "compact", "--apply")
    assert "Fired pot 2025-05-07." in agent.text("memory/archive/2025-Q2.md")
    assert agent.text("memory/2025-05-07.md"), "the originals are kept"
    agent("memory", "compact", "--apply", "--remove")
    assert not agent.text("memory/2025-05-07.md")
    assert "Fired pot 2025-05-07." in agent.text("memory/archive/2025-Q2.md")
    assert agent.text("memory/2026-02-13.md"), "younger ones stay"


@pytest.mark.filterwarnings("ignore:.imghdr. is deprecated:DeprecationWarning")
def test_the_weekly_review_is_announced_at_18_on_friday_in_the_operators_zone(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it has candidates."""
    agent.settings(timezone="Asia/Seoul", search_mode="core")
    rows = {row["name"]: row["when"] for row in agent.json("schedule", "show")["jobs"]}
    assert rows["weekly-review"] == "Friday 18:00"
    due = datetime.fromisoformat("2026-03-13T18:00:00+09:00")
    with mailbox() as box:
        monkeypatch.setenv("CLAWGIT_DIGEST_TO", box.url)
        workspace = at_a_terminal(agent.root, due)
        none = perform(workspace, "weekly-review", lambda: due)
        assert (none.summary, box.letters) == ("0 candidates for promotion", [])
        decided = "# 2026-03-12\n\n- Decision: the kiln moves to the east shed.\n"
        agent.write("memory/2026-03-12.md", decided)
        agent.git.commit_all("a day")
        agent("memory", "add", "The kiln is cold.", "--now", "2026-03-13T10:00:00+09:00")
        done = perform(workspace, "weekly-review", lambda: due)
        told = perform(workspace, "digest", lambda: due)
    assert done.summary == "1 candidate for promotion"
    assert told.summary == "sent to 1 of 1"
    [letter] = box.letters
    assert "the kiln moves to the east shed" in letter["message"]
