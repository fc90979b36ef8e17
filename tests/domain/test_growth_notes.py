"""What files say about how the agent behaves, and what CHANGELOG.md tells about where principles come from."""

from datetime import UTC, datetime

import pytest

from clawgit.domain.changelog import END, START, IdentityChange, render_markdown
from clawgit.domain.corrections import corrections as read
from clawgit.domain.growth_notes import corrected, forgotten, noted
from clawgit.domain.growth_origins import protection, sources, told
from clawgit.domain.soul import SectionChange
from tests.agents.souls import corrections

THEN = datetime(2026, 2, 1, tzinfo=UTC)
ODD = "Say `x_y` & *never* [z](a) <b>."


def change(name: str, **section: object) -> IdentityChange:
    what = (("SOUL.md", (SectionChange("Core", **section),)),)  # type: ignore[arg-type]
    evidence = {"kkkkkkkk": ("CORRECTIONS.md#c_1", "chat:agent:main/m_1"), "llllllll": ("chat:main/2",)}.get(name, ())
    return IdentityChange(name, THEN, "soul-keeper", "s", what, "why", evidence)


def history(*changes: IdentityChange) -> str:
    return f"# Log\n\n{START}\n\n{render_markdown(changes)}\n{END}\n"


def test_a_changelog_is_read_as_it_was_written() -> None:
    (one,) = told(history(change("kkkkkkkk", added=(ODD,))))
    assert (one.name, one.actor, one.time) == ("kkkkkkkk", "soul-keeper", THEN)
    assert one.lines == ((ODD, ""),)
    assert one.evidence == ("CORRECTIONS.md#c_1", "chat:agent:main/m_1")
    assert told("") == told("# no marks\n### 2026 · x · y\n") == ()


def test_a_principle_is_followed_through_its_rewordings_to_the_correction() -> None:
    known = told(
        history(change("llllllll", reworded=(("Be kind.", "Be very kind."),)), change("kkkkkkkk", added=("Be kind.",)))
    )
    assert [one.name for one in sources("Be very kind.", known)] == ["llllllll", "kkkkkkkk"]
    shield = protection("- Be very kind.", "Be very kind.", known)
    assert shield is not None
    assert (shield.line, shield.correction) == ("- Be very kind.", "c_1")
    assert protection("- Be brief.", "Be brief.", known) is None


@pytest.mark.parametrize(
    ("one", "other", "about"),
    [
        ("Billing database is PostgreSQL", "The billing database is called pg1", "billing database"),
        ("Anna was born in May", "Anna lives in Rome", "anna"),
        ("Office is in Paris", "Billing database is PostgreSQL", ""),
        ("The staging server has two disks and a fan", "The mail server was moved to another room", ""),
    ],
)
def test_facts_about_the_same_thing_are_one_mistake(one: str, other: str, about: str) -> None:
    found = forgotten(read(corrections(one, other)), UTC)
    assert {sign.rule for sign in found} == ({f"Search your memory before you speak of {about}."} if about else set())


def test_only_corrections_that_bind_are_read_and_each_with_its_day() -> None:
    known = read(
        corrections("Answer shorter", "The port is 5433") + corrections("Use metric units", status="open", first=3)[18:]
    )
    (sign,) = corrected(known, UTC)
    assert (sign.rule, sign.evidence, sign.day.isoformat()) == ("Answer shorter.", "CORRECTIONS.md#c1", "2026-02-13")


def test_a_note_counts_for_each_day_that_it_names_and_not_at_all_without_one() -> None:
    lesson = "- Lesson: never restart the gateway during a call. #skill"
    days = [
        sign.day.isoformat()
        for sign in noted("MEMORY.md", f"{lesson} <!-- claw:abcdef first=2026-01-02 last=2026-02-03 -->\n", UTC)
    ]
    assert days == ["2026-01-02", "2026-02-03"]
    assert [*noted("MEMORY.md", f"{lesson}\n", UTC)] == []
    assert [sign.day.isoformat() for sign in noted("memory/2026-02-05.md", f"{lesson}\n", UTC)] == ["2026-02-05"]
    assert [*noted("memory/2026-02-05.md", "- Deploy with `make ship`. #skill\n", UTC)] == []
