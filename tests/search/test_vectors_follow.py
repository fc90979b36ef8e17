"""The vectors follow the index of a workspace, and say what is near to a question."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from clawgit.search import meaning
from clawgit.search.embed import Rows
from clawgit.search.index.live import LiveIndex, live_index
from clawgit.search.meaning import Meaning, Nearest, choose
from clawgit.search.side import Side, vectors_in
from clawgit.search.stores.chroma import ChromaError
from clawgit.search.stores.models import ModelError
from clawgit.search.stores.vectors import Vectors
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import space_of

ASKED = "which datastore keeps the invoices"


@pytest.fixture
def space(memory: Git) -> Workspace:
    return space_of(memory, CLAWGIT_SEARCH_MODE="enhanced")


@pytest.fixture
def live(space: Workspace) -> Iterator[LiveIndex]:
    with live_index(space) as made:
        made.refresh()
        yield made


def meaning_of(space: Workspace, owner: Nearest | None = None) -> Meaning:
    embedder = choose(space).embedder
    assert embedder is not None
    return Meaning(space, embedder, owner)


def told(side: Side, count: int = 3) -> tuple[str, list[int], dict[int, float]]:
    nearest = side.nearest(count)
    return side.note, nearest, side.of(nearest)


def test_what_changes_is_embedded_with_the_next_question_and_nothing_else(
    memory: Git, space: Workspace
) -> None:
    told = list[str]()
    each = meaning_of(space)
    embed = each.embedder.embed

    def counted(texts: Sequence[str], *, query: bool = False) -> Rows:
        told.extend([] if query else texts)
        return embed(texts, query=query)

    each.embedder.embed = counted  # type: ignore[method-assign]
    with live_index(space) as live:
        live.refresh()
        each.side(live, ASKED)
        before = len(told)
        memory.write("notes.md", "- The invoices are on paper.\n")
        live.refresh()
        side = each.side(live, ASKED)
        assert [row.text for row in live.rows(side.nearest(1))] == ["The invoices are on paper."]
    assert (before > 0, len(told)) == (True, before + 1)


def test_what_was_embedded_before_a_failure_is_kept(
    space: Workspace, live: LiveIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "_BATCH", 2)
    each, told = meaning_of(space), list[str]()
    embed = each.embedder.embed

    def failing(texts: Sequence[str], *, query: bool = False) -> Rows:
        if len(told) == 2:
            told.append("")
            raise ModelError("It went away.")
        told.extend(texts)
        return embed(texts, query=query)

    each.embedder.embed = failing  # type: ignore[method-assign]
    with pytest.raises(ModelError):
        each.follow(live)
    assert (each.follow(live), each.vectors.count) == (0, len(told) - 1)
    assert len({*told}) == len(told)


def test_vectors_that_were_spoilt_are_made_anew(space: Workspace, live: LiveIndex) -> None:
    before = told(meaning_of(space).side(live, ASKED))
    [file] = vectors_in(space).glob("*.vectors")
    content = file.read_bytes()
    for spoilt in (b"\xff" * len(content), content[:16] + b"\xff" * (len(content) - 16), b""):
        file.write_bytes(spoilt)
        space.close()
        assert told(meaning_of(space).side(live, ASKED)) == before
    assert before[0] == ""


class _Owner:
    """Whoever has Chroma open: here one that knows the nearest of what it was given."""

    def __init__(self, answer: Callable[["Rows"], list[str]]) -> None:
        self._answer = answer

    def similar(self, vector: Rows, n: int) -> list[str]:
        return self._answer(vector)[:n]

    def wake(self) -> None:
        """Nothing is filled here."""


def test_chroma_that_is_not_ready_is_named_and_the_exact_scan_answers(
    space: Workspace, live: LiveIndex
) -> None:
    def filling(_vector: Rows) -> list[str]:
        raise ChromaError("Chroma is being filled.")

    _, *exact = told(meaning_of(space).side(live, ASKED))
    note, *found = told(meaning_of(space, _Owner(filling)).side(live, ASKED))
    assert found == exact
    assert note.startswith("exact scan: Chroma is being filled")


def test_what_is_gone_is_dropped_but_for_what_is_spared(memory: Git, space: Workspace) -> None:
    memory.write("notes.md", "- The boat is red.\n- The boat is blue.\n")
    each = meaning_of(space)
    with live_index(space) as live:
        live.refresh()
        keys = {
            row.text: each.keys(live)[row.id]
            for row in live.rows(live.every_file()["notes.md"].ids)
        }
        memory.write("notes.md", "- The boat is green.\n")
        live.refresh()
        assert each.shrink(live, [keys["The boat is red."]]) == 1
    kept = Vectors(vectors_in(space), each.embedder.provider, each.embedder.model, 384)
    assert [row >= 0 for row in kept.rows(b"".join(keys.values()))] == [True, False]
