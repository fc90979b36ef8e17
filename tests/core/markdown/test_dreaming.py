"""What OpenClaw dreams: whole files, and blocks of a note between marks."""

from clawgit.core.markdown.placeholders import is_diary, is_dream, staged_lines
from tests.each import for_each

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
