"""Where a line stood one version earlier."""

from clawgit.git.rules.lines import Spot, moved_from, spot


def at(text: str, number: int) -> Spot:
    found = spot(text, number)
    assert found is not None
    return found


def test_the_same_id_goes_before_the_same_words() -> None:
    here = at("- Billing uses PostgreSQL. <!-- claw:m7k2q9 -->\n", 0)
    others = {
        "a.md": ("- Billing uses PostgreSQL.\n", ""),
        "b.md": ("- Old words. <!-- claw:m7k2q9 -->\n", ""),
    }
    found = moved_from(here, others)
    assert found is not None
    assert found[0] == "b.md"
