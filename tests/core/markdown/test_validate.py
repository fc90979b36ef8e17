"""What a change of ours may not write: judged by what is new in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.entry import (
    InvalidEntryError,
    entries,
    new_problems,
    problems,
    refuse_invalid,
    with_own_ids,
)
from tests.each import for_each

MEMORY = "# Memory\n\n- Old and wrong. #event #skill\n- Fine. #decision\n"


@for_each(
    "added, messages",
    [
        ("- Fine too. #event\n", 0),
        ("- Two tags. #event #decision\n", 1),
        ("- Two, further down.\n- These. #skill #event\n", 1),
        ("- With an id. <!-- claw:m7k2q9 status=gone -->\n", 1),
    ],
)
def test_only_what_is_new_counts(added: str, messages: int) -> None:
    found = new_problems("MEMORY.md", MEMORY.encode(), (MEMORY + added).encode())
    assert len(found) == messages
    assert all(problem.line > 4 for problem in found)


def test_a_new_problem_is_an_error_that_says_where() -> None:
    after = f"{MEMORY}- Two. #event #decision\n"
    with pytest.raises(InvalidEntryError, match=r"MEMORY\.md:5: .*more than one primary tag"):
        refuse_invalid("MEMORY.md", MEMORY.encode(), after.encode())


WORDS = st.sampled_from(["Tea.", "Coffee.", "Milk, and\n  more of it."])
ITEMS = st.lists(st.tuples(WORDS, st.sampled_from(["m7k2q9", "abcdef", ""])), max_size=8)


@given(ITEMS)
def test_each_entry_gets_an_id_and_nothing_else_changes(items: list[tuple[str, str]]) -> None:
    lines = (
        f"- {words}{f' <!-- claw:{ident} c=.9 -->' if ident else ''}\n" for words, ident in items
    )
    text = "# Memory\n\n" + "".join(lines)
    mended = with_own_ids(text)
    assert problems("MEMORY.md", mended) == ()
    assert (with_own_ids(text), with_own_ids(mended)) == (mended, mended)
    before, after = entries(text), entries(mended)
    assert [entry.text for entry in before] == [entry.text for entry in after]
    metas = ((old.meta, new.meta) for old, new in zip(before, after, strict=True))
    pairs = [(old, new) for old, new in metas if old and new]
    assert [old.facts for old, _ in pairs] == [new.facts for _, new in pairs]
    firsts = {old.id: new.id for old, new in reversed(pairs)}
    assert all(old == new for old, new in firsts.items())
