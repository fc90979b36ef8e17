"""What a context promises whatever its files hold: corrections and protected lines stay."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.config.settings import Settings
from clawgit.core.tokens import estimate_tokens
from clawgit.talk.rules.context import NO_ROOM, Assembled, FilledSlot, Slot, Want, assemble, sayings
from clawgit.talk.rules.corrections import CONFIRMED, Correction
from clawgit.talk.rules.passage import passages
from clawgit.talk.rules.slots import (
    SLOTS,
    RecalledPassage,
    corrections_pieces,
    identity_pieces,
    longterm_pieces,
    recall_pieces,
    recent_pieces,
    user_pieces,
)
from tests.each import for_each

TODAY = date(2026, 2, 14)
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
WHOLE = 2
"""Tokens by which parts that are counted apart may differ from the whole."""


def soul_of(size: int, *, forbids: int = 0) -> str:
    """A soul of about so many characters, with so many prohibitions at its end."""
    lines = [
        "# Soul\n\n## Core (protected)\n\n- Tell Olga the truth about the boats\n\n## More\n\n"
    ]
    lines += [f"- be kind and brief to each {at}\n" for at in range(size // 30)]
    lines += [f"- Never sell boat number {at} without a yes\n" for at in range(forbids)]
    return "".join(lines)


def corrections_of(count: int) -> list[Correction]:
    return [
        Correction(
            f"c{at:05}",
            FIRST + timedelta(hours=at),
            said=f"Boat {at} is red.",
            correct=f"Boat {at} is blue, and lies at the {'long ' * (at % 5)}pier.",
            re_embedded=at % 3 == 0,
            status=CONFIRMED,
        )
        for at in range(count)
    ]


def slots_of(
    soul: str, corrections: list[Correction], others: int = 0, profile: int = 0
) -> list[Slot]:
    """All slots, with so many lines in the notes, in what is recalled and in the notebook."""
    user = "".join(f"- Olga sails boat {at} on a day of the week\n" for at in range(profile))
    days = "".join(f"- On day {at} there was a talk about the harbour\n" for at in range(others))
    old = "".join(f"- The pilot of ship {at} spoke of the tide\n" for at in range(others))
    facts = "".join(f"- Fee number {at} rose by a tenth #decision\n" for at in range(others))
    found = passages("memory/2020-01-01.md", old, TODAY)
    pieces = {
        "identity": identity_pieces(passages("SOUL.md", soul, TODAY), ()),
        "user_profile": user_pieces(passages("USER.md", user, TODAY)),
        "corrections": corrections_pieces(corrections, ()),
        "recent_memory": recent_pieces(passages("memory/2026-02-13.md", days, TODAY)),
        "semantic_recall": recall_pieces([RecalledPassage(one, 0.9) for one in found]),
        "longterm_memory": longterm_pieces(passages("MEMORY.md", facts, TODAY), Settings(), TODAY),
    }
    return [
        Slot(kind, getattr(Settings(), kind.setting), pieces[kind.name])
        for kind in SLOTS
        if kind.name in pieces
    ]


def named(made: Assembled, name: str) -> FilledSlot:
    return next(filled for filled in made.slots if filled.name == name)


def shown(made: Assembled) -> set[str]:
    return {choice.source for choice in named(made, "corrections").taken}


@for_each("budget", range(1994, 2007, 3))
def test_a_correction_with_room_of_its_own_stands_beside_any_soul(budget: int) -> None:
    """At each of these budgets it was dropped: prices of parts lie under that of the whole."""
    soul = "".join(f"- be kind and to each of {at}\n" for at in range(700))
    made = assemble(slots_of(soul, corrections_of(1)), budget, estimate_tokens)
    assert shown(made) == {"CORRECTIONS.md#c00000"}


def test_an_oversize_soul_keeps_to_its_slot_while_others_want_room() -> None:
    """It took 5,706 of 6,000 tokens."""
    made = assemble(slots_of(soul_of(25_000), corrections_of(3), 300, 5), 6000, estimate_tokens)
    assert named(made, "identity").tokens < 900
    for name in ("recent_memory", "semantic_recall"):
        filled = named(made, name)
        assert filled.tokens > 0.9 * filled.budget


def test_what_forbids_stays_beyond_the_slot() -> None:
    soul = soul_of(6000, forbids=90)
    made = assemble(slots_of(soul, corrections_of(2), 300), 6000, estimate_tokens)
    identity = named(made, "identity")
    assert identity.text.count("Never sell boat") == 90
    assert "Tell Olga the truth" in identity.text
    assert "be kind" not in identity.text
    [cut] = made.notes
    assert "200 of SOUL.md did not fit" in cut


def test_what_must_stay_and_cannot_is_told() -> None:
    made = assemble(slots_of(soul_of(300, forbids=90), []), 300, estimate_tokens)
    notes = " ".join(made.notes)
    assert "protected or forbid something" in notes
    assert made.slots[0].taken[0].why == "protected"


SOULS = st.builds(soul_of, st.sampled_from([0, 900, 3000, 12_000]), forbids=st.integers(0, 8))
MIXTURES = st.builds(
    slots_of,
    SOULS,
    st.integers(0, 30).map(corrections_of),
    st.sampled_from([0, 3, 80]),
    st.sampled_from([0, 3, 50]),
)
BUDGETS = st.integers(0, 20_000) | st.integers(0, 1500)


@given(MIXTURES, BUDGETS)
def test_a_context_keeps_its_promises(slots: list[Slot], budget: int) -> None:
    made = assemble(slots, budget, estimate_tokens)
    assert made == assemble(slots, budget, estimate_tokens)

    assert made.used == estimate_tokens(made.text) <= budget
    filled = [one for one in made.slots if one.text]
    assert abs(made.used - sum(one.tokens for one in filled)) <= WHOLE * max(1, len(filled))

    lines = [line for line in made.text.split("\n") if line.startswith("- ")]
    assert len({*map(str, map(tuple, map(sayings, lines)))}) == len(lines)

    alone = assemble([slots[2]], 10**6, estimate_tokens)
    if alone.used <= min(400, budget):
        assert len(shown(made)) == len(slots[2].pieces)
    whole_budget = min(800, budget) - alone.used - 40
    firm = [piece.text for piece in slots[0].pieces if piece.want is Want.FIRM]
    if estimate_tokens("\n".join(firm)) + 40 < whole_budget:
        assert all(text in made.text for text in firm)


@given(MIXTURES, BUDGETS, st.integers(1, 400))
def test_a_larger_budget_never_loses_a_correction(
    slots: list[Slot], budget: int, more: int
) -> None:
    less = shown(assemble(slots, budget, estimate_tokens))
    assert less <= shown(assemble(slots, budget + more, estimate_tokens))


@given(MIXTURES, BUDGETS)
def test_corrections_overflow_by_the_seeds_rule(slots: list[Slot], budget: int) -> None:
    """Those not yet taken in come first, then the newest: what is cut is the end of that list."""
    filled = named(assemble(slots, budget, estimate_tokens), "corrections")
    wanted = [piece.source for piece in slots[2].pieces]
    assert [choice.source for choice in filled.taken] == wanted[: len(filled.taken)]
    assert [choice.source for choice in filled.left if choice.why == NO_ROOM] == (
        wanted[len(filled.taken) :]
    )
