"""Where a new entry belongs, and of which category it is, by rules that read nothing but its words."""

import re
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.tags import tags_in
from clawgit.domain.tiers import dated

EVENT, KNOWLEDGE, SKILL, DECISION = "event", "knowledge", "skill", "decision"
NOTEBOOK = "MEMORY.md"


class Target(NamedTuple):
    """The file of an entry, the heading that it goes under (None: the end), and what opens the file if it is new."""

    path: str
    heading: str | None = None
    title: str = ""


def category(text: str) -> str:
    """The primary tag of a text that names none: the first rule that fits, else knowledge."""
    return next((tag for tag, rule in _RULES if rule.search(text)), KNOWLEDGE)


def route(text: str, tag: str, now: datetime, to: str = "", notebook: str = NOTEBOOK) -> Target:
    """What happened goes into the note of the operator's day, all else into the notebook, unless `to` says where."""
    today = f"memory/{now:%Y-%m-%d}.md"
    path = to or (today if tag == EVENT else notebook)
    if path == today:
        return Target(path, f"{now:%H:%M} - {subject(text)}", f"{now:%Y-%m-%d}")
    if path == notebook:
        return Target(path, _HEADINGS[tag], "Memory")
    day = dated(path)
    return Target(path, title=day.isoformat() if day else path.rpartition("/")[2][: -len(".md")])


def subject(text: str) -> str:
    """A few words for a heading."""
    for tag in tags_in(text):
        text = text.replace(f"#{tag}", " ")
    short = ""
    for word in _WORD.findall(_CLAUSE.split(text.strip(), maxsplit=1)[0])[:_WORDS]:
        if len(short) + len(word) >= _LONGEST:
            break
        short = f"{short} {word}".strip()
    return short or "note"


_HEADINGS = {DECISION: "Decisions", KNOWLEDGE: "Knowledge", SKILL: "Skills", EVENT: "Events"}
_WORDS, _LONGEST = 6, 48
_CLAUSE = re.compile(r"(?<=\w)[.;:,!?](?:\s|$)|[。;:,!?]|\s[–—-]\s")
_WORD = re.compile(r"\w+(?:['’.:/@-]\w+)*")

_RULES = (
    (
        DECISION,
        re.compile(
            r"\b(?:decided|decision|(?:we|they|i) (?:have )?(?:agreed|chose|settled)"
            r"|we(?:['’]ll| will) (?:use|go with)|going with|the plan is|approved)\b|决定|決定|决策|결정",
            re.IGNORECASE,
        ),
    ),
    (
        SKILL,
        re.compile(
            r"\b(?:how to|work-?around|technique|the trick is|best way to|learned (?:how )?to)\b|如何|技巧",
            re.IGNORECASE,
        ),
    ),
    (
        EVENT,
        re.compile(
            r"^\W*(?:met|visited|launched|released|shipped|deployed|attended|called|talked (?:to|with))\b"
            r"|\b(?:today|tonight|this (?:morning|afternoon|evening)|yesterday|last night)\b|今天|昨天|오늘|어제",
            re.IGNORECASE,
        ),
    ),
)
"""Category → what its texts say, the surest first."""
