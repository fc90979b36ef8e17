"""Leaves out what a template says about how to fill it in: it is nobody's identity."""

from collections.abc import Container, Sequence

from clawgit.domain.context.passage import ContextPassage
from clawgit.domain.markdown.placeholders import is_placeholder, text_key


def filled_in(
    passages: Sequence[ContextPassage], template: Container[str], *, is_form: bool
) -> list[ContextPassage]:
    """The passages that say something. `template` holds the keys of those that do not.

    In a form, placeholders go too. A line that was edited has another key, so it stays.
    """
    empty = [
        text_key(passage.text) in template or (is_form and is_placeholder(passage.text))
        for passage in passages
    ]
    return [
        passage
        for at, passage in enumerate(passages)
        if not (empty[at] or (_opens_list(passage) and any(empty[at + 1 : at + 2])))
    ]


def _opens_list(passage: ContextPassage) -> bool:
    """Whether it is a line such as `Notes:`, which says nothing without what follows it."""
    text = passage.text
    return passage.kind == "para" and text.endswith((":", "：")) and "\n" not in text
