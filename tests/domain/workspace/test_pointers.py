"""MEMORY.md as an index: what its links, arrows and names point at."""

from clawgit.domain.workspace.pointers import candidates, pointed, pointers
from tests.each import for_each

FILES = (
    "MEMORY.md", "memory/facts.md", "memory/people/Ana Perez.md", "projects/shop.md",
    "docs/deep/kiln.md", "docs/index.md", "memory/kiln/a.md", "memory/kiln/b.md", "notes.txt",
)  # fmt: skip


@for_each(
    "line, found",
    [
        ("- [Shop](projects/shop.md): what we sell", {"projects/shop.md"}),
        ("- [Shop](./projects/shop.md#prices)", {"projects/shop.md"}),
        ("- Facts → memory/facts.md", {"memory/facts.md"}),
        ("- **Facts** -> `memory/facts.md`, and more", {"memory/facts.md"}),
        ("See `memory/facts.md`.", {"memory/facts.md"}),
        ("[[facts]]", {"memory/facts.md"}),
        ("[[Ana Perez|her]] and [[kiln#Firing]]", {"memory/people/Ana Perez.md",
            "docs/deep/kiln.md"}),
        ("[Ana](<memory/people/Ana Perez.md>)", {"memory/people/Ana Perez.md"}),
        ("[Ana](memory/people/ana%20perez.md)", {"memory/people/Ana Perez.md"}),
        ("All → memory/kiln/", {"memory/kiln/a.md", "memory/kiln/b.md"}),
        ("[web](https://example.org/facts.md) [up](../other/facts2.md) [abs](/etc/hosts.md)", ()),
        ("[me](MEMORY.md) [text](notes.txt) → nothing", ()),
    ],
)  # fmt: skip
def test_an_index_points_at_notes(line: str, found: set[str]) -> None:
    assert pointed("MEMORY.md", line, FILES) == set(found)


def test_a_pointer_counts_from_the_folder_of_its_index_first() -> None:
    files = ("notes/a.md", "a.md")
    assert pointed("notes/MEMORY.md", "[a](a.md)", files) == {"notes/a.md"}
    assert pointed("MEMORY.md", "[a](a.md)", files) == {"a.md"}


def test_each_target_counts_once_and_none_leaves_the_workspace() -> None:
    assert pointers("[a](a.md) [[a.md]] → ../b.md, → ~/c.md") == ("a.md",)
    assert candidates("MEMORY.md", "[[a]]") == {"a.md", "memory/a.md"}


def test_a_long_line_of_brackets_takes_no_time() -> None:
    assert pointers("[[" * 50_000 + "](" * 50_000 + "→ " * 50_000) == ()
