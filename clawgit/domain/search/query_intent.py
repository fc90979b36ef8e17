"""Reads from a question which kind of memory, person and days it is about."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from clawgit.domain.markdown.tag_table import PRIMARY, TAGS
from clawgit.domain.markdown.tags import tags_in, visible
from clawgit.domain.organizing.classes import CLASS_ROWS, CLASSES
from clawgit.domain.organizing.facts_page import ARCHIVE, page_of
from clawgit.domain.organizing.organize import LESSONS, STRUCTURED
from clawgit.domain.search.question import Days, days_named
from clawgit.domain.search.standing import Placed, is_correction
from clawgit.domain.workspace.layers import INDEXED, layer_of
from clawgit.language.names import names

CATEGORIES = (
    *CLASSES,
    "facts",
    "lessons",
    *INDEXED,
    "corrections",
    *(tag.name for tag in TAGS if tag.is_category and tag.is_searchable),
)
"""The values of `--tag` besides a note's own tags: classes of facts, layers of memory,
corrections, and the tags of entries.
"""

_ASKED = (
    "",
    *CLASSES,
    "lessons",
    "corrections",
    "events",
    *(tag.name for tag in TAGS if tag.question),
)
"""What a language model may read into a question."""

# A type checker needs literals in the source; an answer is held to the names in the tables.
if TYPE_CHECKING:
    Asked: TypeAlias = str
else:
    Asked = Literal[_ASKED]

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
    *(
        (row.name, re.compile(row.question, re.IGNORECASE))
        for row in (*CLASS_ROWS, *TAGS)
        if row.question
    ),
    ("corrections", re.compile(r"\b(?:corrections?|corrected|set right)\b|纠正", re.IGNORECASE)),
)


class QueryIntent(NamedTuple):
    """What a question is about; "" or None for what it does not say."""

    category: str = ""
    person: str = ""
    days: Days | None = None

    @property
    def told(self) -> dict[str, str]:
        """What was read, as rows for `--explain`."""
        span = f"{self.days.first} to {self.days.last}" if self.days else ""
        rows = {"category": self.category, "person": self.person, "time": span}
        return {name: value for name, value in rows.items() if value}


def read_intent(text: str, now: datetime, zone: tzinfo | None = None) -> QueryIntent:
    """The intent by rules: words that name a kind of memory, the first name, and the days."""
    category = next((name for name, pattern in _ASKS if pattern.search(text)), "")
    people = (name.text for name in names(visible(_LEAD.sub("", text))))
    person = next(people, "")
    here = now.astimezone(zone) if zone else now
    return QueryIntent(category, person, days_named(text, here))


def wanted(intent: QueryIntent, demanded: str = "") -> tuple[Test, ...]:
    """Filters for hits, the strictest first: if no hit passes one, the caller tries the next.

    A `demanded` category or tag is part of each filter, and is never given up.
    """
    if demanded:
        always = [_demanded(demanded)]
        wishes = [*_wishes(intent._replace(category=""))]
        least = 0
    else:
        always = []
        wishes = [*_wishes(intent)]
        least = 1  # A filter without any condition is no filter.
    return tuple(_all([*always, *wishes[:count]]) for count in range(len(wishes), least - 1, -1))


def category_named(name: str) -> str:
    """The category that a word means, in singular or plural; "" if there is none."""
    plain = tag_named(name)
    if plain in CATEGORIES:
        return plain
    forms = {f"{plain}s", plain.removesuffix("s"), f"{plain.removesuffix('y')}ies"}
    return next((category for category in CATEGORIES if category in forms), "")


def tag_named(name: str) -> str:
    """A tag as it is compared: without its `#`; front matter has `-` where a tag has blanks."""
    return "-".join(name.strip().lstrip("#").casefold().split())


def is_tagged(text: str, tag: str) -> bool:
    """Whether a text has a tag, given as `tag_named` does."""
    if "#" not in text:
        return False
    plain, written = text.casefold(), f"#{tag}"
    # A tag of front matter may begin with a digit or have signs, which other text does not show.
    return written in plain and (tag in tags_in(plain) or written in plain.split())


def _wishes(intent: QueryIntent) -> Iterator[Test]:
    """One test for each thing that the question says, the surest first; the last is given up
    first.
    """
    if intent.category:
        yield _of_category(intent.category)
    if intent.days:
        yield intent.days.holds
    if intent.person:
        yield _naming(intent.person)


def _demanded(name: str) -> Test:
    """What is of the category that a name means, or has the name itself as a tag."""
    category, tag = category_named(name), tag_named(name)
    if not category:
        return lambda row: is_tagged(row.text, tag)
    is_of = _of_category(category)
    return lambda row: is_of(row) or is_tagged(row.text, tag)


def _of_category(name: str) -> Test:
    if name in CLASSES:
        return lambda row: row.path == page_of(name) or bool(row.meta and row.meta.class_ == name)
    if name == "facts":
        return lambda row: row.path.startswith((STRUCTURED, ARCHIVE))
    if name == "lessons":
        return lambda row: row.path == LESSONS or row.headings[-1:] == ("Lessons",)
    if name == "corrections":
        return is_correction
    return _of_layer_or_tag(name)


def _of_layer_or_tag(name: str) -> Test:
    tag = name.removesuffix("s")

    def test(row: Placed) -> bool:
        if layer_of(row.path) == name:
            return True
        # Most rows have no tag; the quick look spares them the search for one.
        return tag in PRIMARY and "#" in row.text and tag in tags_in(row.text)

    return test


def _naming(person: str) -> Test:
    pattern = re.compile(rf"(?<!\w){re.escape(person)}(?:['’]s)?(?!\w)", re.IGNORECASE)
    return lambda row: any(pattern.search(text) for text in (row.text, *row.headings))


def _all(tests: list[Test]) -> Test:
    return lambda row: all(test(row) for test in tests)
