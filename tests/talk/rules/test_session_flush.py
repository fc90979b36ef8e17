"""When the agent is asked to save its memory, and in which words."""

from datetime import date

from clawgit.talk.rules.session import flush_prompts, why_not
from tests.each import for_each

DAY = date(2026, 2, 14)
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


def test_the_built_in_words_name_the_file_and_the_answer() -> None:
    for text in flush_prompts(DAY):
        assert "memory/2026-02-14.md" in text
        assert "NO_REPLY" in text
        assert "{" not in text
