"""What `make bench-agents` prints: one report over two checkouts, and what a day costs with a
model."""

import pytest

from bench.agents_beside import folders, judges
from bench.model_day import costs, day, report
from clawgit.core.config.settings import Settings


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_a_day_with_a_model_stays_within_its_cap(count: int) -> None:
    messages = day()
    assert len(messages) == 200
    messages = messages[:count]
    found = [*costs(messages)]
    assert 0 < sum(cost.asked.tokens for cost in found) < Settings().llm_daily_tokens
    assert f"{count} messages" in next(report(messages))


def test_what_the_judges_know_of_a_writer_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    judges([folder for folder in folders() if folder.name == "c1"])
    told = capfd.readouterr().out
    assert all(part in told for part in ("KEPT: c1", "corrections found (sure)", "chat: recall"))
