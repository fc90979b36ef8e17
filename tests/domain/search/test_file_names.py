"""Which files say a word by their names or by those of their folders."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.search.file_names import FileNames
from clawgit.domain.search.snippet import stem
from tests.each import for_each

_PATHS = (
    "MEMORY.md",
    "memory/2026-02-14.md",
    "memory/projects/ember-migrations.md",
    "memory/Kunden/Müller_Bäckerei.md",
    "GrafanaBoards/İstanbul.md",
    "memory/图书馆/借书.md",
    "notes",
)


@for_each(
    "word, found",
    [
        ("migration", {2}),
        ("ember", {2}),
        ("projects", {2}),
        ("baeckerei", set()),
        ("backerei", {3}),
        ("muller", {3}),
        ("grafana", {4}),
        ("board", {4}),
        ("istanbul", {4}),
        ("借书", {5}),
        ("书馆", {5}),
        # A part of a word, a date, and what all files have in common.
        ("berm", set()),
        ("2026", set()),
        ("memory", set()),
        ("md", set()),
        ("", set()),
    ],
)
def test_a_word_is_found_in_the_names_of_files_and_folders(word: str, found: set[int]) -> None:
    assert {*FileNames(_PATHS).saying({stem(word)})} == found


@for_each(
    "name, found",
    [
        ("MEMORY.md", {0}),
        ("memory.md", {0}),
        ("2026-02-14.md", {1}),
        ("memory/2026-02-14.md", {1}),
        ("./memory/2026-02-14.md", {1}),
        ("ember-migrations.md", {2}),
        ("migrations.md", set()),
        ("notes", set()),
        ("e.g.", set()),
        ("1.2", set()),
        (".", set()),
        ("./", set()),
        ("/", set()),
        ("", set()),
    ],
)
def test_a_file_is_called_by_its_name_with_folders_or_without(name: str, found: set[int]) -> None:
    assert {*FileNames(_PATHS).called(name)} == found
    assert FileNames(()).called(name) == []


@given(st.lists(st.text(st.sampled_from("abcéıß-_/. İ"), max_size=12), max_size=8))
def test_a_file_is_found_by_any_word_of_its_name_wherever_it_stands(names: list[str]) -> None:
    paths = [*(name.replace("\n", "") + ".md" for name in names), "last/kiln.md"]
    assert FileNames(paths).saying({stem("kiln")})[-1:] == [len(paths) - 1]
    assert FileNames(paths[::-1]).saying({stem("kiln")})[:1] == [0]


def test_what_most_of_thousands_of_files_are_called_tells_nothing() -> None:
    paths = [f"notes/harbor-{number}.md" for number in range(2000)]
    assert len(FileNames([*paths, "kiln.md"]).saying({stem("harbor")})) == len(paths)
    names = FileNames([*paths, "harbor.md", "kiln.md"])
    assert (names.saying({stem("harbor")}), names.saying({stem("kiln")})) == ([], [len(paths) + 1])
