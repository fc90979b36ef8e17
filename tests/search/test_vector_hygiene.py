"""After vector hygiene a vector is gone from every place, a rebuild agrees, and the words are found
as before."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from clawgit.agents.frame.agents import run_agent
from clawgit.git.rules.actors import OPERATOR
from clawgit.health.memory_index import index
from clawgit.memory.rules.confidence import roomy_from
from clawgit.search.embed import MODELS
from clawgit.search.index import index as index_module
from clawgit.search.index.live import live_index
from clawgit.search.meaning import Meaning, choose
from clawgit.search.rules.row import key_of, parts
from clawgit.search.search import Request, search
from clawgit.search.stores.vectors import kept
from clawgit.search.vectors_owner import records
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context, whole
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import space_of

NOW = datetime(2026, 3, 15, 3, 30, tzinfo=UTC)
STALE = "The physician prescribed new glasses. #knowledge"
CAT = "The cat sleeps on the piano."
MEMORY = """# Memory

What is true:

- The physician prescribed new glasses. #knowledge <!-- claw:abc234 conf=0.60 n=1 last=2026-01-20 src=inferred -->
- Billing uses PostgreSQL. #decision <!-- claw:def567 conf=0.95 n=2 last=2026-01-20 src=explicit -->
- The office is in Berlin. #correction <!-- claw:kmn789 last=2026-03-10 ev=CORRECTIONS.md#moved1 -->
"""

At = Callable[[int], Workspace]
Room = Callable[[int], None]


@pytest.fixture(autouse=True)
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    """How many old entries keep their vectors: none, until a test says more."""

    def made(entries: int) -> None:
        monkeypatch.setattr(roomy_from, "__defaults__", (entries,))
        monkeypatch.setattr(index_module, "ROOM", entries)

    made(0)
    return made


@pytest.fixture
def at(git: Git) -> At:
    """The workspace so many days after the beginning of the test."""
    git.write("MEMORY.md", MEMORY.replace("Berlin. #correction", "Paris."))
    git.write(
        "CORRECTIONS.md",
        "## moved1 · 2026-03-10T09:00:00+00:00\n\n- Correct: The office is in Berlin.\n"
        "- Was: kmn789 The office is in Paris.\n- Status: confirmed\n",
    )
    git.write("SOUL.md", "# Soul\n\n- Be kind.\n")
    git.commit_all("start")

    def made(days: int) -> Workspace:
        return space_of(git, OPERATOR, NOW + timedelta(days=days), CLAWGIT_SEARCH_MODE="enhanced")

    index(made(0))
    git.commit_file("MEMORY.md", MEMORY, "corrected")
    index(made(0))
    return made


def _hygiene(space: Workspace) -> tuple[str | None, tuple[str, ...]]:
    done = run_agent(space, "vector-hygiene", clock=lambda: space.now)
    return done.change.commit, done.notes


def _vectors(space: Workspace) -> int:
    embedder = space.config.settings.embedder
    return kept(space.place.shared / "vectors", embedder, MODELS[embedder])


def _wanted(space: Workspace) -> set[str]:
    """What a Chroma is filled with."""
    embedder = choose(space).embedder
    assert embedder is not None
    with live_index(space) as live:
        live.refresh()
        meaning = Meaning(space, embedder)
        names = {name[:-8] for name, *_ in records(space, meaning, live)}
        texts = live.passages([ident for ident in range(1, 100) if live.rows([ident])])
        return {parts(text)[0] for text in texts if key_of(text).hex() in names}


def _first(space: Workspace, query: str) -> tuple[str, object]:
    hit = search(space, Request(query, explain=True, min_score=0.01)).results[0]
    return hit.entryId, (hit.explain or {})["meaning"]


def test_embeddings_corrected_more_than_seven_days_ago_are_pruned(at: At) -> None:
    before = _vectors(at(0))
    told = run_agent(at(0), "vector-hygiene", clock=lambda: at(0).now).skipped
    assert any("kmn789 before it was corrected" in one.what for one in told)
    assert _hygiene(at(0)) == (None, ()), "the grace of the old value lasts"
    assert _vectors(at(0)) == before
    assert _hygiene(at(3)) == (None, ("The index removed 1 vector.",))
    assert _vectors(at(3)) == before - 1
    assert _hygiene(at(3)) == (None, ())


def test_one_past_its_staleness_is_flagged_then_gone_everywhere_and_its_words_stay(
    at: At, git: Git
) -> None:
    assert STALE in _wanted(at(13))
    flagged = run_agent(at(13), "vector-hygiene", clock=lambda: at(13).now).skipped
    assert any("abc234" in one.what and "2026-03-28" in one.why for one in flagged)
    count = _vectors(at(13))
    assert _hygiene(at(14)) == (None, ("The index removed 1 vector.",))
    assert (_vectors(at(14)), STALE in _wanted(at(14))) == (count - 1, False)
    assert STALE in (git.root / "MEMORY.md").read_text()
    assert _first(at(14), "glasses") == ("abc234", 0.0)
    assert _first(at(14), "PostgreSQL")[0] == "def567"


def test_where_there_is_room_an_old_note_is_found_by_its_meaning(
    at: At, git: Git, room: Room
) -> None:
    git.write("memory/2026-01-21.md", f"- {CAT} <!-- claw:zzz222 n=1 last=2026-01-21 -->\n")
    room(2)
    space, asked = at(400), "On which instrument does the kitten take its nap?"
    _hygiene(space)
    assert {STALE, CAT} <= _wanted(space)
    assert search(space, Request(asked)).results[0].entryId == "zzz222"
    assert CAT in whole(context(space, ContextRequest(asked)))
    index(space, force=True)
    assert {STALE, CAT} <= _wanted(space)


def test_a_mention_brings_the_vector_back(at: At, git: Git) -> None:
    _hygiene(at(14))
    git.write("MEMORY.md", MEMORY.replace("n=1 last=2026-01-20", "n=2 last=2026-03-29"))
    entry, cosine = _first(at(14), "spectacles from my doctor")
    assert (entry, isinstance(cosine, float) and cosine != 0) == ("abc234", True)


@pytest.mark.slow
def test_chroma_holds_no_vector_that_is_over(at: At) -> None:
    space = at(14)
    env = {**space.caller.env, "CLAWGIT_CHROMA": "embedded"}
    space = Workspace(space.place, space.caller._replace(env=env))
    old = space.at(NOW)
    before = index(old).chroma or 0
    _hygiene(space)
    # The stale one, and what the corrected entry said before: its grace is over.
    assert before - 2 == index(space).chroma
