"""What a search reads of an item: what stands above it, and who says it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from clawgit.core.doors import hashlib
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.scan import dated_id, lines_of, sections
from clawgit.language.lazily import lazily
from clawgit.talk.rules.corrections import Correction, corrections, field_of, replaced_by

SEPARATOR = " › "
"""Stands between the headings above a line, and between them and the line."""

NEAREST = 2
"""How many headings, the nearest ones: those above them stand over too many lines to say much."""

_SIGN = "\x1f"
"""Stands before what is above a line; in a text itself, it is a blank."""


def passage(text: str, headings: Sequence[str]) -> str:
    """A line with the headings above it, or the list item that it is nested in, as one text that is
    compared.
    """
    return _SIGN.join((text.replace(_SIGN, " "), *headings[-NEAREST:]))


KEY = 16
"""A text is known by so many bytes of its SHA-256."""


def key_of(text: str) -> bytes:
    """The key of a text's vector."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()[:KEY]


def parts(passage: str) -> tuple[str, tuple[str, ...]]:
    """A line, and what stands above it."""
    text, *above = passage.split(_SIGN)
    return text, tuple(above)


ROLES = frozenset({"user", "human", "assistant", "ai", "agent"})
"""Names of speakers that are no label of anything else."""

USERS = frozenset({"user", "human"})

_SPEAKER = lazily(
    r"\W{0,3}(?:\*\*([^*\n:]{1,60})(?::\*\*|\*\*:)|(user|assistant|human|ai|agent)(?:\*\*)?:)\s",
    re.IGNORECASE,
)
_LONGEST_NAME = 70
"""So many characters hold the longest name, its stars and its colon."""

_OFTEN = 3
"""A name in bold that stands so often in a file, of which most lines have one, is a speaker."""


def speaker(text: str) -> str:
    """The name before a turn of a conversation, or the label before a line; "" if there is none."""
    match = _SPEAKER.match(text) if ":" in text[:_LONGEST_NAME] else None
    return (match[1] or match[2]) if match else ""


def as_talk(items: Sequence[Item]) -> Iterator[Item]:
    """The items of a file, with those that are turns of a conversation marked so."""
    names = [speaker(item.text) for item in items]
    counts = Counter(names)
    speakers = {name for name, count in counts.items() if name and count >= _OFTEN}
    if 2 * counts[""] >= len(names):
        speakers.clear()
    for item, name in zip(items, names, strict=True):
        yield _marked(item, is_turn=name.casefold() in ROLES or name in speakers)


def as_corrections(items: Iterable[Item], text: str) -> Iterator[Item]:
    """The items of a log of corrections: of a section only what is right, under what it is said
    instead of, by which it is found as well; else what the operator said. Its other fields tell how
    it came about.
    """
    logged, lines = _logged(text), lines_of(text)
    for item in items:
        each, replaced = logged.get(item.line, (None, ()))
        if not each:
            yield item
        # Somebody may write all fields as one item; what is nested in a field begins none.
        elif each.stated and each.stated in map(field_of, lines[item.line - 1 : item.end_line]):
            yield _stated(item, each, replaced)


def _logged(text: str) -> dict[int, tuple[Correction, Sequence[str]]]:
    """The corrections by their lines, as an id may be there twice; each with what it replaced."""
    known = corrections(text)
    return {
        line: (each, replaced)
        for section, each, replaced in zip(sections(text), known, replaced_by(known), strict=True)
        if each.status or each.correct or each.words
        for line in range(section.line, section.end + 1)
    }


def _stated(item: Item, logged: Correction, replaced: Sequence[str]) -> Item:
    ids = [dated_id(title)[0] for title in item.headings]
    *above, title = item.headings[: ids.index(logged.id) + 1]
    instead = [f"not: {' / '.join(replaced)}"] if replaced else []
    text, titles = getattr(logged, logged.stated), (*above, *instead, title)
    return item._replace(text=text, kind="item", headings=titles, opens=(title,))


def correction_of(item: Item) -> str:
    """The id of the correction in whose section an item of the log stands; "" if in none."""
    return dated_id(item.headings[-1])[0] if item.headings else ""


def _marked(item: Item, *, is_turn: bool) -> Item:
    if is_turn == (item.kind == "turn"):
        return item
    return item._replace(kind="turn" if is_turn else "para")
