"""What the history of the soul tells about where principles come from."""

from datetime import UTC, datetime

from clawgit.soul.rules.changelog import IdentityChange
from clawgit.soul.rules.growth import FAILED, ORDERED, Sign, is_used, source
from clawgit.soul.rules.soul import SectionChange

THEN = datetime(2026, 2, 1, tzinfo=UTC)


def change(name: str, **section: object) -> IdentityChange:
    what = (("SOUL.md", (SectionChange("Core", **section),)),)  # type: ignore[arg-type]
    evidence = {
        "kkkkkkkk": ("CORRECTIONS.md#c_1", "chat:agent:main/m_1"),
        "llllllll": ("chat:main/2",),
    }.get(name, ())
    return IdentityChange(name, THEN, "soul-keeper", "s", what, "why", evidence)


def test_the_newest_change_that_brought_a_line_is_its_source() -> None:
    known = (
        change("llllllll", reworded=(("Be kind.", "Be very kind."),)),
        change("kkkkkkkk", added=("Be kind.",)),
    )
    assert [source(line, known) for line in ("Be very kind.", "Be kind.")] == [*known]
    assert source("Be brief.", known) is None


def test_evidence_had_its_turn_where_a_change_stood_on_it_and_said_this() -> None:
    line = "Corrected 2 times (2026-01-10, 2026-01-30): Marta: “the tests, again!”"
    known = (change("llllllll", added=("Never guess.", line)),)

    def sign(kind: str, rule: str, evidence: str = "chat:main/2") -> Sign:
        return Sign(kind, rule, THEN, evidence, rule, rule)

    assert is_used(sign(ORDERED, "never guess!"), known)
    assert is_used(sign(FAILED, "Marta: “tests!”"), known)
    assert not is_used(sign(ORDERED, "Answer in German."), known)
    assert not is_used(sign(ORDERED, "Never guess.", "chat:main/3"), known)
