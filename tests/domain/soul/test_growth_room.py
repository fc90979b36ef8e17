"""What CHANGELOG.md tells about where principles come from."""

from datetime import UTC, datetime

from clawgit.domain.soul.changelog import END, START, IdentityChange, render_markdown
from clawgit.domain.soul.growth import FAILED, ORDERED, Sign
from clawgit.domain.soul.growth_room import is_used, protection, sources, steps_of
from clawgit.domain.soul.soul import SectionChange

THEN = datetime(2026, 2, 1, tzinfo=UTC)
ODD = "Say `x_y` & *never* [z](a) <b>."


def change(name: str, **section: object) -> IdentityChange:
    what = (("SOUL.md", (SectionChange("Core", **section),)),)  # type: ignore[arg-type]
    evidence = {
        "kkkkkkkk": ("CORRECTIONS.md#c_1", "chat:agent:main/m_1"),
        "llllllll": ("chat:main/2",),
    }.get(name, ())
    return IdentityChange(name, THEN, "soul-keeper", "s", what, "why", evidence)


def history(*changes: IdentityChange) -> str:
    return f"# Log\n\n{START}\n\n{render_markdown(changes)}\n{END}\n"


def test_a_changelog_is_read_as_it_was_written() -> None:
    (known,) = steps_of(history(change("kkkkkkkk", added=(ODD,))))
    assert (known.name, known.actor, known.time) == ("kkkkkkkk", "soul-keeper", THEN)
    assert known.lines == ((ODD, ""),)
    assert known.evidence == ("CORRECTIONS.md#c_1", "chat:agent:main/m_1")
    assert steps_of("") == steps_of("# no marks\n### 2026 · x · y\n") == ()


def test_a_principle_is_followed_through_its_rewordings_to_the_correction() -> None:
    known = steps_of(
        history(
            change("llllllll", reworded=(("Be kind.", "Be very kind."),)),
            change("kkkkkkkk", added=("Be kind.",)),
        )
    )
    assert [each.name for each in sources("Be very kind.", known)] == ["llllllll", "kkkkkkkk"]
    shield = protection("- Be very kind.", "Be very kind.", known)
    assert shield is not None
    assert (shield.line, shield.correction) == ("- Be very kind.", "c_1")
    assert protection("- Be brief.", "Be brief.", known) is None


def test_evidence_had_its_turn_where_a_change_stood_on_it_and_said_this() -> None:
    line = "Corrected 2 times (2026-01-10, 2026-01-30): Marta: “the tests, again!”"
    known = steps_of(history(change("llllllll", added=("Never guess.", line))))

    def sign(kind: str, rule: str, evidence: str = "chat:main/2") -> Sign:
        return Sign(kind, rule, THEN, evidence, rule, rule)

    assert is_used(sign(ORDERED, "never guess!"), known)
    assert is_used(sign(FAILED, "Marta: “tests!”"), known)
    assert not is_used(sign(ORDERED, "Answer in German."), known)
    assert not is_used(sign(ORDERED, "Never guess.", "chat:main/3"), known)
