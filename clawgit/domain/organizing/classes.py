"""The table of classes: one row says all that clawgit knows about a class of facts.

A new class is a new row here. Facts of a class stand in the file of its name in memory/structured/.
"""

from typing import NamedTuple

PERSONAL = "personal"
TASKS = "tasks"
AGENTS = "agents"
SYSTEM = "system"
GENERAL = "general"


class FactClass(NamedTuple):
    """One class of facts. Patterns are regular expressions that ignore case."""

    name: str
    about: str
    """What its facts are about, in words for a language model."""
    days: int | None = None
    """For how many days a fact holds after it was last said; None: for ever."""
    has_titles: bool = False
    """Whether `language/data/notes` lists headings and labels that name it."""
    question: str = ""
    """What a question says that asks for facts of this class; "" if no question does."""


CLASS_ROWS = (
    FactClass(
        PERSONAL,
        "preferences and people",
        has_titles=True,
    ),
    FactClass(
        TASKS,
        "what is to be done",
        days=7,
        question=(r"\b(?:tasks?|to-?dos?|to do|deadlines?|still open|is due|are due)\b|待办|할 일"),
    ),
    FactClass(
        AGENTS,
        "how agents, models, prompts and sessions behave",
        days=30,
        has_titles=True,
    ),
    FactClass(
        SYSTEM,
        "servers, code, tools and their settings",
        has_titles=True,
    ),
    FactClass(GENERAL, "all else"),
)
"""In the order in which memory/INDEX.md lists them."""

CLASSES = tuple(row.name for row in CLASS_ROWS)
CLASSES_BY_NAME = {row.name: row for row in CLASS_ROWS}
