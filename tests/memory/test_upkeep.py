"""Promotion and tidying on a real workspace: one commit each, taken back by undo, found by the
search."""

from datetime import UTC, datetime, timedelta

import pytest

from clawgit.history.undo import undo
from clawgit.memory.upkeep import PromotionWish, promote, review_section, tidy_notebook
from clawgit.search.search import Request, search
from clawgit.search.stores.access import Showing, record
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import Make, workspace_of

NOW = datetime(2026, 2, 20, 18, tzinfo=UTC)
NOTE, OLD = "memory/2026-02-19.md", "memory/2025-12-01.md"
DECIDED = "We decided to print the zeppelin catalogue in Graz."
DAY = (
    f"# 2026-02-19\n\n- {DECIDED}\n- Rain, mostly.\n- Decision: do we sell the zeppelin contract?\n"
)
PLAIN = "The blue pot stands left of the zeppelin door."


@pytest.fixture
def made(git: Git) -> Make:
    return lambda files: workspace_of(git, files, NOW)


def found(space: Workspace, query: str) -> list[str]:
    return [hit.path for hit in search(space, Request(query)).results]


def test_frequency_finds_what_was_asked_for_in_several_sessions_however_old(made: Make) -> None:
    space = made({OLD: f"# 2025-12-01\n\n- {PLAIN}\n- {DECIDED}\n"})
    [key] = {hit.entryId for hit in search(space, Request(PLAIN)).results if PLAIN in hit.snippet}
    with space.state(NOW) as state:
        hit = {"path": OLD, "entryId": key, "snippet": PLAIN}
        for number, session in enumerate(("a", "b", "b")):
            shown = Showing(f"pot {number}", session, [hit])
            record(state, [shown], NOW - timedelta(days=number))
    [one] = promote(space.dry(), PromotionWish(frequency=True)).candidates
    assert (one.text, one.category, one.hits, one.sessions) == (PLAIN, "frequent", 3, 2)


def test_the_weekly_review_tells_each_candidate_with_its_place(made: Make) -> None:
    space = made({NOTE: DAY})
    [section] = review_section(space)
    [candidate] = promote(space.dry()).candidates
    assert section.lines == (f"[decision {candidate.confidence:.2f}] {DECIDED} ({NOTE}:3)",)


def test_tidying_is_one_commit_whose_lines_the_search_finds_and_undo_brings_back(
    made: Make, git: Git
) -> None:
    facts = "".join(f"- Billing fact {number} on zeppelins.\n" for number in range(230))
    notebook = f"# Memory\n\n## Billing\n\n{facts}"
    space = made({"MEMORY.md": notebook})
    preview = tidy_notebook(space.dry())
    assert preview.before.lines == 234
    assert (preview.after.lines <= 200, preview.change.commit) == (True, None)
    done = tidy_notebook(space)
    assert done.change.commit == git.head()
    assert done.change.changed == ("MEMORY.md", "memory/billing.md")
    assert git.status() == ""
    link = "- Billing → memory/billing.md\n"
    assert link in (git.root / "MEMORY.md").read_text()
    assert "memory/billing.md" in found(space, "Billing fact 3 on zeppelins")
    assert tidy_notebook(space).change.commit is None
    undo(space)
    assert (git.root / "MEMORY.md").read_text() == notebook
