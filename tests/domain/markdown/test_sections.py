"""Sections of a log are filed by year, word for word, and nothing is lost or moved twice."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.markdown.sections import DatedSection, Shelf, filed, sections

SHELF = Shelf("Archive/Runs/", "Runs")
LOG = (
    "# Log\n\nWords.\n\n## aa · 2024-12-30\n\n- one\n\n## Notes\n\n- mine\n\n## bb · 2025-01-02\n"
    "\n- two\n"
    "## cc · whenever\n\n- three\n\n## dd · 2026-01-01\n\n- four\n"
)


def is_past(section: DatedSection) -> bool:
    return section.time is not None and section.time.year < 2026


def test_each_year_has_a_book_and_all_else_stays() -> None:
    done = filed(
        LOG, SHELF, {"Archive/Runs/2025.md": "# By hand\n\n## zz · 2025-01-01\n\n- zero\n"}, is_past
    )
    assert done.log == (
        "# Log\n\nWords.\n\n## Notes\n\n- mine\n\n## cc · whenever\n\n- three\n\n## dd · "
        "2026-01-01\n\n- four\n"
    )
    assert done.books == {
        "Archive/Runs/2024.md": "# Runs of 2024\n\n## aa · 2024-12-30\n\n- one\n",
        "Archive/Runs/2025.md": "# By hand\n\n## zz · 2025-01-01\n\n- zero\n\n## bb · "
        "2025-01-02\n\n- two\n",
    }
    assert done.counts == {"Archive/Runs/2024.md": 1, "Archive/Runs/2025.md": 1}


def test_what_is_in_its_book_already_is_only_taken_out() -> None:
    once = filed(LOG, SHELF, {}, is_past)
    again = filed(LOG, SHELF, once.books, is_past)
    assert (again.log, again.books, again.counts) == (once.log, {}, once.counts)
    assert filed(once.log, SHELF, once.books, is_past) == (once.log, {}, {})


PIECES = (
    "# T\n",
    "## aa · 2024-01-01\n",
    "## bb · 2025-05-05\n",
    "## Notes\n",
    "- x\n",
    "- y",
    "\n",
    "\r\n",
    "```\n",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_whatever_a_log_holds_each_line_is_in_it_or_in_a_book(log: str) -> None:
    done = filed(log, SHELF, {}, is_past)
    after = "\n".join((done.log, *done.books.values()))
    for line in {line.strip() for line in log.split("\n")}:
        assert line in {line.strip() for line in after.split("\n")}
    assert not [one for one in sections(done.log) if is_past(one)] or "```" in log
