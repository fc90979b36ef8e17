"""The organizer on a real workspace: one commit, one hit for a fact and its line, an archive that
stays found."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawgit.agents.frame.agents import run_agent
from clawgit.agents.frame.corrections import add
from clawgit.core.errors import UsageError
from clawgit.core.markdown.comment import SUPERSEDED
from clawgit.core.markdown.entry import entries
from clawgit.git.rules.actors import AGENT, OPERATOR
from clawgit.memory.remember import NewFact, remember
from clawgit.memory.rules.conflict_log import conflicts
from clawgit.memory.rules.lessons import lessons_in
from clawgit.search.search import Hit, Request, search
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import space_of
from tests.talk.stores.transcripts.states import header, index, write

NOW = datetime(2026, 3, 10, 4, 30, tzinfo=UTC)
NOTE = "memory/2026-03-01.md"
DAY = (
    "# 2026-03-01\n\n- [ ] Renew the zeppelin certificate\n- The nas has the address 10.0.0.7 "
    "#knowledge\n"
)

Open = Callable[..., Workspace]


@pytest.fixture
def here(git: Git) -> Open:
    git.write("MEMORY.md", "# Memory\n\n- Tea\n")
    git.write(NOTE, DAY)
    git.commit_all("start")

    def opened(days: int = 0) -> Workspace:
        return space_of(git, OPERATOR, NOW + timedelta(days=days), CLAWGIT_SEARCH_MODE="core")

    return opened


def run(space: Workspace, name: str) -> str | None:
    return run_agent(space, name, clock=lambda: space.now).change.commit


def hits(space: Workspace, query: str, **asked: object) -> tuple[Hit, ...]:
    return search(space, Request(query, min_score=0.1, **asked)).results  # type: ignore[arg-type]


def test_facts_from_note_to_archive(here: Open, git: Git) -> None:
    start = git.head()
    assert run(here(-3), "organizer") == git.head()
    assert git("rev-parse", "HEAD~").strip() == start
    assert run(here(-3), "organizer") is None
    [hit] = hits(here(-3), "zeppelin certificate")
    assert (hit.path, hit.line) == (NOTE, 3)
    [fact] = hits(here(-3), "zeppelin certificate", category="tasks")
    assert fact.path == "memory/structured/tasks.md"
    assert run(here(), "decay-engine") == git.head()
    assert run(here(), "decay-engine") is None
    assert run(here(), "organizer") is None
    git.write(NOTE, "# 2026-03-01\n")
    assert hits(here(), "zeppelin") == ()
    found = {one.path: one.source for one in hits(here(), "zeppelin", archived=True)}
    assert found["Archive/Facts/2026-March.md"] == "expired"


def test_what_the_organizer_repeats_is_put_right_and_flagged_once(here: Open, git: Git) -> None:
    page, facts = "memory/knowledge.md", here().root / "memory/structured/general.md"
    lines = ("The barn opens at 8:00", "The mill closes at 17:00", "The mill closes at 18:00")
    git.write(page, "".join(f"- {line} #knowledge\n" for line in lines))
    run(here(), "organizer")
    assert all(line in facts.read_text() for line in lines)
    add(here(), "The barn opens at 9:00.")
    assert "- The barn opens at 9:00 #knowledge #correction" in (here().root / page).read_text()
    run(here(), "conflict-detector")
    [mill] = (each for each in conflicts((here().root / "CONFLICTS.md").read_text()) if each.open)
    assert "mill" in mill.a.text
    run(here(), "organizer")
    assert "- The barn opens at 9:00 #knowledge" in facts.read_text()
    add(here(), "The barn opens at 9:30.")
    assert "- The barn opens at 9:30 #knowledge #correction" in (here().root / page).read_text()
    run(here(), "organizer")
    barn = {one.text: one.status for one in entries(facts.read_text()) if "barn" in one.text}
    assert [text for text, status in barn.items() if status != SUPERSEDED] == [
        "The barn opens at 9:30 #knowledge"
    ]


def test_of_several_that_a_typed_correction_fits_the_one_put_right_before_is_meant(
    here: Open, git: Git
) -> None:
    lines = ("The key hangs in Oslo #knowledge", "The key hangs in Bergen #knowledge")
    git.write("memory/knowledge.md", "".join(f"- {line}\n" for line in lines))
    for city in ("Turin", "Graz"):
        add(here(), f"The key hangs in {city}.")
    put_right = [one.text for one in entries((here().root / "MEMORY.md").read_text())][1:]
    assert put_right == ["The key hangs in Graz. #knowledge #correction"]


def test_what_repeats_a_note_of_a_day_or_is_named_by_its_id_is_put_right(
    here: Open, git: Git
) -> None:
    page, facts = "memory/knowledge.md", here().root / "memory/structured/general.md"
    git.write(page, "- The barn opens at 8:00 #knowledge\n")
    git.write(NOTE, "- Invoices go to Kira #knowledge\n")
    run(here(), "organizer")
    [barn] = (one for one in entries(facts.read_text()) if "barn" in one.text)
    add(here(), "Invoices go to Bo.")
    assert "- Invoices go to Bo #knowledge #correction" in facts.read_text()
    add(here(), "The barn opens at 9:00.", barn.key)
    assert "- The barn opens at 9:00 #knowledge" in (here().root / page).read_text()


def test_pages_of_entities_are_the_operators(here: Open) -> None:
    page = "memory/entities/nas.md"
    agent = here()
    agent = agent._replace(caller=agent.caller._replace(actor=AGENT))
    with pytest.raises(UsageError, match="by the operator only"):
        remember(agent, NewFact("The nas hums", to=page))
    remember(here(), NewFact("The nas hums", to=page))
    assert (here().root / page).read_text().startswith("# nas\n\nOne page for each")


def test_lessons_come_from_transcripts_once(here: Open, git: Git) -> None:
    state = Path.home() / ".openclaw"
    (state / "agents/main").mkdir(parents=True)
    (state / "openclaw.json").write_text(
        f'{{agents: {{list: [{{id: "main", workspace: "{git.root}"}}]}}}}'
    )
    index(state / "agents/main", s1="agent:main:main")
    refused = "fatal: The current branch has no upstream branch."
    tried = tool("a", None, "git push", refused, code=128)
    worked = tool("b", "ra", "git push -u origin main", "ok")
    write(state / "agents/main", "s1", [header("s1"), *tried, *worked])
    assert run(here(), "lesson-extractor") == git.head()
    [(kept, lesson)] = lessons_in((git.root / "memory/lessons.md").read_text())
    assert lesson.right == "`git push -u origin main`"
    assert kept.facts.evidence == ("chat:s1/ra", "chat:s1/rb")
    assert run(here(), "lesson-extractor") is None


def tool(
    name: str, parent: str | None, command: str, output: str, code: int = 0
) -> list[dict[str, object]]:
    """A call of a tool and its result, as OpenClaw writes them."""
    call = {"type": "toolCall", "id": f"c{name}", "name": "exec", "arguments": {"command": command}}
    said = {"role": "assistant", "content": [call]}
    content = [{"type": "text", "text": output}]
    result = {
        "role": "toolResult", "toolCallId": f"c{name}", "toolName": "exec", "content": content,
        "isError": False,
        "details": {"status": "completed", "exitCode": code}, "timestamp": 1772400000000,
    }  # fmt: skip
    return [
        {"type": "message", "id": f"a{name}", "parentId": parent, "message": said},
        {"type": "message", "id": f"r{name}", "parentId": f"a{name}", "message": result},
    ]


def test_a_smart_search_says_what_it_read_and_gives_up_a_wish_before_it_finds_nothing(
    here: Open, git: Git
) -> None:
    git.write("memory/lessons.md", "# Lessons\n\n- The zeppelin needs a licence\n")
    found = search(here(), Request("what did we learn about the zeppelin", smart=True))
    assert [hit.path for hit in found.results] == ["memory/lessons.md"]
    assert found.intent == {"category": "lessons"}
    assert hits(here(), "what did we learn about the kiln, zeppelin late", smart=True) != ()
    (git.root / "memory/lessons.md").unlink()
    assert search(here(), Request("zeppelin", category="lessons")).results == ()
    with pytest.raises(UsageError, match="'#' is no tag"):
        search(here(), Request("zeppelin", category="#"))
