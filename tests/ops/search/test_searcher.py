"""A searcher that is kept open: it answers as a fresh one does, and reads little."""

import gc
from typing import Any

import pytest

from clawgit.domain.forgetting.record import Forgotten
from clawgit.ops.search import hit_text
from clawgit.ops.search.search import WARM, Request, Searcher, hold_of, search
from clawgit.ops.workspace import workspace_base
from clawgit.stores import plainfile
from clawgit.stores.git.forgetting.forgotten import forgotten_in
from tests.conftest import Git
from tests.ops.making import space_of
from tests.ops.search.conftest import first_hit


def test_kept_open_it_answers_as_if_it_were_fresh(memory: Git) -> None:
    ws = space_of(memory)
    with Searcher(ws) as warm:
        for day in range(1, 4):
            memory.write(
                f"memory/2026-01-0{day}.md", f"# Day\n\n- On day {day} the zeppelin flew.\n"
            )
            for source in ("", "memory", "identity"):
                request = Request("zeppelin", source=source)
                assert warm.answer(request).results == search(ws, request).results


def test_a_search_reads_each_file_and_what_was_forgotten_once(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def part_at(file: str) -> bytes:
        read.append(file)
        return plainfile.part_at(file)

    def forgotten(*place: Any) -> Forgotten:
        read.append("forgotten")
        return forgotten_in(*place)

    monkeypatch.setattr(hit_text, "part_at", part_at)
    monkeypatch.setattr(workspace_base, "forgotten_in", forgotten)
    with Searcher(space_of(memory), patience=WARM) as searcher:
        # The first looks at the files read the names, too.
        for _ in range(3):
            searcher.answer(Request("staging"))
        read.clear()
        answer = searcher.answer(Request("Ana certificate dashboard PostgreSQL GraphQL"))
    shown = {str(memory.root / hit.path) for hit in answer.results}
    assert sum(1 + len(hit.more) for hit in answer.results) > len(shown) > 1
    assert len(read) == len({*read})
    assert shown < {*read}
    assert "forgotten" in read


def test_every_item_of_some_files_is_rated_whatever_else_there_is(memory: Git) -> None:
    memory.write(
        "memory/2026-02-12.md", "- Nothing of interest.\n- The staging certificate again.\n"
    )
    paths, request = frozenset({"memory/2026-02-12.md"}), Request("the certificate of staging")
    with Searcher(space_of(memory)) as searcher:
        alone = searcher.rated(request, paths)
        searcher.answer(Request("something else"))
        searcher.answer(request)
        assert searcher.rated(request, paths) == alone
        searcher.answer(request._replace(source="archive"))
        assert searcher.rated(request, paths) == alone
    assert [row.line for row, _ in alone] == [2, 1]
    assert all(row.path in paths for row, _ in alone)


def _old_note(memory: Git, text: str) -> None:
    """Writes a note in place; it changed long ago, and keeps its size."""
    note = memory.root / "memory/air.md"
    note.parent.mkdir(exist_ok=True)
    with note.open("r+" if note.exists() else "w") as opened:
        opened.write(text)
        opened.truncate()


def test_a_look_holds_until_there_is_a_new_commit(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.stores.index.searching._MOST_GLANCED", 0)
    with Searcher(space_of(memory), patience=3600) as searcher:
        for _ in range(2):  # at the second question, there is nothing yet to glance at
            assert searcher.answer(Request("zeppelin hangar")).results == ()
        memory.write("memory/air.md", "- The zeppelin waits in its hangar.\n")
        assert searcher.answer(Request("zeppelin hangar")).results == ()
        memory.commit_all("air")
        assert first_hit(searcher.answer(Request("zeppelin hangar"))).path == "memory/air.md"


def test_while_a_look_holds_what_is_shown_is_what_the_files_hold(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.stores.index.searching._MOST_GLANCED", 0)
    _old_note(memory, "- The zeppelin waits in its hangar.\n")
    with Searcher(space_of(memory), patience=3600) as searcher:
        for _ in range(2):
            assert first_hit(searcher.answer(Request("zeppelin hangar"))).path == "memory/air.md"
        _old_note(memory, "- The zeppelin stays in the hangar.\n")
        hit = first_hit(searcher.answer(Request("zeppelin hangar")))
        assert hit.snippet == "The zeppelin stays in the hangar."
        (memory.root / "memory/air.md").unlink()
        assert searcher.answer(Request("zeppelin hangar")).results == ()


def test_the_next_search_finds_every_edit_to_a_memory_of_few_files(memory: Git) -> None:
    _old_note(memory, "- The rent of May is paid.\n")
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    with Searcher(ws, patience=3600) as searcher:

        def found() -> set[str]:
            results = searcher.answer(Request("zeppelin hangar")).results
            return {hit.path for hit in results}

        assert found() == set()
        _old_note(memory, "- The zeppelin, a hangar.\n")
        assert found() == {"memory/air.md"}
        memory.write("memory/2026/hall.md", "- A zeppelin in its hangar.\n")
        assert found() == {"memory/air.md", "memory/2026/hall.md"}
        memory.write("memory/2026/two.md", "- The zeppelin left its hangar.\n")
        assert found() == {"memory/air.md", "memory/2026/hall.md", "memory/2026/two.md"}
        (memory.root / "memory/2026/two.md").unlink()
        (memory.root / "memory/air.md").rename(memory.root / "memory/sky.md")
        assert found() == {"memory/sky.md", "memory/2026/hall.md"}


@pytest.mark.parametrize(
    ("patience", "took", "holds"), [(0, 2.0, 0), (0.25, 0.01, 0.25), (0.25, 0.1, 1.9), (0.25, 9, 5)]
)
def test_a_look_that_took_long_holds_longer(patience: float, took: float, holds: float) -> None:
    assert hold_of(patience, took) == pytest.approx(holds)


def test_an_answer_leaves_nothing_for_the_garbage_collector(memory: Git) -> None:
    """What hangs together in a circle stays in memory until Python looks for it: a server that
    answers often would look often, and each look makes an answer wait."""
    memory.write("memory/screws.md", "".join(f"- Box {at} holds the screws.\n" for at in range(60)))
    with Searcher(space_of(memory)) as searcher:
        for query in ("which box holds screws?", "box 7", "screws"):
            searcher.answer(Request(query))
        gc.collect()
        searcher.answer(Request("where are the screws of box 12?"))
        assert gc.collect() == 0
