"""A year in which tasks expire and old notes are compacted in both ways: nothing lost,
nothing twice."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from clawgit.agents.frame.agents import run_agent
from clawgit.core.markdown.entry import entries
from clawgit.core.markdown.tag_table import visible
from clawgit.git.rules.actors import OPERATOR
from clawgit.memory.rules.organizing import LARGEST
from clawgit.memory.upkeep import compact_quarterly, promote
from clawgit.search.search import Request, Searcher
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import space_of

BEGIN = datetime(2026, 1, 1, 4, 30, tzinfo=UTC)
AGENTS = ("organizer", "decay-engine", "memory-compactor")
THINGS = (
    "zeppelin", "walnut", "harpsichord", "lighthouse", "quarry", "ferry", "orchard", "glacier",
    "beehive", "kiln",
)  # fmt: skip
INJECTED = 20_000


class Year:
    """A workspace on a day. `lines` are all that was ever written into its notes."""

    def __init__(self, git: Git, seed: int) -> None:
        self._git, self._random = git, random.Random(seed)
        self.day = 0
        self.lines: list[str] = []

    @property
    def now(self) -> datetime:
        return BEGIN + timedelta(days=self.day)

    @property
    def space(self) -> Workspace:
        env = {"CLAWGIT_SEARCH_MODE": "core", "CLAWGIT_COMPACTION_AGE_DAYS": "20"}
        return space_of(self._git, OPERATOR, self.now, **env)

    def live(self) -> None:
        thing, other = self._random.sample(THINGS, 2)
        lines = [
            f"- [ ] Repair the {thing} number {self.day}",
            f"- The {other} number {self.day} stands in the yard #knowledge",
            f"- The agent took {self.day} minutes for the {thing} #knowledge",
        ]
        self.lines += lines
        day = f"{self.now:%Y-%m-%d}"
        self._git.write(f"memory/{day}.md", "\n".join([f"# {day}", "", *lines, ""]))
        self.day += 1

    def work(self) -> list[str]:
        """One run of each; those that changed something."""
        done = {
            name: run_agent(self.space, name, clock=lambda: self.now).change.commit
            for name in AGENTS
        }
        done["quarterly"] = compact_quarterly(self.space, days=30, remove=True).change.commit
        done["promote"] = promote(self.space).change.commit
        return [name for name, commit in done.items() if commit]


def lived(git: Git, days: int, every: int, seed: int) -> Year:
    git.commit_file("MEMORY.md", "# Memory\n\n- Tea is served at four #knowledge\n", "start")
    year = Year(git, seed)
    while year.day < days:
        year.live()
        if year.day % every == 0:
            year.work()
    settled = [year.work() for _ in range(3)]  # what one run leaves for another is done by the next
    assert settled[-1] == [], settled
    return year


_SLOW = (pytest.mark.slow, pytest.mark.timeout(1200))


@pytest.mark.parametrize(
    ("days", "every", "seed"),
    [(28, 14, 1), *(pytest.param(365, 7, seed, marks=_SLOW) for seed in (1, 2))],
)
def test_four_weeks_and_a_year(git: Git, days: int, every: int, seed: int) -> None:
    year = lived(git, days, every, seed)
    assert year.work() == []
    history = git("log", "-p", "--format=", "--", "memory")
    assert [line for line in year.lines if f"+{line}\n" not in history] == []
    assert len((git.root / "memory/INDEX.md").read_bytes()) <= LARGEST
    assert len((git.root / "MEMORY.md").read_text()) <= INJECTED
    tasks = git.root / "memory/structured/tasks.md"
    assert len(entries(tasks.read_text())) <= 14
    books = (book.read_text() for book in (git.root / "Archive/Facts").glob("*.md"))
    lines = (line for book in books for line in book.splitlines())
    archived = [visible(line) for line in lines if line.startswith("- ")]
    assert len(archived) == len(set(archived))
    with Searcher(year.space) as searcher:
        for thing in THINGS:
            asked = Request(f"the {thing} number", limit=60, min_score=0.05, archived=True)
            found = searcher.answer(asked).results
            spans = ((hit.path, range(hit.line, hit.lastLine + 1)) for hit in found)
            shown = [(path, line) for path, span in spans for line in span]
            assert len(shown) == len(set(shown))
            said = [searcher_text(git, hit.path, hit.line) for hit in found]
            assert len(said) == len(set(said)), thing


def searcher_text(git: Git, path: str, line: int) -> str:
    """What a line says, without its box, its tag and its comment: a fact and its line say the
    same."""
    text = visible((git.root / path).read_text().splitlines()[line - 1])
    return text.removeprefix("- ").removeprefix("[ ] ").removesuffix(" #knowledge")
