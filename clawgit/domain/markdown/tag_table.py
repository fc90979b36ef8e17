"""The table of tags: one row says all that clawgit knows about a tag of entries.

A new tag is a new row here, and labelled text in `models/judges` if the miner is to give it.
Nothing else lists tags: `tests/domain/markdown/test_tag_table.py` adds a row and checks.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from clawgit.domain.markdown import frames

EVENT = "event"
KNOWLEDGE = "knowledge"
SKILL = "skill"
DECISION = "decision"
CORRECTION_TAG = "correction"

LESSON_WORDS = (
    r"\blessons? (?:learn(?:ed|t)|from|of|for)\b|\blesson\s*:|\blearn(?:ed|t) the hard way\b"
    r"|^\W*(?:my|our) mistake\b|\b(?:must|will|should) not happen again\b|教训|教訓|교훈"
)
"""How a text says that it tells a lesson; see `may_be_lesson`."""


class Tag(NamedTuple):
    """One tag, without its `#`. Patterns are regular expressions that ignore case."""

    name: str
    in_words: str = ""
    """The name in a sentence: “an event”."""
    heading: str = ""
    """The section of MEMORY.md in which its entries stand."""
    is_category: bool = True
    """An entry has at most one category. Other tags stand beside it."""
    words: str = ""
    """What a text says that is given this tag by rules; "" if rules never give it."""
    question: str = ""
    """What a question says that asks for entries of this tag; "" if no question does."""
    is_searchable: bool = True
    """Whether `memory search --tag` takes its name."""
    is_of_the_day: bool = False
    """Its entries go into the note of the day, and not into MEMORY.md."""
    may_be_reminder: bool = False
    """A text that only reminds of something goes into the note of the day all the same."""
    may_be_lesson: bool = False
    """A text that tells a lesson goes to the lessons."""
    newer_wins: bool = True
    """Of two entries that contradict each other, the much newer one wins."""
    importance: int = 0
    """How much more its entries count in a context, in steps of ten."""


TAGS = (
    Tag(
        EVENT,
        in_words="an event",
        heading=frames.EVENTS,
        words=(
            r"^\W*(?:met|visited|launched|released|shipped|deployed|attended|called"
            r"|talked (?:to|with))\b"
            # What was done, in the style of a diary: “Watered the plants”.
            r"|^\W*\w{3,}ed (?:the|an?|all|both|some|my|our|his|her|their)\b"
            r"|\b(?:today|tonight|this (?:morning|afternoon|evening)|yesterday|last night)\b"
            r"|今天|昨天|오늘|어제"
        ),
        # `--tag events` is a layer of memory. Its test finds entries of this tag as well.
        is_searchable=False,
        is_of_the_day=True,
    ),
    Tag(
        KNOWLEDGE,
        in_words="knowledge",
        heading=frames.KNOWLEDGE,
        may_be_reminder=True,
        may_be_lesson=True,
    ),
    Tag(
        SKILL,
        in_words="a skill",
        heading=frames.SKILLS,
        words=(
            r"\b(?:how to|work-?around|technique|the trick is|best way to|learned (?:how )?to)\b"
            rf"|如何|技巧|{LESSON_WORDS}"
        ),
        may_be_lesson=True,
        # A newer way of doing a thing does not make an older one wrong.
        newer_wins=False,
    ),
    Tag(
        DECISION,
        in_words="a decision",
        heading=frames.DECISIONS,
        words=(
            r"\b(?:decided|decision|(?:we|they|i) (?:have )?(?:agreed|chose|settled)"
            r"|we(?:['’]ll| will) (?:use|go with)|going with|the plan is|approved)\b"
            r"|决定|決定|决策|결정"
        ),
        question=r"\b(?:decisions?|decided?|agreed)\b|决定|결정",
        importance=1,
    ),
    Tag(CORRECTION_TAG, in_words="a correction", is_category=False, importance=2),
)
"""Rules try the last row first: decisions are surest by their words, then skills, then events."""

TAGS_BY_NAME = {tag.name: tag for tag in TAGS}
CATEGORIES = tuple(tag for tag in TAGS if tag.is_category)
PRIMARY = tuple(tag.name for tag in CATEGORIES)
"""The names of the categories."""

# A type checker needs literals in the source, and a language model's answer is checked against the
# type at run time. So the type is made from the table, and the type checker sees any text.
if TYPE_CHECKING:
    TagName: TypeAlias = str
else:
    TagName = Literal[PRIMARY]


def listed(words: tuple[str, ...]) -> str:
    """A choice in words: “event, knowledge, skill or decision”."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
