"""What `make bench-agents` prints: one report over two checkouts, and what a day costs with a
model."""

import json
from pathlib import Path

import pytest

from bench.agents_beside import beside, figures
from bench.model_day import costs, day, report
from clawgit.core.config.settings import Settings

ROOT = Path(__file__).parent.parent


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A set of one message that is worth keeping, and of three ordinary ones."""
    row = {
        "id": "x",
        "lang": "en",
        "before": "",
        "role": "user",
        "keep": [["We use PostgreSQL for billing.", "decision"]],
    }
    (tmp_path / "keep.jsonl").write_text(
        json.dumps({**row, "text": "We use PostgreSQL for billing."}) + "\n"
    )
    twin = {
        "id": "y",
        "lang": "en",
        "memory": ["The cat is called Rex."],
        "before": [],
        "text": "hello",
        "act": "chats",
    }
    free = {"entry": None, "old": None, "new": None}
    (tmp_path / "messages.jsonl").write_text(json.dumps({**twin, **free}) + "\n")
    (tmp_path / "ordinary.tsv").write_text(
        "en\tDone.\tthanks\nen\t\twhat is 7 times 8\nen\tHi!\tlol\n"
    )
    return tmp_path


def test_the_same_file_runs_in_any_checkout_and_makes_one_table(small: Path) -> None:
    found = figures(ROOT, [small])
    assert found["false calls on ordinary messages"].endswith("of 3)")
    rows = [*beside(found, {"memories, recall": "0.5", "gone since": "1"})]
    assert rows[0].split() == ["older", "today"]
    assert any(row.startswith("memories, recall") and "0.5" in row for row in rows)
    assert rows[-1].split() == ["gone", "since", "1", "–"]
    assert [*beside(found, None)] == [f"{name:45}{value}" for name, value in found.items()]


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_a_day_with_a_model_stays_within_its_cap(count: int) -> None:
    messages = day()
    assert len(messages) == 200
    messages = messages[:count]
    found = [*costs(messages)]
    assert 0 < sum(cost.asked.tokens for cost in found) < Settings().llm_daily_tokens
    assert f"{count} messages" in next(report(messages))
