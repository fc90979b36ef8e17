"""The metadata of a vector in Chroma: the facts of its entry, as the end of its id.

The id of a record is the hash of its text and these facts. So after a mention or a correction the
entry has another record, and a filling replaces the old one.
"""

from collections.abc import Container
from datetime import date
from struct import Struct
from typing import NamedTuple

from clawgit.domain.facts.confidence import CORRECTION, Dynamics, confidence
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.statuses import ACTIVE, STATUSES
from clawgit.domain.markdown.tag_table import TAGS

_PACKED = Struct(">BBHIH")
_TAGS = tuple(tag.name for tag in TAGS)
_PARTS = 10_000
"""Confidence is stored in this many steps."""

_MOST = 0xFFFF
_TEXT = 32
"""How many hex digits of an id are the hash of the text."""

SIZE = _PACKED.size


class Standing(NamedTuple):
    """An entry's comment as Chroma's metadata; without a status the text is not an entry's."""

    status: str = ""
    tag: str = ""
    confidence: float = 0.0
    last_seen: date | None = None
    mentions: int = 0

    def ident(self, text_hash: str) -> str:
        """The id of a text's record, in hex digits."""
        packed = _PACKED.pack(
            STATUSES.index(self.status) + 1 if self.status else 0,
            _TAGS.index(self.tag) + 1 if self.tag in _TAGS else 0,
            round(self.confidence * _PARTS),
            self.last_seen.toordinal() if self.last_seen else 0,
            min(self.mentions, _MOST),
        )
        return text_hash + packed.hex()


def standing(meta: Meta, tags: Container[str], dynamics: Dynamics, today: date) -> Standing:
    """The facts of an entry on a day: `tag` is its category, or `correction` if it was
    corrected.
    """
    tag = next((tag.name for tag in TAGS if tag.is_category and tag.name in tags), "")
    return Standing(
        meta.status if meta.status in STATUSES else ACTIVE,
        CORRECTION if CORRECTION in tags or meta.src == CORRECTION else tag,
        confidence(meta, dynamics, today),
        meta.last,
        meta.n,
    )


def text_of(ident: str) -> str:
    """The hash of the text that a record is about."""
    return ident[:_TEXT]


def metadata(ident: str) -> dict[str, str | int | float]:
    """The facts in a record's id under the names by which a collection is queried.

    `last_seen` is a number such as 20260314, since Chroma compares only numbers.
    """
    status, tag, parts, ordinal, mentions = _PACKED.unpack(bytes.fromhex(ident[_TEXT:]))
    if not status:
        return {"status": ""}
    facts: dict[str, str | int | float] = {
        "status": STATUSES[status - 1],
        "confidence": parts / _PARTS,
        "mention_count": mentions,
    }
    if tag:
        facts["tag"] = _TAGS[tag - 1]
    if ordinal:
        facts["last_seen"] = int(f"{date.fromordinal(ordinal):%Y%m%d}")
    return facts
