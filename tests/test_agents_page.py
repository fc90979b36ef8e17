"""docs/agents.md shows how sentences are kept: each of its examples is kept just so."""

import re
from datetime import datetime
from pathlib import Path

import pytest

from clawgit.talk.rules.kept_line import kept, line

PAGE = Path(__file__).parents[1] / "docs" / "agents.md"
_TABLE = re.compile(
    r"^\| you say, on Wednesday, (\d{4}-\d{2}-\d{2}) \|.*\n\|.*\n((?:\|.*\n)+)", re.MULTILINE
)


def examples() -> list[tuple[str, str, datetime]]:
    found = _TABLE.search(PAGE.read_text("utf-8"))
    assert found is not None
    rows = [row.strip("|\n").split("|") for row in found[2].splitlines()]
    return [
        (said.strip(), shown.strip(" `"), datetime.fromisoformat(found[1])) for said, shown in rows
    ]


@pytest.mark.parametrize(("said", "shown", "when"), examples())
def test_an_example_is_kept_as_the_page_shows_it(said: str, shown: str, when: datetime) -> None:
    assert when.strftime("%A") == "Wednesday"
    assert line(kept(said, "Marta", when)) == shown
