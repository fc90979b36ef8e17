"""Questions about a day, a month, a year or a range of days."""

import pytest

from tests.conftest import Git
from tests.ops.search.conftest import Ask, first_hit

_DATED = """# Notes

- My passport expires on 14 March 2031.
- Group Chat ID: -1003707068198
- The reduced rate is 7% for books.
- 2026-01-07: Dentist at nine.
- [2026-01-09] Sent the parcel.
- Jacke abgeben bis 15.09.
- 8月4日に歯医者

## 2025-09-21

- Falcon budget approved.
- Lena called.

## 2025-09-22

- Nothing.
"""


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("14 March 2031", ["My passport expires on 14 March 2031."]),
        ("2031-03-14", ["My passport expires on 14 March 2031."]),
        ("“March 14, 2031”", ["My passport expires on 14 March 2031."]),
        ("what will be in March 2031", ["My passport expires on 14 March 2031."]),
        ("January 7", ["2026-01-07: Dentist at nine."]),
        ("what happened on 2026-01-09", ["[2026-01-09] Sent the parcel."]),
        ("2026-09-15", ["Jacke abgeben bis 15.09."]),
        ("was ist am 15. September", ["Jacke abgeben bis 15.09."]),
        ("8月4日", ["8月4日に歯医者"]),
        ("on 14 March", ["My passport expires on 14 March 2031."]),
        ("on 21 September", ["Falcon budget approved.", "Lena called."]),
        ("on 21 September 2025", ["Falcon budget approved.", "Lena called."]),
    ],
)
def test_a_day_is_found_in_a_line_or_its_heading(
    ask: Ask, memory: Git, query: str, found: list[str]
) -> None:
    memory.write("memory/notes.md", _DATED)
    hit = first_hit(ask(query))
    assert [hit.snippet, *(other.snippet for other in hit.more)] == found
    assert hit.likely


@pytest.mark.parametrize(
    ("query", "is_likely"),
    [
        ("what happened on 12 June 2025", True),
        ("2025-06-11", False),
        ("what happened on 13 June 2025?", False),
        ("what happened on 11 June about the bank", True),
    ],
)
def test_only_what_is_of_the_day_is_likely_where_nothing_but_a_day_is_asked(
    ask: Ask, memory: Git, query: str, *, is_likely: bool
) -> None:
    memory.write("memory/2025-06-12.md", "# Wednesday\n\n- Wait for the bank.\n- It rained.\n")
    memory.write("memory/plan.md", "# What happens now\n\n- Write the form.\n")
    hits = ask(query).results
    assert [hit.path for hit in hits if hit.likely] == ["memory/2025-06-12.md"] * is_likely


_LIFE = {
    "memory/life/1979.md": "# 1979\n\n- Dave built a boat.\n",
    "memory/life/book.md": "# 1983\n\n- Dave sold the boat.\n",
    "memory/life/1960.md": "# 1960\n\n- Dave was born.\n\n# Later\n\n- Lena came in 2006.\n",
    "memory/life/1961.md": "# 1961\n\n- Dave could walk, so what did Dave do all day.\n",
    "memory/life/1988.md": "# Oslo\n\n- Eva went to sea.\n",
    "memory/life/2006-07.md": "# Summer\n\n- Ana saw the sea.\n",
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("in 1983", "Dave sold the boat."),
        ("what happened in 1983?", "Dave sold the boat."),
        ("what did Dave do in 1979", "Dave built a boat."),
        ("in 1988", "Eva went to sea."),
        ("in 2006", "Lena came in 2006."),
        ("in July 2006", "Ana saw the sea."),
        ("what happened in July 2006", "Ana saw the sea."),
    ],
)
def test_what_names_a_year_or_a_month_is_of_it(
    ask: Ask, memory: Git, query: str, found: str
) -> None:
    for path, text in _LIFE.items():
        memory.write(path, text)
    hit = first_hit(ask(query))
    assert (hit.snippet, hit.likely) == (found, True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("what happened from 3 June 2025 to 12 June 2025", {"04", "12"}),
        ("between June 3 and June 12, 2025", {"04", "12"}),
        ("what has happened since 12 June 2025", {"12", "25"}),
        ("what happened after 2025-06-12", {"25"}),
        ("before 12 June 2025", {"01", "04"}),
        ("until 4 June 2025", {"01", "04"}),
    ],
)
def test_what_was_noted_in_a_range_of_days_is_found(
    ask: Ask, memory: Git, query: str, found: set[str]
) -> None:
    done = {"01": "Fed the cat", "04": "Sold a bicycle", "12": "Lena called", "25": "It rained"}
    for day, line in done.items():
        memory.write(f"memory/2025-06-{day}.md", f"# Notes\n\n- {line}.\n")
    likely = {hit.path for hit in ask(query).results if hit.likely and "2025" in hit.path}
    assert likely == {f"memory/2025-06-{day}.md" for day in found}


def test_on_thursday_is_the_last_one_and_what_is_on_thursdays(ask: Ask, memory: Git) -> None:
    memory.write("memory/2026-02-12.md", "# Notes\n\n- Sold the bicycle.\n")
    memory.write("memory/plan.md", "# Week\n\n- Yoga: Thursdays at nine.\n")
    passed = [hit.path for hit in ask("what was done on Thursday").results if hit.likely]
    assert passed == ["memory/2026-02-12.md"]
    assert first_hit(ask("when is yoga on Thursday")).snippet == "Yoga: Thursdays at nine."


def test_a_line_of_the_month_is_shown_though_a_line_near_it_has_the_word(
    ask: Ask, memory: Git
) -> None:
    lines = ("MRR in May: 4,200", "MRR in April: 3,900", "Revenue in June was 5100")
    memory.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {line}\n" for line in lines))
    for query in ("revenue in May", "MRR May", "MRR in May"):
        shown = [(hit.snippet, *(line.snippet for line in hit.more)) for hit in ask(query).results]
        assert any(lines[0] in each for each in shown)


def test_what_was_noted_on_a_day_comes_before_reports_of_it(ask: Ask, memory: Git) -> None:
    report = "# Report\n\n- All is consistent.\n\n# Checks\n\n- The checker ran.\n"
    memory.write("audits/2025-06-11-report.md", report)
    memory.write("memory/2025-06-11.md", "# Wednesday\n\n- Sold the bicycle.\n")
    hits = ask("what happened on 11 June 2025").results
    assert hits[0].path == "memory/2025-06-11.md"
    assert all(hit.likely for hit in hits if "2025-06-11" in hit.path)
