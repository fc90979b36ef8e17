"""How the search is measured, and which lines the reranker learns from."""

import json
from pathlib import Path
from random import Random

import pytest

from bench.make_reader import Asked, hardest
from bench.ranking_beside import beside_rows
from bench.ranking_lab import Case, open_case
from bench.workspace_questions import Tally, ranked_lines, tallies
from clawgit.config.settings import Settings
from clawgit.domain.search.ranking import GatheredMatches
from clawgit.ops.search.asking import looked_at

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
def case(tmp_path: Path) -> Case:
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
    return open_case(root, questions)


@pytest.mark.usefixtures("case")
def test_a_workspace_is_asked_as_its_user_would_ask_it(tmp_path: Path) -> None:
    found = tallies(tmp_path)
    ways = (
        "core",
        "enhanced, no reranker",
        "enhanced",
        "enhanced, e5",
    )
    assert {*found} == {"BM25 a line", *ways, *(f"{way}, best line alone" for way in ways)}
    both = Tally(asked=2, first=2, five=2)
    assert found.pop("BM25 a line") == both
    assert {*found.values()} == {both._replace(absent=1, refused=1)}
    spot = {"path": "MEMORY.md", "line": 99}
    with (tmp_path / "ws.queries.jsonl").open("a") as rows:
        rows.write(json.dumps({"query": "the boat is called", "expect": [spot]}) + "\n")
    assert {tally[:3] for tally in tallies(tmp_path).values()} == {(3, 2, 2)}


def test_a_set_of_lines_is_whole_or_exact() -> None:
    one, other = ("MEMORY.md", 3), ("MEMORY.md", 4)
    none = Tally().with_set({one, other}, {one})
    assert none == Tally(sets=1)
    whole = none.with_set({one}, {one, other})
    assert whole == Tally(sets=2, whole=1)
    assert str(whole.with_set(set(), set())).endswith("; of 3 sets: 2 whole, 1 exact")


@pytest.mark.usefixtures("case")
def test_what_a_question_ranks_first_can_be_learned_from(tmp_path: Path) -> None:
    learned = {one["q"]: one for one in ranked_lines(tmp_path)}
    assert {*learned} == {*_ASKED}
    boat = learned["What is the boat called?"]
    assert (boat["absent"], boat["lines"][0]["right"]) == (False, True)
    assert boat["lines"][0]["text"] == "The boat is called Marlin."
    roof = learned["Who repaired the roof?"]
    assert (roof["absent"], [line for line in roof["lines"] if line["right"]]) == (True, [])


def test_words_alone_and_ours_are_counted_by_line_and_by_file(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    _head, bm25, ours = beside_rows({"set": {"core": [case]}})
    assert bm25 == ("set", "BM25 a line", "2", "1.000", "1.000", "1.000")
    assert ours == ("set", "ours, core", "2", "1.000", "1.000", "1.000")


def test_as_many_items_are_ranked_as_in_a_search_of_that_many_hits(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()
    best = GatheredMatches.best

    def counted(gathered: GatheredMatches, count: int) -> list[int]:
        asked.append(count)
        return best(gathered, count)

    monkeypatch.setattr(GatheredMatches, "best", counted)
    case.hits(0)
    case.hits(0, most=60)
    assert asked == [looked_at(Settings().max_results), looked_at(60)] == [46, 100]


def test_qmd_is_counted_by_file_where_it_is_installed(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that answers as qmd does, always with one file."""
    program = tmp_path / "bin" / "qmd"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n[ "$1" = search ] && echo \'[{"file": "qmd://notes/MEMORY.md"}]\'\nexit 0\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    rows = [*beside_rows({"set": {"core": [case]}})]
    assert ("set", "qmd search", "2", "", "", "0.500") in rows


def test_a_reader_learns_from_lines_that_it_takes_for_answers() -> None:
    lines = ["right", "far", "nearest", "farther", "near", "nearer"]
    answered = Asked("q", lines, answered=True)
    absent = Asked("q", lines[1:], answered=False)
    few = Asked("q", ["right", "wrong"], answered=True)
    scores = [9, -4, 3, -5, 1, 2, -4, 3, -5, 1, 2, 0, 5]
    kept = hardest([answered, absent, few], scores, Random(1))
    nearest = ["nearest", "nearer", "near"]
    assert [[*asked.lines][:-1] for asked in kept[:2]] == [["right", *nearest], nearest]
    assert kept[2] == few
    assert {asked.lines[-1] for asked in kept[:2]} <= {"far", "farther"}
