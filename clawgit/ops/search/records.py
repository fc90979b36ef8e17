"""What Chroma holds of a memory: the vectors, and what other programs can ask it by."""

import hashlib
from collections.abc import Container, Iterator
from datetime import date
from typing import TYPE_CHECKING

from clawgit.domain.facts.confidence import CORRECTION, confidence
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.statuses import ACTIVE, CORRECTED, STATUSES
from clawgit.domain.markdown.tag_table import TAGS
from clawgit.domain.markdown.tags import tags_in
from clawgit.doors import json
from clawgit.ops.search.meaning import Meaning
from clawgit.ops.search.old_values import old_values
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.index import Index

if TYPE_CHECKING:
    from clawgit.stores.chroma import Facts, Record

_MARK = 8
"""Hex digits of a record's id that tell its facts."""

_PAGE = 1000
"""How many items are read from the index at once."""


def records(workspace: Workspace, meaning: Meaning, index: Index) -> "Iterator[Record]":
    """Each text of the index that has a vector, and recently corrected ones.

    An id is the hash of the text and of its facts. So after a mention or a correction a text has
    another record, and a filling replaces the old one.
    """
    facts = _facts(workspace, meaning, index)
    keys = [*facts]
    for start in range(0, len(keys), _PAGE):
        page = keys[start : start + _PAGE]
        rows = meaning.vectors.rows(b"".join(page))
        for key, row, vector in zip(page, rows, meaning.vectors.vectors(rows), strict=True):
            if row >= 0:
                mark = hashlib.sha256(json.dumps(facts[key]).encode()).hexdigest()[:_MARK]
                yield f"{key.hex()}{mark}", vector, facts[key]


def _facts(workspace: Workspace, meaning: Meaning, index: Index) -> "dict[bytes, Facts]":
    """What is known of each text, under the names by which a collection is queried.

    For a text in several entries, the one with the highest confidence counts.
    """
    keys = meaning.keys(index)
    found: dict[bytes, Facts] = {key: {"status": ""} for key in keys.values()}
    surest: dict[bytes, float] = {}
    ids, settings = [*keys], workspace.config.settings
    for start in range(0, len(ids), _PAGE):
        for row in index.rows(ids[start : start + _PAGE]):
            key = keys[row.id]
            sure = confidence(row.meta, settings, workspace.today) if row.meta else -1.0
            if row.meta and sure >= surest.get(key, 0.0):
                surest[key] = sure
                found[key] = _facts_of(row.meta, tags_in(row.text), sure)
    for old in old_values(workspace):
        over: Facts = {"status": CORRECTED, "confidence": 0.0, "mention_count": 1}
        found.setdefault(old.key, {**over, **_seen(old.since)})
    return found


def _facts_of(meta: Meta, tags: Container[str], sure: float) -> "Facts":
    """The facts of an entry: `tag` is its category, or `correction` if it was corrected."""
    facts: dict[str, str | int | float] = {
        "status": meta.status if meta.status in STATUSES else ACTIVE,
        "confidence": round(sure, 4),
        "mention_count": meta.n,
    }
    categories = [tag.name for tag in TAGS if tag.is_category and tag.name in tags]
    if CORRECTION in tags or meta.src == CORRECTION:
        categories = [CORRECTION]
    if categories:
        facts["tag"] = categories[0]
    if meta.last:
        facts.update(_seen(meta.last))
    return facts


def _seen(day: date) -> "Facts":
    """A number such as 20260314, since Chroma compares only numbers."""
    return {"last_seen": int(f"{day:%Y%m%d}")}
