"""What nobody filled in, as the index holds it."""

from clawgit.core.markdown.placeholders import is_blank
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
