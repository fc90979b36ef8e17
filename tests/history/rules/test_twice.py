"""Lines that stand twice, and headings that one side renamed: nothing is lost, nothing doubled,
nothing comes back, whichever side is ours.
"""

from clawgit.history.rules.memory import merge_memory
from tests.each import for_each

WEEK = "# Week\n\n## Mon\n\n- standup\n- report\n\n## Tue\n\n- standup\n- call Ann\n"
DAYS = "# Week\n\n## Mon\n\n- ok\n- ok\n- fact\n\n## Tue\n\n- ok\n\n## Wed\n\n- call Ann\n"


def merged(base: str, ours: str, theirs: str, path: str = "notes/w.md") -> str:
    """The merge, the same from either side."""
    texts = [text.encode() for text in (base, ours, theirs)]
    one, other = merge_memory(path, *texts), merge_memory(path, texts[0], texts[2], texts[1])
    assert one == other
    return (one.data or b"").decode()


def test_a_line_that_both_kept_stays_though_its_twin_was_removed_and_the_title_renamed() -> None:
    less = WEEK.replace("- standup\n- report", "- report")
    text = merged(WEEK, less.replace("# Week", "# This week"), f"{less}- t\n")
    assert "## Tue\n\n- standup\n- call Ann\n- t\n" in text
    assert text.count("standup") == 1


def test_a_removed_section_does_not_come_back_with_a_renamed_title() -> None:
    ours = DAYS.replace("## Tue\n\n- ok\n\n", "")
    theirs = DAYS.replace("# Week", "# This week").replace("- ok\n- ok\n", "- ok\n")
    assert "## Tue" not in merged(DAYS, ours, theirs)


def test_a_heading_of_a_log_stays_while_the_other_side_writes_under_it() -> None:
    base = "# Log\n\nHand-written.\n\n## Notes\n\nold\n"
    text = merged(base, f"{base}\nnew of ours\n", "# Log\n\nHand-written.\n", "CORRECTIONS.md")
    assert text.index("## Notes") < text.index("new of ours")


@for_each("is_ours", [True, False])
def test_a_line_of_the_soul_that_one_moved_and_one_reworded_is_a_conflict(is_ours: bool) -> None:
    base = "# S\n\n## Do\n\n- share notes with anyone\n- z\n\n## Never\n\n- two\n"
    moved = base.replace("- share notes with anyone\n", "") + "- share notes with anyone\n"
    reworded = base.replace("with anyone", "with anyone at all")
    sides = [moved.encode(), reworded.encode()]
    assert merge_memory("SOUL.md", base.encode(), *sides[:: 1 if is_ours else -1]).conflict


def test_a_line_that_both_add_stands_once_under_a_heading_that_one_renamed() -> None:
    ours = WEEK.replace("- call Ann\n", "- call Ann\n- both say so\n")
    text = merged(WEEK, ours, ours.replace("## Tue", "## Tuesday"))
    assert text == ours.replace("## Tue", "## Tuesday")
    theirs = WEEK.replace("## Tue", "## Tuesday").replace("- call", "- both say so\n- call")
    assert merged(WEEK, ours, theirs).count("both say so") == 1


def test_where_both_drop_one_of_two_equal_lines_the_other_stands() -> None:
    base = "# M\n\n- a\n  - n\n\n## P\n\n- ok\n- ok\n- ships\n"
    ours = base.replace("- ok\n- ok\n", "- ok\n")
    theirs = ours.replace("# M\n\n", "# M\n\n- a\n  - n\n")
    assert merged(base, ours, theirs) == theirs


def test_a_line_stays_under_its_heading_though_a_section_of_that_name_comes_above() -> None:
    base = "# M\n\n- a\n\n## Tue\n\n- b\n\n## Work\n"
    theirs = base.replace("- a\n", "- a\n\n## Work\n\n- new\n")
    assert merged(base, f"{base}\n- c\n", theirs) == f"{theirs}\n- c\n"


def test_a_line_goes_under_no_title_that_was_another_ones() -> None:
    """Ours renamed the first section, has a new one of its old name, and removed an empty one."""
    base = "# M\n\n## Facts\n\n- b\n- c\n\n## People\n\n## Mon\n\n- d\n"
    ours = "# M\n\n## Facts again\n\n- b\n- c\n\n## Mon\n\n- d\n\n## Facts\n\n- e\n"
    text = merged(base, ours, base.replace("## People\n", "## People\n\n- p\n"))
    assert "## People\n\n- p\n" in text
