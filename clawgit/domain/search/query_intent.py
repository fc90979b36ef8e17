"""What a question means to find besides its words: a kind of memory, a person, a span of days; and
what is of it.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo
from typing import NamedTuple

from clawgit.domain.facts.decay import day_of
from clawgit.domain.markdown.tags import PRIMARY, tags_in
from clawgit.domain.organizing.facts_index import names
from clawgit.domain.organizing.facts_page import ARCHIVE, page_of
from clawgit.domain.organizing.organize import CLASSES, LESSONS, STRUCTURED
from clawgit.domain.search.question_days import Days, days_in
from clawgit.domain.search.ranking_standing import Placed, is_correction
from clawgit.domain.workspace.layers import layer_of

CATEGORIES = (
    *CLASSES,
    "facts",
    "lessons",
    "entities",
    "patterns",
    "summaries",
    "events",
    "corrections",
    *PRIMARY[1:],
)
"""What `--category` takes: classes of facts, layers of memory, corrections, and tags; events are
files and tags."""


Test = Callable[[Placed], bool]

_LEAD = re.compile(
    r"^\W*(?:what|who|whom|whose|when|where|why|how|which|did|does|do|is|are|was|were|has|have|can|could)\b",
    re.IGNORECASE,
)

_ASKS = (
    (
        "lessons",
        re.compile(
            r"\b(?:lessons?|mistakes?|learn(?:ed|t)?|pitfalls?|went wrong)\b|教训|교훈",
            re.IGNORECASE,
        ),
    ),
    (
        "tasks",
        re.compile(
            r"\b(?:tasks?|to-?dos?|to do|deadlines?|still open|is due|are due)\b|待办|할 일",
            re.IGNORECASE,
        ),
    ),
    ("decision", re.compile(r"\b(?:decisions?|decided?|agreed)\b|决定|결정", re.IGNORECASE)),
    ("corrections", re.compile(r"\b(?:corrections?|corrected|set right)\b|纠正", re.IGNORECASE)),
)


class Intent(NamedTuple):
    """What is meant, as far as it was said; all empty where nothing was."""

    category: str = ""
    person: str = ""
    days: Days | None = None

    @property
    def told(self) -> dict[str, str]:
        """For whoever asked to see what was read into his question."""
        span = f"{self.days.first} to {self.days.last}" if self.days else ""
        rows = {"category": self.category, "person": self.person, "time": span}
        return {name: value for name, value in rows.items() if value}


def read_intent(text: str, now: datetime, zone: tzinfo | None = None) -> Intent:
    """By rules: the words that name a kind, the first name in it, and the days that it speaks
    of.
    """
    dated = days_in(text, now, zone)
    category = next((name for name, pattern in _ASKS if pattern.search(text)), "")
    return Intent(category, next(names(_LEAD.sub("", text)), ""), dated[0] if dated else None)


def wanted(intent: Intent, demanded: str = "") -> tuple[Test, ...]:
    """Whether an item is meant, the strictest first: where nothing passes one, the next is asked. A
    category that is `demanded` stands in each.
    """
    must = _of_category(demanded) if demanded else None
    wishes = [*_wishes(intent._replace(category="") if demanded else intent)]
    found = [
        _all([*([must] if must else []), *wishes[: len(wishes) - less]])
        for less in range(len(wishes) + 1)
    ]
    return tuple(found if must else found[:-1])


def category_named(name: str) -> str:
    """The category that a word means, "" where there is none."""
    plain = name.strip().lower().lstrip("#")
    alike = {plain, f"{plain}s", plain.removesuffix("s"), f"{plain.removesuffix('y')}ies"}
    return next((one for one in CATEGORIES if one == plain), "") or next(
        (one for one in CATEGORIES if one in alike), ""
    )


def _wishes(intent: Intent) -> Iterator[Test]:
    """What is wished, the surest first: the last are given up first."""
    if intent.category:
        yield _of_category(intent.category)
    if intent.days:
        yield _in_days(intent.days)
    if intent.person:
        yield _naming(intent.person)


def _of_category(name: str) -> Test:
    if name in CLASSES:
        return lambda row: row.path == page_of(name) or bool(row.meta and row.meta.class_ == name)
    if name == "facts":
        return lambda row: row.path.startswith((STRUCTURED, ARCHIVE))
    if name == "lessons":
        return lambda row: (
            row.path == LESSONS or (bool(row.headings) and row.headings[-1] == "Lessons")
        )
    if name == "corrections":
        return is_correction
    tag = name.removesuffix("s")
    return lambda row: (
        layer_of(row.path) == name
        or (tag in PRIMARY and "#" in row.text and tag in tags_in(row.text))
    )


def _in_days(days: Days) -> Test:
    def test(row: Placed) -> bool:
        day = day_of(row.path, row.headings)
        told = [day] if day else [row.meta.first, row.meta.last] if row.meta else []
        return any(one is not None and days.closeness(one) == 1 for one in told)

    return test


def _naming(person: str) -> Test:
    pattern = re.compile(rf"(?<!\w){re.escape(person)}(?:['’]s)?(?!\w)", re.IGNORECASE)
    return lambda row: any(pattern.search(text) for text in (row.text, *row.headings))


def _all(some: list[Test]) -> Test:
    return lambda row: all(test(row) for test in some)
