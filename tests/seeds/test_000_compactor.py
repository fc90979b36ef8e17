"""OpenClaw Memory & Soul: “5.5 Memory Compactor”."""

from tests.seeds.conftest import Agent

DAY = """\
# 2026-01-09

## 08:15 - Kiln

- Cone 6 glaze crawled on the three tall jugs

## 09:30 - Market stall

- Pitch 12 is ours until March #event <!-- claw:kxmqtp conf=0.95 n=1 -->

## 14:40 - Kiln

- Second firing came out clean

## 17:00 - Hourly check

Nothing to report.

## 18:00 - Hourly check

Nothing to report.

## Notes
"""


def test_a_narrative_summary_is_the_day_in_its_own_words(agent: Agent) -> None:
    agent.write("memory/2026-01-09.md", DAY)
    agent.git.commit_all("a day in the pottery")
    agent("agent", "run", "memory-compactor")
    told = agent.text("Archive/Chronicles/2026-January.md")
    assert told == (
        "# 2026-January\n\n## 2026-01-09\n\n"
        "### 08:15 - Kiln\n\n- Cone 6 glaze crawled on the three tall jugs\n\n"
        "### 09:30 - Market stall\n\n"
        "- Pitch 12 is ours until March #event <!-- claw:kxmqtp conf=0.95 n=1 -->\n\n"
        "### 14:40 - Kiln\n\n- Second firing came out clean\n\n"
        "### 17:00 - Hourly check\n\nNothing to report.\n\n"
        "### 18:00 - Hourly check\n\nNothing to report.\n\n### Notes\n"
    )
    assert not agent.text("memory/2026-01-09.md")
    agent.write("memory/2026-01-09.md", DAY)
    agent.git.commit_all("an editor saved it again")
    agent("agent", "run", "memory-compactor")
    assert agent.text("Archive/Chronicles/2026-January.md") == told
