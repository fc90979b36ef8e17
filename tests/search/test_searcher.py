"""A searcher that is kept open: it answers as a fresh one does, and reads little."""

from clawgit.search.search import Request, Searcher, search
from tests.conftest import Git
from tests.making import space_of


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


def _old_note(memory: Git, text: str) -> None:
    """Writes a note in place; it changed long ago, and keeps its size."""
    note = memory.root / "memory/air.md"
    note.parent.mkdir(exist_ok=True)
    with note.open("r+" if note.exists() else "w") as opened:
        opened.write(text)
        opened.truncate()


def test_the_next_search_finds_every_edit_to_a_memory_of_few_files(memory: Git) -> None:
    _old_note(memory, "- The rent of May is paid.\n")
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="core")
    with Searcher(ws) as searcher:

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
