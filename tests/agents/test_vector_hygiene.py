"""Spec 5.5.3: a vector that goes soon is named, and no text is touched."""

from datetime import UTC, datetime

import pytest

from clawgit.agents.contract import ChangeSet, Snapshot
from clawgit.agents.vector_hygiene import propose
from clawgit.core.config.settings import Settings
from clawgit.memory.rules import confidence as vector_life

NOW = datetime(2026, 3, 15, 3, 30, tzinfo=UTC)
STALE = "- Likes tea <!-- claw:abc234 conf=0.60 n=1 last=2026-01-01 src=inferred -->\n"
FLAGGED = "- Likes jazz <!-- claw:fgh456 conf=0.60 n=1 last=2026-01-10 src=inferred -->\n"
RIGHT = (
    "- Office is in Berlin #correction"
    " <!-- claw:kmn789 conf=1.00 n=1 last=2026-03-10 src=correction ev=CORRECTIONS.md#moved1 -->\n"
)
MOVED = (
    "## moved1 · 2026-03-10T09:00:00+00:00\n\n- Correct: Office is in Berlin\n"
    "- Was: kmn789 Office is in Paris\n- Status: confirmed\n"
)


def proposed(memory: str) -> ChangeSet:
    files = {"CORRECTIONS.md": MOVED, "MEMORY.md": memory}
    return propose(Snapshot(NOW, Settings(), files, "4f2c1a9e31d07bc4", "r1"))


def test_what_will_go_is_named_and_no_file_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_life.roomy_from, "__defaults__", (0,))
    done = proposed(STALE + FLAGGED + RIGHT + "- By hand\n")
    assert [*done.skipped] == [
        ("MEMORY.md#fgh456 “Likes jazz”", "flagged: its vector is kept up to 2026-03-18"),
        (
            "MEMORY.md#kmn789 before it was corrected: “Office is in Paris”",
            "flagged: its vector is kept up to 2026-03-17",
        ),
    ]
    assert done.steps == ()


def test_age_alone_takes_no_vector_where_there_is_room() -> None:
    assert proposed(STALE + FLAGGED) == ChangeSet()
