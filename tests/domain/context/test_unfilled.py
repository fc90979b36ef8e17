"""What a template asks to be filled in is no identity; what the user wrote is."""

from datetime import date

import pytest

from clawgit.domain.context.passage import filled_in, passages
from clawgit.domain.markdown.placeholders import text_key

TODAY = date(2026, 2, 14)


def kept(text: str, template: str = "", *, is_form: bool = True) -> list[str]:
    keys = {text_key(passage.text) for passage in passages("USER.md", template, TODAY)}
    read = passages("USER.md", text, TODAY)
    return [passage.text for passage in filled_in(read, keys, is_form=is_form)]


@pytest.mark.parametrize(
    "line",
    [
        "- **Name:**",
        "- **Name:**\n  _(pick something you like)_",
        "- **Pronouns:** _(optional)_",
        "- **Name**: [your name]",
        "_(What do they care about? Build this over time.)_",
    ],
)
def test_a_placeholder_is_left_out(line: str) -> None:
    assert kept(f"- **Kind:** fox\n\n{line}\n") == ["- **Kind:** fox"]


@pytest.mark.parametrize(
    "line",
    [
        "- **Name:** Rivet",
        "- **Pronouns:** _(optional)_ he",
        "- **Site:** [mine](https://example.org)",
        "- **Site:** <https://example.org>",
        "_Olga sails (and swims)._",
    ],
)
def test_what_somebody_wrote_stays(line: str) -> None:
    assert kept(f"{line}\n") == [line]


TEMPLATE = (
    "You know nobody yet.\n\nOne bullet each:\n\n```md\n- Prefer the short answer.\n```\n\n"
    "Notes:\n\n- Save this file.\n"
)


def test_the_sentences_and_samples_of_a_template_are_left_out_however_they_are_marked_up() -> None:
    assert kept(TEMPLATE, TEMPLATE) == []
    assert kept("*You know  nobody yet.*\n\n- Olga sails.\n", TEMPLATE) == ["- Olga sails."]


def test_a_sentence_or_sample_that_was_edited_stays() -> None:
    text = TEMPLATE.replace("nobody yet", "Olga now").replace("short answer", "long answer")
    assert kept(text, TEMPLATE) == [
        "You know Olga now.",
        "```md\n- Prefer the long answer.\n```",
    ]
