"""What nobody filled in, and what OpenClaw dreams: whole files, and blocks between marks."""

from clawgit.core.markdown.placeholders import is_blank, is_diary, is_dream, staged_lines
from tests.each import for_each


@for_each(
    "text",
    [
        "**Name:**",
        "**姓名：**",
        "**Name:**\n_(whatever fits)_",
        "**Pronouns:** _(if they care)_",
        "**Avatar:** _TBD_",
        "**Name:** [your name]",
        "_(What makes them sail?)_",
    ],
)
def test_a_line_that_nobody_filled_in_is_blank(text: str) -> None:
    assert is_blank(text)


@for_each(
    "text",
    [
        "**Name:** Rivet",
        "**Pronouns:** _(if they care)_ he",
        "**Site:** [mine](https://example.org)",
        "_Olga sails on Sundays._",
        "*Ask before the engine is started.*",
    ],
)
def test_what_somebody_wrote_is_not_blank(text: str) -> None:
    assert not is_blank(text)


START, END = "<!-- openclaw:dreaming:light:start -->", "<!-- openclaw:dreaming:light:end -->"


@for_each(
    "path, dream, diary",
    [
        ("DREAMS.md", True, True),
        ("memory/dreaming/light/2026-02-13.md", True, False),
        ("memory/2026-02-13.md", False, False),
        ("recon/DREAMS.md", True, True),
        ("notes/dreaming/2026-02-13.md", False, False),
    ],
)
def test_a_dream_is_known_by_its_place(path: str, dream: bool, diary: bool) -> None:
    assert (is_dream(path), is_diary(path)) == (dream, diary)


def test_what_stands_between_the_marks_is_staged() -> None:
    text = f"- One.\n{START}\n- Two.\n  - Three.\n{END}\n- Four.\n"
    assert staged_lines(text) == {2, 3, 4, 5}


def test_a_block_without_an_end_goes_to_the_end_of_the_note() -> None:
    assert staged_lines(f"- One.\n{START}\n- Two.\n- Three.") == {2, 3, 4}
