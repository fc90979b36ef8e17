from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.markdown.item import pieces, size

PROSE = st.text(st.sampled_from("ab é记🦞 .。!?\n\n"), max_size=300)


@given(PROSE, st.integers(2, 40))
@example("x" * 200, 2)
def test_the_pieces_hold_all_of_the_text_in_order_within_their_size(text: str, tokens: int) -> None:
    found = [*pieces(text, tokens)]
    assert all(size(piece.text) <= tokens for piece in found)
    done, solid = 0, "".join(text.split())
    for piece in found:
        words = "".join(piece.text.split())
        at = solid.rfind(words, 0, done + len(words))
        assert 0 <= at <= done
        done = max(done, at + len(words))
    assert done == len(solid)
    lines = text.split("\n")
    for piece in found:
        first, *_, last = (*piece.text.split("\n"), piece.text.split("\n")[-1])
        assert first in lines[piece.first]
        assert last in lines[piece.last]
