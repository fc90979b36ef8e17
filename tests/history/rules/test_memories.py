"""The rules that reach from one file to another."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.history.rules.memory import Files, merge_memories
from tests.history.rules.machines import said

TEA = "- Ana drinks tea. <!-- claw:katea2 c=.9 -->\n"
RYE = "- Ben eats rye. <!-- claw:kbrye2 c=.9 -->\n"
COFFEE = TEA.replace("tea.", "coffee.")
HEAD = "# Memory\n\n"
PAGE = "memory/drinks.md"
BOOK = "MEMORY.md"


def files(**texts: str) -> Files:
    names = {"book": BOOK, "page": PAGE, "other": "memory/other.md"}
    return {names[name]: text.encode() for name, text in texts.items()}


def texts(base: Files, ours: Files, theirs: Files) -> dict[str, str]:
    """The merged files that are there, with a check that both sides get the same."""
    merged = merge_memories(base, ours, theirs)
    assert merge_memories(base, theirs, ours) == merged
    assert not any(joined.conflict for joined in merged.values())
    return {
        path: joined.data.decode() for path, joined in merged.items() if joined.data is not None
    }


BASE = files(book=HEAD + TEA + RYE, page="# Drinks\n\n- Water.\n")
MOVED = files(book=HEAD + RYE, page="# Drinks\n\n- Water.\n" + TEA)


def test_an_entry_moved_and_changed_stands_once_where_it_was_moved_to() -> None:
    changed = files(book=HEAD + COFFEE + RYE, page="# Drinks\n\n- Water.\n")
    assert texts(BASE, MOVED, changed) == {
        BOOK: HEAD + RYE,
        PAGE: "# Drinks\n\n- Water.\n" + COFFEE,
    }


def test_a_changed_text_survives_the_removal_of_its_file_disputed() -> None:
    book, page = HEAD + TEA + RYE, "# Drinks\n"
    changed = files(book=HEAD + COFFEE + RYE, page=page)
    merged = texts(files(book=book, page=page), files(page=page), changed)
    assert said(merged[BOOK]) == {"katea2": ("Ana drinks coffee.", "disputed")}


def test_a_file_that_was_moved_whole_takes_the_changes_along() -> None:
    base = files(book=HEAD + TEA + RYE)
    merged = texts(base, files(other=HEAD + TEA + RYE), files(book=HEAD + COFFEE + RYE))
    assert merged == {"memory/other.md": HEAD + COFFEE + RYE}


def test_a_copy_takes_nothing_from_the_entry_that_was_changed_beside_it() -> None:
    """One side has copied an entry and changed the first; the other has moved it."""
    copied = files(book=HEAD + COFFEE + RYE, page="# Drinks\n\n- Water.\n" + TEA)
    assert "coffee" in texts(BASE, copied, MOVED)[BOOK]


ENTRIES = st.dictionaries(
    st.sampled_from(["katea2", "kbrye2", "kcnut2"]),
    st.tuples(st.sampled_from([BOOK, PAGE, "memory/other.md"]), st.sampled_from(["a", "b", "c"])),
)


def as_files(memory: dict[str, tuple[str, str]]) -> Files:
    made: dict[str, str] = {}
    for ident, (path, words) in memory.items():
        line = f"- Says {words} of {ident}. <!-- claw:{ident} c=.9 -->\n"
        made[path] = made.get(path, HEAD) + line
    return {path: text.encode() for path, text in made.items()}


@given(ENTRIES, ENTRIES, ENTRIES)
def test_an_entry_stands_once_in_all_files(
    base: dict[str, tuple[str, str]],
    ours: dict[str, tuple[str, str]],
    theirs: dict[str, tuple[str, str]],
) -> None:
    merged = texts(as_files(base), as_files(ours), as_files(theirs))
    whole = "".join(merged.values())
    for ident in {*base, *ours, *theirs}:
        assert whole.count(f"claw:{ident} ") <= 1
    for side in (ours, theirs):
        for ident, (_, words) in side.items():
            if base.get(ident, ("", ""))[1] != words:
                assert f"Says {words} of {ident}." in whole
    for ident, (_, words) in base.items():
        both = [side.get(ident, ("", ""))[1] for side in (ours, theirs)]
        if "" in both and {*both} <= {"", words}:
            assert f"claw:{ident} " not in whole
