"""Each version of the soul before a change is listed, counted by the spec's retention, and can be
exported."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.errors import UsageError
from clawgit.soul.soul import SoulSnapshot, export, prune, retained, snapshots
from tests.soulful import SOUL, Soulful


def test_prune_counts_one_a_day_then_one_a_month(soulful: Soulful) -> None:
    for _ in range(2):
        soulful.write("Be kind", "Be kinder")
        soulful.write("Be kinder", "Be kind")
        soulful.later(days=40)
    soulful.write("Be kind", "Be kinder")
    found = snapshots(soulful.space).snapshots
    assert len(found) == 5
    done = prune(soulful.space)
    assert done.snapshots == tuple(found[place] for place in (0, 2, 4))
    assert snapshots(soulful.space).snapshots == found


def one(day: date, number: int) -> SoulSnapshot:
    time = datetime(day.year, day.month, day.day, number % 24, tzinfo=UTC)
    return SoulSnapshot(str(number), day, str(number), time)


@given(st.lists(st.integers(0, 800), max_size=40))
def test_retention_keeps_every_day_of_late_and_every_month_of_old(ages: list[int]) -> None:
    today, since = date(2026, 6, 15), date(2026, 6, 15) - timedelta(days=90)
    found = sorted(
        (one(today - timedelta(days=old), n) for n, old in enumerate(ages)),
        key=lambda it: (it.day, it.id),
    )
    kept = retained(found, since)
    late = [it.day for it in kept if it.day >= since]
    old = [(it.day.year, it.day.month) for it in kept if it.day < since]
    assert late == sorted({it.day for it in found if it.day >= since})
    assert old == sorted({(it.day.year, it.day.month) for it in found if it.day < since})
    assert retained(kept, since) == kept


def test_export_writes_the_files_that_the_spec_names(soulful: Soulful, tmp_path: Path) -> None:
    done = soulful.write("Be kind.", "Be kinder.")
    named = soulful.write("Ada", "Grace", path="IDENTITY.md")
    folder = tmp_path / "SOUL_HISTORY"
    assert export(soulful.space.dry(), folder).written == export(soulful.space, folder).written
    assert {file.name: file.read_text() for file in folder.iterdir()} == {
        f"SOUL_2026-02-14_{done.id}.md": SOUL,
        f"SOUL_2026-02-14_{named.id}.md": SOUL.replace("kind.", "kinder."),
        f"IDENTITY_2026-02-14_{done.id}.md": "# Identity\n\n- **Name:** Ada\n- **Vibe:** calm\n",
    }
    assert export(soulful.space, folder).written == ()
    with pytest.raises(UsageError):
        export(soulful.space, folder / f"SOUL_2026-02-14_{done.id}.md")
