"""How the search is measured, and which lines the reranker learns from."""

import json
from pathlib import Path

import pytest

from bench.workspace_questions import Tally, tallies

_NOTES = {
    "MEMORY.md": "- The boat is called Marlin.\n- The boat was sold in May.\n",
    "memory/2026-01-01.md": "- Ana painted the fence green.\n",
}
_ASKED = {
    "What colour did Ana paint the fence?": [("memory/2026-01-01.md", 1)],
    "What is the boat called?": [("MEMORY.md", 1)],
    "Who repaired the roof?": [],
}


@pytest.fixture
def case(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    for path, text in _NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    rows = (
        {"query": query, "expect": [{"path": path, "line": line} for path, line in expect]}
        for query, expect in _ASKED.items()
    )
    questions = tmp_path / "ws.queries.jsonl"
    questions.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


@pytest.mark.usefixtures("case")
def test_a_workspace_is_asked_as_its_user_would_ask_it(tmp_path: Path) -> None:
    found = tallies(tmp_path)
    assert {*found} == {"BM25 a line", "core", "vectors", "enhanced"}
    both = Tally(asked=2, first=2, five=2)
    assert found.pop("BM25 a line") == both
    assert {*found.values()} == {both._replace(absent=1, refused=1)}
