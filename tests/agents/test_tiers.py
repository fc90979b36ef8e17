"""The judges that ship decide what is written: vectors make no agent write a line that it would not
write without."""

from collections.abc import Sequence

import pytest

from clawgit.agents import AGENTS
from clawgit.agents.contract import ChangeSet, Snapshot
from clawgit.config.settings import Settings
from clawgit.domain.markdown.comment import split
from tests.agents.recalling import NOW, USER, call

TEXTS = (
    "Remember that the staging database listens on port 5433.",
    "No, the weekly call is at 3:30",
    "From now on, always answer in German.",
    "we decided to use PostgreSQL for billing",
)
FILES = {
    "USER.md": USER,
    "SOUL.md": "# Soul\n\n## Continuity\n\n- Be kind.\n",
    "MEMORY.md": "# Memory\n\n- The weekly call is at 3:00. #event\n- Invoices go out on paper. "
    "#knowledge\n"
    "- Gym on Monday.\n- Training needs the weekend. #knowledge\n",
}


class Alike:
    """Vectors by which all texts are as near as these."""

    def __init__(self, cosine: float) -> None:
        self._cosine = cosine

    def cosines(self, ones: Sequence[str], others: Sequence[str]) -> Sequence[Sequence[float]]:
        return [[self._cosine for _ in others] for _ in ones]


@pytest.mark.parametrize("cosine", [0.0, 0.85, 0.99])
@pytest.mark.parametrize(
    "name", ["memory-miner", "recall-validator", "soul-keeper", "conflict-detector"]
)
def test_vectors_make_nobody_write_another_line(name: str, cosine: float) -> None:
    calls = tuple(call(text, ident=f"m{number}") for number, text in enumerate(TEXTS))
    seen = Snapshot(
        NOW, Settings(), FILES, run="r1", messages=tuple(one.message for one in calls), calls=calls
    )
    alone = lines(AGENTS[name].propose(seen))
    assert lines(AGENTS[name].propose(seen._replace(nearness=Alike(cosine)))) <= alone
    assert alone != lines(ChangeSet()) or name == "conflict-detector"


def lines(change: ChangeSet) -> set[str]:
    """What the files say after it, line by line, without comments."""
    after = {
        **FILES,
        **{edit.path: edit.after or "" for step in change.steps for edit in step.edits},
    }
    return {split(line).visible.strip() for text in after.values() for line in text.splitlines()}
