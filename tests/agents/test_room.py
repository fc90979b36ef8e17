"""Whatever agents propose, the notebook stays within what OpenClaw reads of it, and nothing is lost
on the way."""

from datetime import UTC, datetime

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Snapshot, Step
from clawgit.config.settings import Settings
from clawgit.domain.compaction.moved import MovedBlock, move_notice
from clawgit.domain.markdown.notebook import fits
from clawgit.ops.agents.steps import refuse_unfounded, roomy

NOW = datetime(2026, 2, 14, 3, tzinfo=UTC)
FACTS = "conf=0.60 n=1 first=2026-01-02 last=2026-01-02 src=inferred ev=chat:1"
ITEMS = [
    f"- Fact {number}. #knowledge <!-- claw:abc{number:03} {FACTS} -->\n"
    for number in range(100, 274)
]
FILES = {
    "MEMORY.md": "# Memory\n\n## Billing\n\n" + "".join(ITEMS),
    "memory/2026-02-14.md": "# Day\n",
}
RIGHT = "- Paris, not Rome. #correction <!-- claw:right2 conf=1.00 src=correction ev=chat:2 -->\n"


def seen() -> Snapshot:
    return Snapshot(NOW, Settings(), FILES)


def proposed(*writings: dict[str, str]) -> ChangeSet:
    """A step for each, as an agent proposes them one after the other."""
    draft, steps = Draft(FILES), []
    for files in writings:
        for path, text in files.items():
            draft.put(path, text)
        steps.append(
            Step(
                "note",
                "s",
                "r",
                ("chat:1",),
                draft.cut(),
                (Proposed("MEMORY.md", "added", "x", ("chat:1",)),),
            )
        )
    return ChangeSet(tuple(steps))


def landed(wanted: ChangeSet) -> dict[str, str]:
    files: dict[str, str] = dict(FILES)
    for edit in (edit for step in wanted.steps for edit in step.edits):
        assert files.get(edit.path) == edit.before
        files[edit.path] = edit.after or ""
    return files


def test_what_fits_and_what_is_written_elsewhere_stays_as_it_was_proposed() -> None:
    for wanted in (
        proposed({"memory/2026-02-14.md": "# Day\n\n- x\n"}),
        proposed({"MEMORY.md": RIGHT}),
        ChangeSet(),
    ):
        assert roomy(wanted, seen()) is wanted


def test_a_correction_gets_in_by_the_step_that_makes_room_and_an_entry_moves_whole() -> None:
    done = roomy(proposed({"MEMORY.md": FILES["MEMORY.md"] + RIGHT * 2}), seen())
    files = landed(done)
    [step] = done.steps
    moved = [item for item in ITEMS if item not in files["MEMORY.md"]]
    assert fits(files["MEMORY.md"])
    assert files["MEMORY.md"].count(RIGHT) == 2
    assert moved == ITEMS[: len(moved)]
    assert files["memory/billing.md"] == "# Billing\n\n" + "".join(moved)
    assert [(one.path, one.kind) for one in step.proposed[1:]] == [("MEMORY.md", "moved")] * len(
        moved
    )
    gone = [MovedBlock(0, item.partition(" <!--")[0], "memory/billing.md") for item in moved]
    assert done.notes == (move_notice("MEMORY.md", gone),)
    refuse_unfounded("an-agent", done.steps)
