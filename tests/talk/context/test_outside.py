"""What comes from systems of the operator's own: whom a message names, and how data becomes
text."""

from hypothesis import given

from clawgit.talk.context.fetching import compact, harmless, profiles_in
from tests.strategies import ANY_TEXT


def test_signs_that_nobody_sees_go() -> None:
    assert harmless("a\u200bb\x1b[0m\u202ec\n\td") == "ab[0mc\n\td"


@given(ANY_TEXT)
def test_any_text_from_outside_can_be_shown(text: str) -> None:
    assert all(
        "<!--" not in part or "-->" not in part.partition("<!--")[2] or "`" in part
        for part in compact(text)
    )
    profiles_in(text, "x")
