"""OpenClaw Memory & Soul: “5.5 Memory Compactor”."""

from clawgit.ops.soul.snapshots import prune, snapshots
from tests.ops.soulful import Soulful, soulful

__all__ = ["soulful"]


def test_soul_history_one_a_day_for_90_days_then_one_a_month_and_every_removal_is_logged(
    soulful: Soulful,
) -> None:
    for _ in range(3):
        soulful.write("Be kind", "Be kinder")
        soulful.write("Be kinder", "Be kind")
    soulful.later(days=120)
    before = snapshots(soulful.space).snapshots
    gone = prune(soulful.space).pruned
    assert len(before) - len(gone) == 1
    log = soulful.text("COMPACTION_LOG.md")
    assert all(ref in log for ref in gone)
