"""A small edit told in words changes the line it means, and no other byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.errors import ClawgitError, NotFoundError, UsageError
from clawgit.core.markdown.amend import Amendment, amend
from clawgit.core.markdown.scan import scan
from tests.each import for_each
from tests.strategies import markdown

SOUL = """\
# Soul

Be yourself.

## Truths

- **Help.** Do.
- Finish.

### Deep

- Deeper.

## Vibe

1. Short.
"""


@for_each(
    "wish, old, new",
    [
        (Amendment(add="Sing.", section="Truths"), "- Finish.\n", "- Finish.\n- Sing.\n"),
        (Amendment(add="Sing.", section="## truths"), "- Finish.\n", "- Finish.\n- Sing.\n"),
        (Amendment(add="Sing."), "1. Short.\n", "1. Short.\n- Sing.\n"),
        (Amendment(add="> A word.", section="Deep"), "- Deeper.\n", "- Deeper.\n\n> A word.\n"),
        (Amendment(replace=("Finish.", "Finish it.")), "- Finish.", "- Finish it."),
        (Amendment(replace=("Short.", "Long.")), "1. Short.", "1. Long."),
        (Amendment(replace=("- Finish.", "* Finish.")), "- Finish.", "* Finish."),
        (Amendment(replace=("- Finish.", "Finish it.")), "- Finish.", "- Finish it."),
        (Amendment(replace=("Finish.", "* Finish it.")), "- Finish.", "* Finish it."),
        (Amendment(replace=("* Deeper.", "Deep.")), "- Deeper.", "- Deep."),
        (Amendment(replace=("Do.", "Do more.")), "**Help.** Do.", "**Help.** Do more."),
        (Amendment(replace=("Be yourself.", "Be you.")), "Be yourself.", "Be you."),
        (Amendment(remove="- Finish."), "- Finish.\n", ""),
        (Amendment(remove="Be yourself."), "Be yourself.\n\n", ""),
        (Amendment(remove="Short."), "\n1. Short.\n", ""),
    ],
)
def test_what_is_meant_is_done(wish: Amendment, old: str, new: str) -> None:
    for newline in ("\n", "\r\n"):
        expected = SOUL.replace(old, new, 1).replace("\n", newline)
        assert amend(SOUL.replace("\n", newline), wish) == expected


def test_an_empty_file_takes_a_first_line() -> None:
    assert amend("", Amendment(add="Be kind.")) == "- Be kind.\n"


@for_each(
    "wish, error, words",
    [
        (Amendment(), UsageError, "Say one thing"),
        (Amendment(remove="Sing."), NotFoundError, "No line says"),
        (Amendment(replace=(" ", "Be.")), NotFoundError, "No line says"),
        (Amendment(add="a", section="Nowhere"), NotFoundError, "no section"),
        (Amendment(remove="e"), UsageError, "may mean the lines"),
    ],
)
def test_what_is_unclear_is_refused(wish: Amendment, error: type[ClawgitError], words: str) -> None:
    with pytest.raises(error, match=words):
        amend(SOUL, wish)


@given(markdown(), st.integers(0, 30))
def test_a_line_that_is_taken_out_leaves_the_other_blocks_as_they_are(text: str, pick: int) -> None:
    blocks = [block for block in scan(text) if block.kind not in ("blank", "front")]
    if not blocks:
        return
    chosen = blocks[pick % len(blocks)]
    try:
        after = amend(text, Amendment(remove=chosen.text))
    except (UsageError, NotFoundError):
        return
    assert len(after) <= len(text) - len(chosen.text)
    others = "".join(block.text for block in scan(text) if block.line != chosen.line)
    assert after.split() == others.split()
