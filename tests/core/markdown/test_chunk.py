from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.markdown.chunk import pieces, size

PROSE = st.text(st.sampled_from("ab é记🦞 .。!?\n\n"), max_size=300)


@given(PROSE, st.integers(1, 40), st.integers(0, 60))
@example("x" * 200, 10, 40)
def test_the_pieces_hold_all_of_the_text_in_order_and_no_more_than_their_size(
    text: str, tokens: int, overlap: int
) -> None:
    found = pieces(text, tokens, overlap)
    assert all(size(piece.text) <= max(tokens, 2) for piece in found)
    done = 0
    solid = "".join(text.split())
    for piece in found:
        words = "".join(piece.text.split())
        at = solid.rfind(words, 0, done + len(words))
        assert 0 <= at <= done
        done = max(done, at + len(words))
    assert done == len(solid)
