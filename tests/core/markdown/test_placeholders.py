"""What nobody filled in, and what OpenClaw dreams: whole files, and blocks between marks."""

from clawgit.core.markdown.placeholders import is_blank, is_diary, is_dream, staged_lines
from tests.each import for_each


@for_each(
    "text, blank",
    [
        ("**Name:**", True),
        ("**姓名：**", True),
        ("**Name:**\n_(whatever fits)_", True),
        ("**Pronouns:** _(if they care)_", True),
        ("**Avatar:** _TBD_", True),
        ("**Name:** [your name]", True),
        ("_(What makes them sail?)_", True),
        ("**Name:** Rivet", False),
        ("**Pronouns:** _(if they care)_ he", False),
        ("**Site:** [mine](https://example.org)", False),
        ("_Olga sails on Sundays._", False),
        ("*Ask before the engine is started.*", False),
    ],
)
def test_a_line_that_nobody_filled_in_is_blank_and_no_other(text: str, *, blank: bool) -> None:
    assert is_blank(text) is blank


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


START, END = "<!-- openclaw:dreaming:light:start -->", "<!-- openclaw:dreaming:light:end -->"


def test_what_stands_between_the_marks_or_behind_the_last_one_is_staged() -> None:
    text = f"- One.\n{START}\n- Two.\n  - Three.\n{END}\n- Four.\n"
    assert staged_lines(text) == {2, 3, 4, 5}
    assert staged_lines(f"- One.\n{START}\n- Two.\n- Three.") == {2, 3, 4}
