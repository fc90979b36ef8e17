"""`memory status`: what there is, counted right, and nothing changed by counting."""

import pytest

from clawgit.health.memory_index import memory_status
from clawgit.search.search import Request, search
from tests.soulful import Soulful


@pytest.fixture
def full(soulful: Soulful) -> Soulful:
    write = soulful.git.write
    write("memory/roadmap.md", "- a\n- b\n  - nested\n\ntext\n")
    write("memory/2026-02-13.md", "# Day\n\n- c\n")
    write("memory/2026-02-14-trip.md", "nothing\n")
    write("memory/.dreams/x.md", "- machine\n")
    write("memory/archive/2025-Q4.md", "- old\n")
    write("memory/latin.md", "").write_bytes(b"- caf\xe9\n")
    write("CORRECTIONS.md", "# Corrections\n\n- prose\n")
    write("notes.md", "- none of memory\n")
    return soulful


def test_sizes_are_those_on_disk(full: Soulful) -> None:
    shared = full.space.place.shared
    (shared / "chroma/gen").mkdir(parents=True)
    (shared / "vectors").mkdir()
    for name, size in (
        ("search.db", 11), ("state.db", 7), ("chroma/gen/data", 8), ("vectors/a.f32", 4),
    ):  # fmt: skip
        (shared / name).write_bytes(b"x" * size)
    files = sum(len(full.git.root.joinpath(path).read_bytes()) for path in MEMORY)
    assert memory_status(full.space).sizes == {
        "files": files,
        "index": 11,
        "vectors": 4,
        "chroma": 8,
        "state": 7,
    }


def test_after_a_search_the_index_and_its_vectors_are_counted(full: Soulful) -> None:
    found = search(full.space, Request("nested"))
    seen = memory_status(full.space)
    assert (found.mode, seen.mode, seen.model) == ("enhanced", "enhanced", found.model)
    assert seen.items >= seen.vectors > 6
    assert f"{seen.items} items" in seen.index
    assert seen.sizes["vectors"] >= 384 * seen.vectors, "numbers of 8 bits"


MEMORY = (
    "SOUL.md", "IDENTITY.md", "MEMORY.md", "CORRECTIONS.md", "memory/roadmap.md",
    "memory/2026-02-13.md",
    "memory/2026-02-14-trip.md", "notes.md", "memory/archive/2025-Q4.md", "memory/latin.md",
)  # fmt: skip
