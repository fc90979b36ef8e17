"""When the agent is asked to save its memory, and in which words."""

from clawgit.talk.rules.session import why_not
from tests.each import for_each

USUAL = 200_000


@for_each(
    "tokens, window, reason",
    [
        (176_000, USUAL, ""),
        (190_000, USUAL, ""),
        (175_999, USUAL, "1 tokens are left until then"),
        (
            9000, 16_000,
            "a window of 16,000 tokens is not larger than what must stay free of it",
        ),
    ],
)  # fmt: skip
def test_a_flush_is_due_past_the_threshold(tokens: int, window: int, reason: str) -> None:
    assert why_not(tokens, window) == reason
