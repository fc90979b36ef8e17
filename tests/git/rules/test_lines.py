"""Where a line stood one version earlier."""

from clawgit.git.rules.lines import Spot, earlier, moved_from, spot

FILE = "# Memory\n\n- Billing uses PostgreSQL.\n- Ana likes tea.\n- Deploys happen on Friday.\n"


def at(text: str, number: int) -> Spot:
    found = spot(text, number)
    assert found is not None
    return found


def back(new: str, number: int, old: str) -> tuple[int, str] | None:
    found = earlier(at(new, number), old)
    return None if found is None else (found.at, found.line)


def test_a_line_that_is_nothing_like_what_it_replaced_was_born() -> None:
    assert back(FILE.replace("- Ana likes tea.", "- The cat is called Momo."), 3, FILE) is None


def test_a_comment_that_is_added_makes_no_new_line() -> None:
    old = "- Ana likes tea.\n"
    assert back(
        "- Ana likes tea. <!-- claw:aaaa11 conf=0.95 n=2 first=2026-02-14 -->\n", 0, old
    ) == (
        0,
        "- Ana likes tea.",
    )


def test_the_same_id_goes_before_the_same_words() -> None:
    here = at("- Billing uses PostgreSQL. <!-- claw:m7k2q9 -->\n", 0)
    others = {
        "a.md": ("- Billing uses PostgreSQL.\n", ""),
        "b.md": ("- Old words. <!-- claw:m7k2q9 -->\n", ""),
    }
    found = moved_from(here, others)
    assert found is not None
    assert found[0] == "b.md"
