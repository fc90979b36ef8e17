"""Which texts are those of our templates."""

from clawgit.ops.workspace import our_templates
from clawgit.ops.workspace.our_templates import is_boilerplate


def test_each_text_of_a_template_is_known_and_no_other() -> None:
    texts = our_templates._boilerplate()
    assert len(texts) > 20
    assert [text for text in texts if not is_boilerplate(text)] == []
    for text in texts:
        assert not is_boilerplate(f"{text} Ana said so.")


def test_an_ordinary_text_has_no_template_cut() -> None:
    """A search asks for each of its hits, and to cut them all takes 3 ms."""
    our_templates._boilerplate.cache_clear()
    assert not is_boilerplate("Ana prefers green tea in the zeppelin.")
    assert our_templates._boilerplate.cache_info().misses == 0
