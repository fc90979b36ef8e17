"""The vectors of a memory's texts: updates them with the index, and compares them with a
question.
"""

import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from clawgit.domain.facts.confidence import CORRECTION, confidence
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.statuses import ACTIVE, CORRECTED, STATUSES
from clawgit.domain.markdown.tag_table import TAGS
from clawgit.domain.markdown.tags import tags_in
from clawgit.doors import json
from clawgit.doors import numpy as np
from clawgit.errors import ClawgitError
from clawgit.ops.search.embedder_choice import choose
from clawgit.ops.search.old_values import old_values
from clawgit.ops.search.vector_search import (
    CHROMA_FROM,
    Cosines,
    Nearest,
    VectorSide,
    by_words,
    vectors_in,
    with_hint,
)
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.chroma import ChromaError, Family
from clawgit.stores.embed.contract import Embedder
from clawgit.stores.index.reading import IndexReader
from clawgit.stores.nearness import Items, Middle, Sampled, Scan
from clawgit.stores.vector_files import mark_unfinished
from clawgit.stores.vectors import TornVectorsError, VectorFile, fill

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clawgit.stores.chroma import Facts, Record

_AT_ONCE = 200
"""How many texts a search embeds, where somebody waits: a second of our model. `memory index` does
the rest.
"""

_ASKED = 300
"""How many texts Chroma is asked for. More than are shown, since some may be outdated."""

_MARK = 8
"""Hex digits of a record's id that tell its facts."""

_PAGE = 1000
"""How many texts are read from the index at once."""


class Meaning:
    """The vectors of one workspace, open across questions.

    Any failure raises a ClawgitError, and then words alone answer, as they do until each text has a
    vector. `is_indexed`: `memory index` embeds these texts, as it does not those of the past or of
    an archive.
    """

    def __init__(
        self,
        workspace: Workspace,
        embedder: Embedder,
        owner: Nearest | None = None,
        *,
        is_indexed: bool = True,
    ) -> None:
        self._workspace, self.embedder, self._owner = workspace, embedder, owner
        self._is_indexed = is_indexed
        self._file: VectorFile | None = None
        self._items: Items | None = None
        self._middle: Middle | None = None
        self._seen: tuple[str, int] = ("", 0)
        self._missing: list[int] = []

    def follow(
        self,
        index: IndexReader,
        progress: Callable[[int], None] | None = None,
        *,
        everything: bool = False,
        mending: bool = False,
    ) -> int:
        """Embeds what is new in the index; returns how many texts are left for `memory index`.

        With `mending`, damaged vectors are made again.
        """
        moment = index.generation, index.moment
        if self._file is None or self._items is None or self._seen != moment:
            horizon = index.horizon(self._workspace.today, self._workspace.config.settings)
            self._items, self._seen = Items(index.live(horizon)), moment
            self._file, self._middle = self._opened(index.generation), None
            if mending:
                self._file.mend()
            self._missing = self._file.missing(self._items.texts)
        if not self._missing:
            return 0
        self._middle = None
        limit = None if everything else _AT_ONCE
        fill(self.embedder, self._file, index.texts(self._missing), progress=progress, limit=limit)
        self._missing = self._file.missing(self._items.texts)
        return len(set(self._missing))

    def hold(self, index: IndexReader, ids: Sequence[int]) -> int:
        """Embeds these texts, whether or not a file holds them yet; returns how many are left."""
        file, wanted = self._opened(index.generation), np.array(ids, np.int32)
        if missing := file.missing(wanted):
            fill(self.embedder, file, index.texts(missing), limit=_AT_ONCE)
        return len(file.missing(wanted))

    def side(self, index: IndexReader, question: str) -> VectorSide:
        """What a question is near to. If that fails, words alone answer, and the note says why."""
        embedder = self.embedder
        try:
            if not embedder.knows(question):
                return VectorSide(note=by_words("search by meaning does not know this script"))
            if left := self.follow(index):
                return VectorSide(note=self._unfinished(left))
            cosines, note = self._compared(index, embedder.embed([question], query=True)[0])
        except ClawgitError as error:
            return VectorSide(note=by_words(with_hint(error)))
        return VectorSide(cosines, note, embedder.provider, embedder.model)

    def _unfinished(self, left: int) -> str:
        """What is said while texts are left; the next round of the runner embeds them."""
        rest = f"{left} texts have no vector yet"
        if self._is_indexed:
            mark_unfinished(vectors_in(self._workspace))
            rest += ": clawgit memory index"
        return by_words(rest)

    def _compared(self, index: IndexReader, vector: "NDArray[np.float32]") -> tuple[Cosines, str]:
        try:
            return self._cosines(index, vector)
        except TornVectorsError:
            # Another process was cut off while it wrote; its damaged vectors are made again, once.
            self._seen = "", 0
            self.follow(index, mending=True)
            return self._cosines(index, vector)

    def _cosines(self, index: IndexReader, vector: "NDArray[np.float32]") -> tuple[Cosines, str]:
        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        if self._middle is None:
            self._middle = Middle(self._items, self._file)
        exact = partial(Scan, self._items, self._file, self._middle, vector)
        if not self._asks_chroma(len(self._items.ids)):
            return exact(), ""
        try:
            return self._from_owner(index, self._middle, vector), ""
        except ClawgitError as error:
            return exact(), f"exact scan: {with_hint(error)}"

    def shrink(self, index: IndexReader, spared: Iterable[bytes] = ()) -> int:
        """Deletes the vectors of texts that are gone or expired; returns how many went.

        Vectors whose keys are `spared` stay.
        """
        self.follow(index)
        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        held = (
            key
            for page in _pages(np.unique(self._items.texts).tolist())
            for _, key, _ in index.texts(page)
        )
        gone = self._file.keep([*held, *spared])
        self._seen = "", 0
        self.follow(index)
        return gone

    @property
    def family(self) -> Family:
        """What distinguishes the vectors of one model from those of others."""
        return Family(self.embedder.provider, self.embedder.model, self.embedder.dimensions)

    @property
    def count(self) -> int:
        """How many vectors are stored, those of past texts included."""
        return self._file.count if self._file else 0

    def records(self, index: IndexReader) -> "Iterator[Record]":
        """What Chroma holds: each text in the index that has a vector, and recently corrected ones.

        The id is the hash of the text and of its facts. So after a mention or a correction a text
        has another record, and a filling replaces the old one.
        """
        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        facts = self._facts(index, self._items)
        for page in _pages(list(facts)):
            lacking = {*self._file.missing(np.array(page, np.int32))}
            keys = {ident: key for ident, key, _ in index.texts(page) if ident not in lacking}
            vectors = self._file.vectors_of(np.array([*keys], np.int32))
            for (ident, key), vector in zip(keys.items(), vectors, strict=True):
                own = facts[ident]
                mark = hashlib.sha256(json.dumps(own).encode()).hexdigest()[:_MARK]
                yield f"{key.hex()}{mark}", vector, own

    def _facts(self, index: IndexReader, items: Items) -> dict[int, "Facts"]:
        """What is known of each text, under the names by which a collection is queried.

        For a text in several entries, the one with the highest confidence counts.
        """
        found: dict[int, Facts] = {text: {"status": ""} for text in items.distinct.tolist()}
        surest: dict[int, float] = {}
        settings, today = self._workspace.config.settings, self._workspace.today
        compared = dict(zip(items.ids.tolist(), items.texts.tolist(), strict=True))
        for page in _pages([*compared]):
            for row in index.rows(page):
                # An entry whose vector was dropped has an item, but no text to compare.
                text = compared[row.id]
                if row.meta is None or text not in found:
                    continue
                sure = confidence(row.meta, settings, today)
                if sure >= surest.get(text, 0.0):
                    surest[text] = sure
                    found[text] = _facts_of(row.meta, tags_in(row.text), sure)
        olds = {old.key: old.since for old in old_values(self._workspace)}
        for key, ident in index.text_ids(olds).items():
            over: Facts = {"status": CORRECTED, "confidence": 0.0, "mention_count": 1}
            found.setdefault(ident, {**over, **_seen(olds[key])})
        return found

    def _opened(self, generation: str) -> VectorFile:
        folder, embedder = vectors_in(self._workspace), self.embedder
        return VectorFile(
            folder, embedder.provider, embedder.model, embedder.dimensions, generation
        )

    def _asks_chroma(self, items: int) -> bool:
        """Whether to ask Chroma.

        A single search does so only if told: loading Chroma takes longer than the scan.
        """
        if self._workspace.config.settings.chroma == "embedded":
            return True
        return self._owner is not None and self._is_served(items)

    def _is_served(self, items: int) -> bool:
        return items >= CHROMA_FROM or bool(self._workspace.config.settings.chroma_url)

    def _from_owner(
        self, index: IndexReader, middle: Middle, vector: "NDArray[np.float32]"
    ) -> Cosines:
        assert self._file is not None  # noqa: S101 - `follow` came before
        assert self._items is not None  # noqa: S101
        if self._owner is None:
            raise ChromaError("Only the service opens Chroma.", hint="clawgit run --serve")
        similar = [
            (bytes.fromhex(name[:-_MARK]), cosine)
            for name, cosine in self._owner.similar(vector, _ASKED)
        ]
        ids = index.text_ids(key for key, _ in similar)
        near = [(ids[key], cosine) for key, cosine in similar if key in ids]
        return Sampled(self._items, self._file, middle, vector, near)


def opener(
    workspace: Workspace, owner: Nearest | None
) -> tuple[Callable[[bool], Meaning] | None, str]:
    """What opens the vectors for a search, of texts that `memory index` embeds or of others; None
    if it cannot be, and why.
    """
    choice = choose(workspace, hurried=True)
    if choice.embedder is None:
        return None, by_words(choice.reason) if choice.reason else ""
    embedder = choice.embedder
    return lambda indexed: Meaning(workspace, embedder, owner, is_indexed=indexed), ""


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


def _pages(ids: list[int]) -> Iterator[list[int]]:
    return (ids[at : at + _PAGE] for at in range(0, len(ids), _PAGE))
