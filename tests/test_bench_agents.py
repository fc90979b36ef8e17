"""What `make bench-agents` prints: one report over two checkouts, and what a day costs with a
model."""

import json
from pathlib import Path

import pytest

from bench.agents_beside import KEPT, NoFiguresError, beside, figures, folders, main, read
from bench.model_day import Counting, costs, day, emptiest, ordinary_day, report
from clawgit.config.settings import Settings
from clawgit.domain.conversation.chat import USER
from clawgit.domain.model.answer import fitted, schema

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


def test_a_report_is_read_row_by_row() -> None:
    assert read(f"{'heard, en':45}0.9 (9 of 10)\n\n{'x':45}none\n") == {
        "heard, en": "0.9 (9 of 10)",
        "x": "none",
    }


def test_what_cannot_be_measured_is_told(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "clawgit").mkdir()
    (tmp_path / "clawgit" / "__init__.py").write_text("raise RuntimeError('too old')\n")
    with pytest.raises(NoFiguresError, match="too old"):
        figures(tmp_path, [small])
    assert main([str(small), "--old", str(tmp_path), "--no-judges"]) == 1
    assert "too old" in capsys.readouterr().err


def test_what_may_be_learned_from_is_no_kept_set(tmp_path: Path) -> None:
    for name in ("judges/ana", "judges-kept/a/ben", "judges-kept/b/cho"):
        (tmp_path / name).mkdir(parents=True)
    assert [path.name for path in folders(tmp_path / "judges-kept")] == ["ben", "cho"]
    assert KEPT.name == "judges-kept"


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_a_day_with_a_model_stays_within_its_cap(count: int) -> None:
    messages = day()
    assert len(messages) == 200
    messages = messages[:count]
    found = [*costs(messages)]
    assert all(cost.chosen.tokens <= cost.whole.tokens * 1.1 for cost in found)
    assert 0 < sum(cost.whole.tokens for cost in found) < Settings().llm_daily_tokens
    assert f"{count} messages" in next(report(messages))


def test_a_day_of_a_set_is_mostly_ordinary(small: Path) -> None:
    messages = ordinary_day([small])
    assert [one.text for one in messages if one.role == USER] == [
        "thanks",
        "what is 7 times 8",
        "lol",
    ]


def test_the_emptiest_answer_fits_what_was_asked() -> None:
    assert fitted(bool, emptiest(schema(bool))) is False
    mind = Counting("role")
    assert mind.ask("What?", {"chat": "tea"}, list[str]) == []
    assert (mind.calls, mind.tokens > 500) == (1, True)
