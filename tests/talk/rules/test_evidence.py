"""An entry of an agent says on what it rests; what stood there before need not."""

from clawgit.agents.frame.steps import unfounded
from tests.each import for_each

OLD = "# Memory\n\n- By hand. #event\n"
GROUNDED = "- New. #event <!-- claw:k2m4q9 ev=chat:main/1 -->\n"


@for_each(
    "edits, expected",
    [
        ([("MEMORY.md", OLD, OLD + GROUNDED)], []),
        ([("MEMORY.md", OLD, OLD + "- New. #event\n")], ["New. #event"]),
        ([("MEMORY.md", OLD, OLD + "- New. #event <!-- claw:k2m4q9 conf=0.9 -->\n")],
            ["New. #event"]),
        ([("memory/a.md", OLD, None), ("MEMORY.md", None, OLD)], []),
        ([("memory/a.md", None, OLD)], ["By hand. #event"]),
        ([("Archive/Chronicles/2026-January.md", None, OLD), ("CORRECTIONS.md", None, OLD)], []),
    ],
)  # fmt: skip
def test_only_new_words_need_evidence(
    edits: list[tuple[str, str | None, str | None]], expected: list[str]
) -> None:
    assert [entry.text for entry in unfounded(edits)] == expected
