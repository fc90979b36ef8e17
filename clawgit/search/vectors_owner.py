"""Owns a Chroma: fills it in its own thread with the vectors of a memory, and with what other
programs can ask them by; and answers from it while it is current.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date
from importlib.util import find_spec
from platform import node
from threading import Event, Thread
from typing import TYPE_CHECKING

from clawgit.core.doors import json
from clawgit.core.errors import ClawgitError, StorageError
from clawgit.core.markdown.comment import ACTIVE, CORRECTED, STATUSES, Meta
from clawgit.core.markdown.entry import entries, holds_entries
from clawgit.core.markdown.tag_table import PRIMARY, tags_in
from clawgit.git.rules.ids import digest
from clawgit.memory.rules.confidence import CORRECTION, confidence, old_value_aging
from clawgit.safety.correction_files import logs
from clawgit.search.embed import Embedder
from clawgit.search.index.index import Index
from clawgit.search.index.live import index_state, live_index
from clawgit.search.meaning import CHROMA_FROM, Meaning, choose
from clawgit.search.rules.row import key_of, passage
from clawgit.search.stores.chroma import Chroma, ChromaError, Embedded, served
from clawgit.search.stores.vectors import name_of
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, all_corrections, replaced_text
from clawgit.workspace.reach import memory_paths
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.stores.chroma import Facts, Record, Vector


_SETTLE = 5.0
"""Seconds after an edit before Chroma is filled again, since edits come in a row; until then the
exact scan answers.
"""

_PAUSE = 60.0
"""Seconds until a failed filling is tried again."""

_PATIENCE = 30.0
_FILLING = "Chroma is being filled."


def open_shelf(workspace: Workspace, embedder: Embedder) -> Chroma:
    """The server that the setting `chroma` names, else the embedded Chroma.

    Only one process can open the embedded one. Two clones that share a server are kept apart, since
    each deletes what it does not want.
    """
    place, url = workspace.place, workspace.settings.chroma_url
    name = f"clawgit-{name_of(embedder.provider, embedder.model, embedder.dimensions)}"
    if url:
        space = digest(f"{node()}:{place.common_dir}")[:12]
        return served(url, f"{name}-{space}", workspace.env)
    return Embedded(place.shared / "chroma", name)


def owner_of(workspace: Workspace) -> "VectorsOwner | None":
    """A Chroma that is filled in the background; None if neither the settings nor the size of the
    memory ask for one.
    """
    is_large = find_spec("chromadb") and index_state(workspace).items >= CHROMA_FROM
    embedder = choose(workspace).embedder
    if embedder is None or not (workspace.settings.chroma or is_large):
        return None
    return VectorsOwner(
        lambda: open_shelf(workspace, embedder), lambda: _records(workspace, embedder), _SETTLE
    )


def _records(workspace: Workspace, embedder: Embedder) -> "Iterator[Record]":
    """A generator, so that the index is opened in the thread that fills, as SQLite demands."""
    with live_index(workspace) as index:
        index.refresh()
        meaning = Meaning(workspace, embedder)
        meaning.follow(index)
        yield from records(workspace, meaning, index)


class VectorsOwner:
    """Keeps a Chroma filled, until `close`. `trouble` says why it cannot be asked."""

    def __init__(
        self,
        open_one: Callable[[], Chroma],
        wanted: "Callable[[], Iterable[Record]]",
        settle: float = 0,
    ) -> None:
        self._open, self._wanted, self._settle = open_one, wanted, settle
        self._woken, self._closing = Event(), Event()
        self._shelf: Chroma | None = None
        self.trouble = _FILLING
        self._thread = Thread(target=self._follow, name="vectors", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """The memory may have changed: the exact scan answers, until Chroma is current again."""
        self._woken.set()
        self.trouble = self.trouble or _FILLING

    def similar(self, vector: "Vector", n: int) -> list[str]:
        """The nearest by cosine, complete and current; else raises a `ChromaError` that says
        why.
        """
        if self._shelf is None or self.trouble:
            raise ChromaError(self.trouble, hint="clawgit doctor")
        try:
            return self._shelf.similar(vector, n)
        except ChromaError:
            self.wake()
            raise

    def close(self) -> None:
        """Saves what is filled so far, if that takes no longer than half a minute."""
        self._closing.set()
        self._woken.set()
        self._thread.join(_PATIENCE)

    def _follow(self) -> None:
        while not self._closing.wait(self._settle):
            self._woken.clear()
            try:
                self._shelf = self._shelf or self._open()
                self._shelf.fill(self._until_closed)
                self.trouble = ""
            except ClawgitError as error:
                self.trouble = error.message
            except BaseException as error:
                self.trouble = f"Chroma is not filled: {error!r}"
                raise
            if self._woken.is_set():  # what was filled is outdated already
                self.trouble = self.trouble or _FILLING
            self._woken.wait(_PAUSE if self.trouble else None)
        if self._shelf:
            self._shelf.close()

    def _until_closed(self) -> "Iterator[Record]":
        for record in self._wanted():
            if self._closing.is_set():
                raise StorageError("The service ends.")
            yield record


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
                mark = digest(json.dumps(facts[key]))[:_MARK]
                yield f"{key.hex()}{mark}", vector, facts[key]


def _facts(workspace: Workspace, meaning: Meaning, index: Index) -> "dict[bytes, Facts]":
    """What is known of each text, under the names by which a collection is queried.

    For a text in several entries, the one with the highest confidence counts.
    """
    keys = meaning.keys(index)
    found: dict[bytes, Facts] = {key: {"status": ""} for key in keys.values()}
    surest: dict[bytes, float] = {}
    ids, settings = [*keys], workspace.settings
    for start in range(0, len(ids), _PAGE):
        for row in index.rows(ids[start : start + _PAGE]):
            key = keys[row.id]
            sure = confidence(row.meta, settings, workspace.today) if row.meta else -1.0
            if row.meta and sure >= surest.get(key, 0.0):
                surest[key] = sure
                found[key] = _facts_of(row.meta, tags_in(row.text), sure)
    for key, since in old_values(workspace):
        over: Facts = {"status": CORRECTED, "confidence": 0.0, "mention_count": 1}
        found.setdefault(key, {**over, **_seen(since)})
    return found


def _facts_of(meta: Meta, tags: Container[str], sure: float) -> "Facts":
    """The facts of an entry: `tag` is its category, or `correction` if it was corrected."""
    facts: dict[str, str | int | float] = {
        "status": meta.status if meta.status in STATUSES else ACTIVE,
        "confidence": round(sure, 4),
        "mention_count": meta.n,
    }
    categories = [*filter(tags.__contains__, PRIMARY)]
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


def old_values(workspace: Workspace) -> Iterator[tuple[bytes, date]]:
    """What corrected entries said before, during their grace period: the key of each text, and the
    day of its correction.

    The vectors stay as long, so that an undo need not embed the texts again.
    """
    known = {each.evidence: each for each in all_corrections(logs(workspace)) if each.binds}
    for path in filter(holds_entries, memory_paths(workspace)):
        text = workspace.glance(path)
        # Most files have no corrected entry, so they are not parsed.
        if CORRECTIONS in text:
            yield from _old_values_in(workspace, text, known)


def _old_values_in(
    workspace: Workspace, text: str, known: Mapping[str, Correction]
) -> Iterator[tuple[bytes, date]]:
    for entry in entries(text):
        aging = old_value_aging(entry.facts)
        if not aging or aging.last_day(workspace.settings) < workspace.today:
            continue
        evidence = entry.facts.evidence
        if old := replaced_text(evidence, known):
            for said in (old, f"{old} #{entry.primary}"):
                yield key_of(passage(said, entry.under)), aging.since
