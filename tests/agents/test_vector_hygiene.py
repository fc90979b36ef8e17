"""Spec 5.5.3: what of the vectors goes is logged once, and no text is touched."""

from datetime import UTC, datetime

import pytest

from clawgit.agents.contract import ChangeSet, Snapshot
from clawgit.agents.vector_hygiene import propose
from clawgit.config.settings import Settings
from clawgit.domain.facts import vector_life

NOW = datetime(2026, 3, 15, 3, 30, tzinfo=UTC)
STALE = (
    "- Maybe tea, from Ana #knowledge <!-- claw:abc234 conf=0.60 n=1 last=2026-01-01 "
    "src=inferred ev=chat:x/1 -->\n"
)
FLAGGED = "- Likes jazz <!-- claw:fgh456 conf=0.60 n=1 last=2026-01-10 src=inferred -->\n"
RIGHT = (
    "- Office is in Berlin #correction"
    " <!-- claw:kmn789 conf=1.00 n=1 last=2026-03-01 src=correction ev=CORRECTIONS.md#moved1 -->\n"
)
MOVED = (
    "## moved1 · 2026-03-01T09:00:00+00:00\n\n- Correct: Office is in Berlin\n"
    "- Was: kmn789 Office is in Paris\n- Status: confirmed\n"
)


def shown(**files: str) -> Snapshot:
    paths = {"memory": "MEMORY.md", "log": "COMPACTION_LOG.md", "day": "memory/2026-03-14.md"}
    return Snapshot(
        NOW,
        Settings(),
        {"CORRECTIONS.md": MOVED, **{paths[name]: text for name, text in files.items()}},
        "4f2c1a9e31d07bc4",
        "r1",
    )


def logged(done: ChangeSet) -> str:
    [edit] = done.steps[0].edits
    assert edit.path == "COMPACTION_LOG.md"
    return edit.after or ""


def test_what_is_gone_is_logged_and_what_will_go_is_named() -> None:
    done = propose(shown(memory=STALE + FLAGGED + RIGHT + "- By hand\n"))
    assert logged(done).partition("\n\n- ")[2] == (
        "vector abc234@2026-01-01 “Maybe tea, from Ana #knowledge”, from MEMORY.md: mentioned "
        "once, and not"
        " for 60 days and 7 more; whole in 4f2c1a9e31d0\n"
        "- vector was:kmn789@2026-03-01 “Office is in Paris”, from MEMORY.md: corrected more"
        " than 7 days ago; whole in 4f2c1a9e31d0\n"
    )
    [flagged] = done.skipped
    assert flagged.what == "vector fgh456@2026-01-10 “Likes jazz”, in MEMORY.md"
    assert flagged.why == "flagged: kept up to 2026-03-18, unless it is mentioned again"
    assert done.steps[0].proposed[0].evidence == ("MEMORY.md",)


@pytest.fixture(autouse=True)
def _no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_life.roomy_from, "__defaults__", (0,))


def test_age_alone_takes_no_vector_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_life.roomy_from, "__defaults__", (vector_life.ROOM,))
    full = shown(memory=STALE + STALE.replace("abc234", "def567").replace("01-01", "01-02"))
    assert propose(full) == ChangeSet()
    monkeypatch.setattr(vector_life.roomy_from, "__defaults__", (1,))
    done = propose(full)
    assert "vector abc234@2026-01-01 “" in logged(done), "the one that was silent longest"
    assert "def567" not in logged(done)


def test_what_was_mentioned_again_and_forgotten_again_is_logged_again() -> None:
    log = logged(propose(shown(memory=STALE)))
    again = propose(shown(memory=STALE.replace("2026-01-01", "2026-01-02"), log=log))
    assert logged(again).count("abc234") == 2


def test_only_entries_are_looked_at() -> None:
    assert (
        propose(shown(day="Maybe tea <!-- claw:abc234 n=1 last=2026-01-01 -->\n", log=STALE))
        == ChangeSet()
    )
