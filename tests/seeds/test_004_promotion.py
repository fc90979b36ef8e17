"""Soul Memory: “Memory Promotion”."""

from collections.abc import Iterator

from clawgit.memory.rules.promotion import FREQUENT, SURE, THRESHOLD, Retrieved, units, weigh
from tests.each import for_each
from tests.seeds.conftest import Agent

TABLE = """\
| Decision | 결정, decided, confirmed, approved |
| Architecture | 아키텍처, design, schema, stack |
| Financial | $, ₩, pricing, margin, BEP, revenue |
| Legal | 상표, trademark, patent, ToS, GDPR |
| People | 변리사, partner, client, meeting results |
| Milestone | 출시, launch, shipped, released, Phase N |
| Strategy | 로드맵, roadmap, vision, strategy |
| Explicit | 기억해, IMPORTANT, CRITICAL, ★ |
"""

NOTE = "memory/2026-03-19.md"


def triggers() -> Iterator[tuple[str, str]]:
    for row in TABLE.splitlines():
        _, category, words, _ = row.split("|")
        for word in words.split(","):
            yield category.strip().lower(), word.strip().replace("Phase N", "Phase 4")


def said(trigger: str) -> str:
    """A plain line about the weather over a barn that has the trigger and no other sign."""
    if trigger in "$₩":
        return f"the barn roof came to {trigger}410 after all"
    return (
        f"{trigger} 소식을 창고에서 들었다"
        if trigger > "가"
        else f"the barn had its {trigger} in rain"
    )


@for_each("category, trigger", [*triggers()])
def test_each_match_produces_a_confidence_score_above_40_percent(
    category: str, trigger: str
) -> None:
    [unit] = units(NOTE, f"# 2026-03-19\n\n- {said(trigger)}\n")
    found = weigh(unit)
    assert found is not None
    assert (found.category, found.against) == (category, "")
    assert found.confidence >= THRESHOLD


def test_without_a_trigger_there_is_no_match() -> None:
    [unit] = units(NOTE, "# 2026-03-19\n\n- the barn had its wall in rain\n")
    assert weigh(unit) is None


def test_what_is_retrieved_3_times_across_sessions_is_flagged_whatever_its_words() -> None:
    [unit] = units(NOTE, "# 2026-03-19\n\n- hm, the barn again, all wet, what a day\n")
    found = weigh(unit, Retrieved(hits=3, sessions=3))
    assert found is not None
    assert (found.category, found.against) == (FREQUENT, "")
    assert found.confidence >= SURE


def test_apply_copies_matches_to_the_target_and_removes_them_from_the_dated_file(
    adopted: Agent,
) -> None:
    adopted.now = "2026-03-20T09:00:00+00:00"
    adopted.write(
        NOTE, "# 2026-03-19\n\n- ★ The spare key lies behind the blue pot.\n- It rained.\n"
    )
    adopted.write("memory/legal.md", "# Legal\n")
    adopted.git.commit_all("a day")
    adopted("memory", "promote", "--apply", "--target", "memory/legal.md")
    kept = adopted.text("memory/legal.md")
    assert "★ The spare key lies behind the blue pot." in kept
    assert " c=.6" in kept
    assert adopted.text(NOTE) == "# 2026-03-19\n\n- It rained.\n"
