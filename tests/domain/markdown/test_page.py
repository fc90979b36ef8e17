"""A page does what the plain functions do to a text, byte for byte, and does not read the whole of
it each time."""

from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.domain.markdown.comment import ENTRY_IDS, Meta, entry_id
from clawgit.domain.markdown.entry import append_entry, entries, with_meta
from clawgit.domain.markdown.page import Page
from tests.domain.strategies import ANY_TEXT, PROSE, markdown

HEADINGS = st.sampled_from([None, None, None, "H", "T"])
ITEMS = st.builds(
    "- {}{}".format, PROSE, st.sampled_from(["", "\n  - nested", "\n\n  more", "\r\n  x"])
)
TEXTS = st.one_of(ANY_TEXT, markdown(), st.lists(ITEMS, max_size=4).map("\n".join))


@given(TEXTS, st.lists(st.tuples(HEADINGS, ITEMS, st.booleans()), max_size=4))
@example("* a\r", [(None, "- b", False), (None, "- c", False)])
@example("* a\r\n- b\n", [(None, "- c", False), (None, "- d", False)])
@example("- twin\n- twin\n", [(None, "- c", True), (None, "- d", True)])
@example("- ```\n  x\n", [(None, "- c", False), (None, "- d", True)])
@example("# T\n\n## H\n\n- a\n", [("H", "- c", False), (None, "- d", False), ("H", "- e", True)])
def test_a_page_and_the_plain_functions_make_the_same_text(
    text: str, edits: list[tuple[str | None, str, bool]]
) -> None:
    page = Page(text)
    for number, (heading, item, marks) in enumerate(edits):
        ident = entry_id(number)
        after = append_entry(text, heading, f"{item} <!-- claw:{ident} -->")
        added = next((one for one in entries(after) if one.key == ident), None)
        change = page.appending(heading, f"{item} <!-- claw:{ident} -->", ident)
        assert (change.entry if change else None) == added
        if change:
            assert page.text_with(change) == after
            page.make(change)
            text = after
        if marks and (first := next(page.entries(), None)):
            meta = Meta(entry_id(ENTRY_IDS - 1 - number), ("n=2",))
            wanted = next(one for one in entries(text) if one.key == first.key)
            page.make(page.marking(wanted, meta))
            text = with_meta(text, wanted, meta)
        assert page.text == text
        assert [*page.entries()] == [*entries(text)]
