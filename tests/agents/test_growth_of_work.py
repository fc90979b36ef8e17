"""Four times the notes are four times the work, and little more: what is read once is not read
again."""

from datetime import UTC, date, datetime, timedelta

import pytest

from clawgit.agents import memory_compactor, organizer
from clawgit.agents.contract import Propose, Snapshot
from clawgit.core.config.settings import Settings
from tests.work import calls

FIRST = date(2024, 1, 1)


def notes(lines: int, first: int = 0) -> dict[str, str]:
    """Notes of ten lines each, the first line with this number."""
    found: dict[str, str] = {}
    for number in range(first, first + lines):
        path = f"memory/{FIRST + timedelta(days=number // 10)}.md"
        word = f"{'abcdefghij'[number // 100]}{'klmnopqrst'[number // 10 % 10]}{'uvwxyzabcd'[number % 10]}"
        ident = f"<!-- claw:{word}{number:03} conf=0.70 n=1 src=inferred -->"
        fact = (
            f"- {word.title()} keeps {word}ko in the {word}fi of {number} hives. #knowledge "
            f"{ident}\n"
        )
        found[path] = found.get(path, "# Day\n\n") + fact
    return found


@pytest.mark.parametrize(
    "propose", [pytest.param(organizer.propose, marks=pytest.mark.slow), memory_compactor.propose]
)
def test_work_grows_with_the_notes(propose: Propose) -> None:
    # Other lines each time: what a cache knows of a line would be no work.
    def work(lines: int, first: int) -> int:
        files = notes(lines, first)
        seen = Snapshot(datetime(2026, 3, 1, 9, tzinfo=UTC), Settings(), files, run="r1")
        return calls(lambda: propose(seen))

    work(20, 980)  # what is loaded or compiled once is no work of the notes
    # Both have more notes than a cache of texts keeps.
    assert work(780, 200) < 4.6 * work(195, 0)
