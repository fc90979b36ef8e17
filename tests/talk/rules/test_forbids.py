"""Prohibitions, as against negations that only contrast."""

from clawgit.talk.rules.house_rules import forbids
from tests.each import for_each


@for_each(
    "text", ["- Never send half-baked replies.", "- **Money.** Don't spend any without a yes."]
)
def test_a_prohibition_denies_within_its_first_words(text: str) -> None:
    assert forbids(text)


@for_each(
    "text",
    [
        "- Be kind.",
        "Come back with answers, not questions.",
        "- **Have opinions.** An assistant with no personality is a search engine.",
    ],
)
def test_a_contrast_is_no_prohibition(text: str) -> None:
    assert not forbids(text)
