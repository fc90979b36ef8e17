"""Passages: whole pieces of a message, none cut where its meaning would turn."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.passages import LONGEST, passages
from tests.each import for_each

PIECES = """
- |  - |1. |# Shop|> |```|: |. |... |“|”|"|(|)|If he signs|unless it rains|we hire Ana|never|ok| |决定用红茶。|，
キャッシュを使う。|커피를 마신다.|Ingrid says|<!-- x -->|:(|    code()|═══
"""
PIECE = [*PIECES.strip("\n").replace("\n", "|").split("|"), "\n", "\n\n", "\t", "\x07"]
TABLE = ["| a | b |", "|---|---|"]
LISTED = st.lists(st.sampled_from([*PIECE, *TABLE]), max_size=30).map("".join)
TEXT = st.one_of(st.text(max_size=200), LISTED)


@given(TEXT)
def test_a_passage_is_a_piece_of_its_message_and_so_is_what_it_stands_under(message: str) -> None:
    end = 0
    plain = " ".join(message.split())
    for one in passages(message):
        assert one.text == message[one.start : one.end]
        assert one.text == one.text.strip() != ""
        assert end <= one.start
        end = one.end
        assert all(title in plain for title in one.under)
        assert len(one.text) <= LONGEST


@for_each(
    "message, count",
    [
        ("We won't\nuse Stripe for the shop", 1),
        ("If it rains... we meet at Jo's.", 1),
        ("We take the flat. Unless the rent goes up.", 1),
        ('She wrote: "We sign with Acme. The price is 5."', 1),
        ("他说“我们用红茶。价格是五元。”", 1),
        ("The plan (it is not final. Ask me first) is to move.", 1),
        ("Kwame moves to Leeds :( We try his sister in goal.", 1),
        ("We go with Hetzner. The client hates stock photos.", 2),
        ("我们用红茶。客户不喜欢绿茶。", 2),
    ],
)
def test_what_would_turn_the_meaning_is_not_cut_off_and_what_stands_for_itself_is(
    message: str, count: int
) -> None:
    found = [" ".join(one.text.split()) for one in passages(message)]
    assert len(found) == count
    assert count > 1 or found == [" ".join(message.split())]


ASSAM = "We order Assam."


@for_each(
    "message, words, under",
    [
        ("If he signs:\n- we hire Ana\n- we rent it", "we rent it", ("If he signs",)),
        (f"# Shop\n## Tea\n{ASSAM}", ASSAM, ("Tea",)),
        (f"Rejected:\n- Rooibos\n\n  It is red.\n\n- {ASSAM}", ASSAM, ("Rejected",)),
        (f" {ASSAM}\n - Ana pays", ASSAM, ()),
        (f"Tea:\n - Ana pays\n   - in cash\n - {ASSAM}", ASSAM, ("Tea",)),
    ],
)
def test_an_item_and_what_follows_a_colon_keep_what_they_stand_under(
    message: str, words: str, under: tuple[str, ...]
) -> None:
    assert [one.under for one in passages(message) if one.text == words] == [under]


@for_each(
    "message",
    [
        "> We sign with Acme.",
        "| Who | Day |\n|---|---|\n| Ana | Monday |",
        "Ingrid wrote:\nWe sign.\n\nWe moved to Graz.",
        "```\nport = 5433\n```",
        "If he signs:\n- Phase one:\n  - we hire Ana",
        "- Rejected:\n  We order Assam.",
        "- In May:\n\n  We order Assam.",
    ],
)
def test_what_is_quoted_code_or_without_an_end_is_none(message: str) -> None:
    assert passages(message) == ()
