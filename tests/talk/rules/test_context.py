"""Slots that share a budget: who gets what, what is cut, and that it always fits."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.tokens import estimate_tokens
from clawgit.talk.rules.context import (
    NEVER,
    Assembled,
    ContextPiece,
    Count,
    Slot,
    SlotKind,
    Want,
    assemble,
    sayings,
)
from tests.strategies import ANY_TEXT


def words(text: str) -> int:
    return len(text.split())


def items(*texts: str, **fields: object) -> list[ContextPiece]:
    made = enumerate(texts)
    return [ContextPiece(f"- {text}", f"F#{at}", place=(at,), **fields) for at, text in made]  # type: ignore[arg-type]


def slot(name: str, budget: int, *texts: str, **fields: object) -> Slot:
    kind = SlotKind(name, name.title(), **fields)  # type: ignore[arg-type]
    return Slot(kind, budget, items(*texts))


def sources(made: Assembled, at: int) -> list[str]:
    return [one.source for one in made.slots[at].taken]


def test_corrections_and_the_profile_take_from_later_slots_and_leave_the_first_its_own() -> None:
    slots = [
        slot("who", 8, *"abcdefgh", own=2, more=10),
        slot("whom", 8, *"ijk", own=3, more=6),
        slot("wrong", 4, *"lmnopq", own=1, more=5),
        slot("days", 12, *"rstu"),
        slot("facts", 12, *"vwxy"),
    ]

    def shown(total: int) -> list[int]:
        return [len(filled.sources) for filled in assemble(slots, total, words).slots]

    assert shown(400) == [8, 3, 6, 4, 4]
    assert shown(40) == [1, 3, 6, 3, 0]
    assert shown(12) == [1, 1, 0, 0, 0]


def test_a_line_is_said_once_in_the_first_slot_that_says_it() -> None:
    made = assemble(
        [slot("one", 20, "Ana likes *tea*."), slot("two", 20, "ana likes tea", "Bo does not")],
        50,
        words,
    )
    assert sources(made, 1) == ["F#1"]
    assert made.slots[1].left[0].why == "said in one"


def test_the_same_id_is_the_same_whatever_it_says() -> None:
    one, two = (
        Slot(SlotKind(name, name), 20, items(text, name="claw:m2ab34"))
        for name, text in (("a", "x"), ("b", "y"))
    )
    assert assemble([one, two], 40, words).slots[1].left[0].why == "said in a"


def test_a_line_that_openclaw_promoted_twice_is_said_once() -> None:
    line = "- - Ana prefers tea - evidence: memory/2026-02-01.md:3 [score=0.8{} recalls=0 avg=0.6]"
    assert [*sayings(line.format(1))] == [*sayings(line.format(2))]


def test_what_only_comes_near_comes_after_what_anybody_wants_and_is_not_missed() -> None:
    near = [ContextPiece(f"near {at} and some more", "n", want=Want.SPARE) for at in range(3)]
    wanted = [ContextPiece(f"wanted {at}", "w") for at in range(4)]
    slots = [
        Slot(SlotKind("recall", "Found"), 2, [ContextPiece("found", "f"), *near]),
        Slot(SlotKind("facts", "Facts"), 2, wanted),
    ]
    whole = assemble(slots, 100, words)
    assert all(piece.text in whole.text for piece in (*near, *wanted))
    for budget in range(whole.used):
        made = assemble(slots, budget, words)
        assert all(choice.source == "f" for choice in made.slots[0].left)
        if any(piece.text in made.text for piece in near):
            assert all(piece.text in made.text for piece in (slots[0].pieces[0], *wanted))


PIECES = st.builds(
    ContextPiece,
    text=ANY_TEXT.filter(lambda text: text.strip() != ""),
    source=st.just("f"),
    heads=st.lists(st.sampled_from(["## a", "### b", "## A longer heading"]), max_size=2).map(
        tuple
    ),
    place=st.tuples(st.integers(0, 5)),
    want=st.sampled_from(Want),
)
KINDS = st.builds(
    SlotKind,
    st.sampled_from("abc"),
    st.sampled_from(["Who you are", "x"]),
    st.just(""),
    st.integers(1, 7),
    st.sampled_from([NEVER, 8, 9]),
    st.booleans(),
    st.booleans(),
)
SLOTS = st.lists(
    st.builds(Slot, KINDS, st.integers(0, 60), st.lists(PIECES, max_size=4), st.just("Data.")),
    max_size=4,
)


COUNTS = st.sampled_from([estimate_tokens, len, words, lambda text: len(text) ** 2 // 50])


@given(SLOTS, st.integers(0, 150), COUNTS)
def test_it_fits_whatever_it_holds_and_however_it_is_counted(
    slots: list[Slot], budget: int, count: Count
) -> None:
    made = assemble(slots, budget, count)
    assert made.used == count(made.text) <= budget
    for one, asked in zip(made.slots, slots, strict=True):
        spare = sum(piece.want is Want.SPARE for piece in asked.pieces)
        missing = len(asked.pieces) - len(one.taken) - len(one.left)
        assert 0 <= missing <= spare
