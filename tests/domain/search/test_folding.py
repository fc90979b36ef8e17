"""Hits that say the same come once, and what was kept comes before what was said."""

from collections.abc import Callable
from typing import NamedTuple

from clawgit.domain.markdown.comment import Meta
from clawgit.domain.search.folding import Folded, folded, once
from clawgit.domain.search.ranking import Scored, ScoreParts
from clawgit.domain.search.ranking_standing import Stood
from tests.each import for_each

DAY, NOTEBOOK = "memory/2026-02-14.md", "MEMORY.md"


class Row(NamedTuple):
    id: int
    path: str
    text: str
    source: str = "memory"
    headings: tuple[str, ...] = ()
    key: str = ""
    meta: Meta | None = None
    led: tuple[str, ...] = ()


def fold(
    *lines: tuple[str, str] | Row, by: Callable[..., Folded] = folded
) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """The hits that are left of these lines, best first, and what is folded under them."""
    rows = {at: line if isinstance(line, Row) else Row(at, *line) for at, line in enumerate(lines)}
    parts = ScoreParts(1, 0, None, (), ())
    hits = [Stood(Scored(at, 1, 1, exact=False, parts=parts), 1 - at / 200) for at in rows]
    left, under = by(hits, rows)
    assert [hit.score for hit in left] == sorted((hit.score for hit in left), reverse=True)
    return [hit.scored.id for hit in left], dict(under)


SAID = "user: We decided to ship the Harbor dashboard on 3 March. Right?"


@for_each(
    "entry",
    [
        "We decided to ship the Harbor dashboard on 3 March.",
        "Olga: “We decided to ship the Harbor dashboard on 3 March.” #decision",
        "We decided to ship the harbor dashboard on 3 March (said 2026-02-14) #decision #event",
    ],
)
def test_an_entry_takes_the_place_of_the_turn_that_it_was_kept_of(entry: str) -> None:
    other = (DAY, "The dashboard is not ready to ship.")
    assert fold((DAY, SAID), other, (NOTEBOOK, entry)) == ([2, 1], {2: (0,)})
    assert fold((NOTEBOOK, entry), (DAY, SAID), other) == ([0, 2], {0: (1,)})


@for_each(
    "path, text",
    [
        (DAY, "user: We did not decide to ship the Harbor dashboard on 3 March."),
        (DAY, "user: We decided to ship the Harbor dashboard on 4 March."),
        (NOTEBOOK, "We decided to ship the Harbor dashboard on 3 March, or on 4 March."),
        (DAY, "user: The Harbor dashboard."),
    ],
)
def test_what_says_something_else_stays(path: str, text: str) -> None:
    entry = (NOTEBOOK, "We decided to ship the Harbor dashboard on 3 March.")
    assert fold((path, text), entry) == ([0, 1], {})


def test_an_entry_that_no_longer_holds_stands_for_nothing() -> None:
    text = "Caching is done by Memcached alone."
    replaced = Row(1, NOTEBOOK, text, meta=Meta("kqrxpt", ("status=superseded",)))
    assert fold((DAY, text), replaced) == ([0, 1], {})
    logged = Row(1, "CORRECTIONS.md", text, source="corrections")
    assert fold((DAY, text), logged) == ([0, 1], {})


def test_lines_of_a_log_that_differ_in_figures_come_once() -> None:
    log = [
        (f"memory/2026-02-0{day}.md", f"Mail sync at 0{day}:15, 1{day} new.") for day in (1, 2, 3)
    ]
    other = (DAY, "Mail sync is slow.")
    assert fold(log[0], other, *log[1:]) == ([3, 1], {3: (0, 2)}), "the newest, at the best place"
    # Two may be two facts, and entries are no log.
    assert fold(*log[:2]) == ([0, 1], {})
    assert fold(*((NOTEBOOK, text) for _, text in log)) == ([0, 1, 2], {})
    assert fold(*(("memory/mail.md", text) for _, text in log)) == ([0, 1, 2], {})
    once = [Row(at, "Archive/2026/mail.md", text, "archive") for at, (_, text) in enumerate(log)]
    assert fold(*once) == ([2], {2: (0, 1)})


def test_the_figure_that_is_asked_for_is_shown_and_no_newer_one() -> None:
    parts = ScoreParts(1, 0, None, (), ())
    rows = {
        at: Row(at, f"memory/2026-02-1{at}.md", f"Backup {40 + at} has ended.") for at in range(4)
    }
    scores = {1: 0.9, 0: 0.6, 2: 0.6, 3: 0.6}
    hits = [
        Stood(Scored(at, 1, 1, exact=False, parts=parts), score) for at, score in scores.items()
    ]
    left, under = folded(hits, rows)
    assert [hit.scored.id for hit in left] == [1]
    assert under == {1: (0, 2, 3)}


FIELD = "MOQ: 30,000 gummies"


def test_a_field_comes_once_for_each_thing_that_the_headings_name() -> None:
    """One line of two with the same words is the hit, and the other is under it."""
    united = Row(0, "reports/final.md", FIELD, headings=("Suppliers", "United Labs"))
    other = Row(1, "reports/first.md", FIELD, headings=("Suppliers", "IAM Healthcare"))
    copy = Row(2, "reports/copy.md", FIELD, headings=("Suppliers", "United Labs"))
    assert fold(united, other, copy, by=once) == ([0, 1], {0: (2,)})
    led = [
        Row(at, "reports/all.md", FIELD, headings=("Suppliers",), led=(name,))
        for at, name in enumerate(["United Labs", "IAM Healthcare"])
    ]
    assert fold(*led, by=once) == ([0, 1], {})
    logged = [
        Row(at, f"memory/2026-02-0{at + 1}.md", f"MOQ: {at}0,000 gummies", headings=("Day", name))
        for at, name in enumerate(["United Labs", "United Labs", "IAM", "United Labs"])
    ]
    assert fold(*logged) == ([3, 2], {3: (0, 1)})


def test_a_sentence_comes_once_and_the_entry_is_shown_wherever_it_stands() -> None:
    text = "Backups run every night at two."
    noted = Row(0, DAY, text, headings=("2026-02-14", "Afternoon"))
    entry = Row(1, NOTEBOOK, f"{text} #knowledge", headings=("Servers",))
    again = Row(2, DAY, text, headings=("2026-02-14", "Evening"))
    assert fold(noted, entry, again, by=once) == ([1], {1: (0, 2)})


def test_an_entry_that_no_longer_holds_hides_no_line_with_its_words() -> None:
    text = "Caching is done by Memcached alone."
    replaced = Row(0, NOTEBOOK, text, meta=Meta("kqrxpt", ("status=superseded",)))
    holds = Row(1, "notes.md", text)
    assert fold(replaced, holds, by=once) == ([0, 1], {})
    assert fold(holds._replace(id=0), replaced._replace(id=1), by=once) == ([0], {0: (1,)})


def test_what_stands_behind_a_number_sign_tells_lines_apart() -> None:
    colours = ("notes.md", "Primary: #2C5F2D"), ("notes.md", "Primary: #FF0000")
    assert fold(*colours, by=once) == ([0, 1], {})
    tagged = ("notes.md", "Primary: green #decision"), ("notes.md", "Primary: green")
    assert fold(*tagged, by=once) == ([0], {0: (1,)})


def test_a_note_of_a_day_that_says_more_than_an_entry_stays() -> None:
    entry = (NOTEBOOK, "**Model:** glm-4.7:cloud (for research)")
    assert fold(entry, (DAY, "Model switched to `glm-4.7:cloud` at 4:03 PM")) == ([0, 1], {})
    of_another = Row(1, DAY, "Model: glm-4.7:cloud", headings=("2026-02-14", "Design Bot"))
    below = Row(0, "SUB-AGENTS.md", entry[1], headings=("Research Bot",))
    assert fold(below, of_another) == ([0, 1], {})
    assert fold(below, of_another._replace(headings=("2026-02-14", "Research Bot"))) == (
        [0],
        {0: (1,)},
    )
