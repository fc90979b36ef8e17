"""Snippets: whole items, grown to their neighbours, never beyond the target, and with their words
marked."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.markdown.chunk import size
from clawgit.domain.search.hit_line import Snippet, grown
from clawgit.domain.search.row import ItemRow
from clawgit.domain.search.terms import joined, matches, queried
from tests.domain.search.rows import BARE
from tests.each import for_each


def row_of(
    line: int, end_line: int, text: str, opens: tuple[str, ...] = (), kind: str = "item"
) -> ItemRow:
    return BARE._replace(line=line, end_line=end_line, text=text, opens=opens, kind=kind)


def rows(*texts: str) -> list[ItemRow]:
    return [row_of(number, number, text) for number, text in enumerate(texts, 1)]


def test_a_hit_grows_to_both_sides_the_next_line_first() -> None:
    around = rows("aaaa", "bbbb", "cccc", "dddd", "eeee")
    assert grown(around, 2, 1) == Snippet(3, 3, "cccc")
    assert grown(around, 2, 2) == Snippet(3, 4, "cccc\ndddd")
    assert grown(around, 2, 3) == Snippet(2, 4, "bbbb\ncccc\ndddd")
    assert grown(around, 2, 99) == Snippet(1, 5, "aaaa\nbbbb\ncccc\ndddd\neeee")


def test_a_hit_longer_than_the_target_is_shown_whole() -> None:
    around = rows("a", "word " * 500, "b")
    assert grown(around, 1, 10) == Snippet(2, 2, "word " * 500)


def test_another_section_is_never_shown_and_nested_items_belong_to_theirs() -> None:
    around = [
        row_of(2, 2, "other"),
        row_of(5, 5, "item", ("Studio",)),
        row_of(6, 8, "nested"),
        row_of(10, 10, "Bare", kind="heading"),
        row_of(12, 12, "else", ("Later",)),
    ]
    assert grown(around, 1, 400) == Snippet(5, 8, "item\nnested")
    assert grown(around, 2, 400) == Snippet(5, 8, "item\nnested")
    assert grown(around, 3, 400) == Snippet(10, 10, "Bare")


def test_pieces_of_one_long_item_are_not_put_together() -> None:
    around = [row_of(1, 9, "first piece"), row_of(7, 15, "second piece"), row_of(16, 16, "next")]
    assert grown(around, 1, 400) == Snippet(7, 16, "second piece\nnext")


@given(st.lists(st.text(max_size=60), min_size=1, max_size=12), st.data(), st.integers(0, 60))
def test_an_item_is_never_cut_and_the_target_is_kept(
    texts: list[str], data: st.DataObject, tokens: int
) -> None:
    around = rows(*texts)
    at = data.draw(st.integers(0, len(texts) - 1))
    found = grown(around, at, tokens)
    assert found.text == "\n".join(row.text for row in around[found.line - 1 : found.end_line])
    assert found.line <= at + 1 <= found.end_line
    shown = sum(size(row.text) for row in around[found.line - 1 : found.end_line])
    assert shown <= max(tokens, size(texts[at]))


@for_each(
    "question, text, marked",
    [
        ("Who has two kilns?", "we have one Kiln; no kilnette", ["Kiln"]),
        ("moving", "we moved, the mover", ["moved"]),
        ("小橘为什么不肯吃饭", "小橘不肯", ["小橘不肯"]),
        ("which policy", "policies, no police", ["policies"]),
        ("who owes 42000", "owes 42'000 or 42.50", ["owes", "42'000"]),
        ("who owes 42.000?", "owes 42 000", ["owes", "42 000"]),
    ],
)
def test_words_that_match_are_found_where_they_stand(
    question: str, text: str, marked: list[str]
) -> None:
    found = matches(text, queried(joined(question)))
    assert [text[start:end] for start, end in found] == marked


_PIECES = ["233kWh", "233 kWh", "kWh", "KSM66", "KSM-66", "42,000", "web search", "web", "水壶"]
_WRITTEN = st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=8).map(" ".join)


@given(_WRITTEN, _WRITTEN)
def test_a_text_that_is_printed_place_by_place_is_the_text(asked: str, text: str) -> None:
    printed, at = "", 0
    for start, end in matches(text, queried(joined(asked))):
        assert start < end
        printed += text[at:start] + text[start:end]
        at = end
    assert printed + text[at:] == text
