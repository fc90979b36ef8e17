"""The table of tags: one row says all that clawgit knows about a tag of entries.

A new tag is a new row here, then `make docs`, and labelled text in `models/judges` if the miner is
to give it. No other code lists tags: `tests/core/markdown/test_tag_table.py` adds a row and checks;
`models/training` lists those that the judge learns, and some templates name a few.
No tag changes how confidence fades.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.language.lazily import lazily

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
    heading: str = ""
    """The section of MEMORY.md in which its entries stand."""
    is_category: bool = True
    """An entry has at most one category. Other tags stand beside it."""
    words: str = ""
    """What a text says that is given this tag by rules; "" if rules never give it."""
    question: str = ""
    """What a question says that asks for entries of this tag; "" if no question does."""
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
        heading=frames.EVENTS,
        words=(
            r"^\W*(?:met|visited|launched|released|shipped|deployed|attended|called"
            r"|talked (?:to|with))\b"
            # What was done, in the style of a diary: “Watered the plants”.
            r"|^\W*\w{3,}ed (?:the|an?|all|both|some|my|our|his|her|their)\b"
            r"|\b(?:today|tonight|this (?:morning|afternoon|evening)|yesterday|last night)\b"
            r"|今天|昨天|오늘|어제"
        ),
        is_of_the_day=True,
    ),
    Tag(KNOWLEDGE, heading=frames.KNOWLEDGE, may_be_reminder=True, may_be_lesson=True),
    Tag(
        SKILL,
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
        heading=frames.DECISIONS,
        words=(
            r"\b(?:decided|decision|(?:we|they|i) (?:have )?(?:agreed|chose|settled)"
            r"|we(?:['’]ll| will) (?:use|go with)|going with|the plan is|approved)\b"
            r"|决定|決定|决策|결정"
        ),
        question=r"\b(?:decisions?|decided?|agreed)\b|决定|결정",
        importance=1,
    ),
    Tag(CORRECTION_TAG, is_category=False, importance=2),
)
"""Rules try the last row first: decisions are surest by their words, then skills, then events."""

TAGS_BY_NAME = {tag.name: tag for tag in TAGS}
PRIMARY = tuple(tag.name for tag in TAGS if tag.is_category)
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
    return f"{', '.join(first)} or {last}"


_NAMED = rf"#(?:{'|'.join(TAGS_BY_NAME)})(?![\w/-])"
CATEGORY = lazily(rf"(?<=[.!?])\s{_NAMED}[.!?](?!\S)|(?:^|\s){_NAMED}")
"""A category as it stands in a text, with the blank before it; after the end of a sentence, with an
end of its own.
"""

_TAG = lazily(r"""(?<![\w/#&?=.:@%+~\\"'-])(?<!\]\()#([^\W\d_][\w/-]*)""")
_CODE_OR_COMMENT = lazily("`+|<!--")


def tags_in(text: str) -> tuple[str, ...]:
    """The tags of a text without their `#`, each once.

    These are not tags: `#code`, page#fragment, in#word, [x](#anchor).
    """
    if "#" not in text:
        return ()
    # Blanks in the place of what is hidden: what stands on its two sides does not become one word.
    plain = "".join(" " * len(piece) if hidden else piece for hidden, piece in _pieces(text))
    return tuple(dict.fromkeys(match[1].rstrip("/-") for match in _TAG.finditer(plain)))


def visible(text: str) -> str:
    """A text without its HTML comments, and without the blanks that stood before them."""
    return without_comments(text, bool)


def without_comments(text: str, goes: Callable[[str], bool]) -> str:
    """A text without those of its HTML comments that go, and the blanks that stood before them."""
    shown = ""
    for hidden, piece in _pieces(text) if "<!--" in text else [(False, text)]:
        is_gone = hidden and piece[0] == "<" and goes(piece)
        shown = shown.rstrip(" \t") if is_gone else shown + piece
    return shown


def comments_in(text: str) -> tuple[str, ...]:
    """The HTML comments of a text."""
    if "<!--" not in text:
        return ()
    return tuple(piece for hidden, piece in _pieces(text) if hidden and piece[0] == "<")


def untagged(text: str) -> str:
    """A text without its categories; other tags may say something."""
    return " ".join(CATEGORY.sub("", text).split())


def words_alone(text: str) -> str:
    """A text without any tags, and with single blanks."""
    words = text.split()
    if "#" in text:
        words = [word for word in words if not word.startswith("#")]
    return " ".join(words)


def without_code(text: str) -> str:
    if "`" not in text:
        return text
    return "".join(piece for hidden, piece in _pieces(text) if not hidden or piece[0] == "<")


def _pieces(text: str) -> Iterator[tuple[bool, str]]:
    """The text cut at its code spans and comments; True for these. An open one is plain text."""
    signs = [match.span() for match in _CODE_OR_COMMENT.finditer(text)]
    closing = _closing(text, signs)
    last = text.rfind("-->")
    done = 0
    for start, end in signs:
        if start < done:
            continue
        stop = 0
        if text[start] == "`":
            stop = closing.get(start, 0)
        elif end <= last:
            # Without this look, each comment that is open would be read to the end of the text.
            stop = text.find("-->", end) + len("-->")
        if stop:
            yield False, text[done:start]
            yield True, text[start:stop]
            done = stop
    yield False, text[done:]


def _closing(text: str, signs: list[tuple[int, int]]) -> dict[int, int]:
    """For a run of backticks, the end of the next one as long."""
    nearest: dict[int, int] = {}
    closing: dict[int, int] = {}
    for start, end in reversed(signs):
        if text[start] == "`":
            if end - start in nearest:
                closing[start] = nearest[end - start]
            nearest[end - start] = end
    return closing


_SIGN = "~~"
_SPAN = lazily(r"~~[^~\s][^~]*~~")
_LEAD = lazily(
    r"\s*(?:(?:[-+*]|[0-9]{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?"
    r"(?:[^\w~]{0,4}[0-9]{4}-[0-9]{2}-[0-9]{2}[^\w\s~]{0,4}\s+)?"
)
"""What may stand in front: a bullet, a box, the day."""


def is_struck(text: str) -> bool:
    """Whether a line or an entry is struck through as a whole, but for its tags and its day."""
    if _SIGN not in text:
        return False
    lead = _LEAD.match(text)
    said = text[lead.end() if lead else 0 :]
    return _SPAN.search(said) is not None and not any(
        map(str.isalnum, words_alone(_SPAN.sub(" ", said)))
    )
