"""Slots that share a budget: who gets what, what is cut, and that it always fits."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.core.config.settings import Settings
from clawgit.core.tokens import estimate_tokens
from clawgit.talk.rules.corrections import CONFIRMED, Correction
from clawgit.talk.rules.filling import (
    NEVER,
    NO_ROOM,
    Assembled,
    ContextPiece,
    Count,
    FilledSlot,
    Slot,
    SlotKind,
    Want,
    assemble,
    sayings,
)
from clawgit.talk.rules.passage import ContextPassage, passages
from clawgit.talk.rules.slots import (
    SLOTS,
    RecalledPassage,
    correction_line,
    corrections_pieces,
    identity_pieces,
    longterm_pieces,
    recall_pieces,
    recent_pieces,
    user_pieces,
)
from tests.each import for_each
from tests.strategies import ANY_TEXT


def words(text: str) -> int:
    return len(text.split())


def items(*texts: str, **fields: object) -> list[ContextPiece]:
    made = enumerate(texts)
    return [ContextPiece(f"- {text}", f"F#{at}", place=(at,), **fields) for at, text in made]  # type: ignore[arg-type]


def slot(name: str, budget: int, *texts: str, **fields: object) -> Slot:
    kind = SlotKind(name, name.title(), **fields)  # type: ignore[arg-type]
    return Slot(kind, budget, items(*texts))


def shown(made: Assembled) -> str:
    return "\n\n".join(one.text for one in made.slots if one.text)


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
    assert all(piece.text in shown(whole) for piece in (*near, *wanted))
    for budget in range(whole.used):
        made = assemble(slots, budget, words)
        assert all(choice.source == "f" for choice in made.slots[0].left)
        if any(piece.text in shown(made) for piece in near):
            assert all(piece.text in shown(made) for piece in (slots[0].pieces[0], *wanted))


HEADS = st.lists(st.sampled_from(["## a", "### b", "## A longer heading"]), max_size=2)
PIECES = st.builds(
    ContextPiece,
    text=ANY_TEXT.filter(lambda text: text.strip() != ""),
    source=st.just("f"),
    heads=HEADS.map(tuple),
    place=st.tuples(st.integers(0, 5)),
    want=st.sampled_from(Want),
)
KINDS = st.builds(
    SlotKind, st.sampled_from("abc"), st.sampled_from(["Who you are", "x"]), st.just(""),
    st.integers(1, 7), st.sampled_from([NEVER, 8, 9]), st.booleans(), st.booleans(),
)  # fmt: skip
SLOT_LISTS = st.lists(
    st.builds(Slot, KINDS, st.integers(0, 60), st.lists(PIECES, max_size=4), st.just("Data.")),
    max_size=4,
)


COUNTS = st.sampled_from([estimate_tokens, len, words, lambda text: len(text) ** 2 // 50])


@given(SLOT_LISTS, st.integers(0, 150), COUNTS)
def test_it_fits_whatever_it_holds_and_however_it_is_counted(
    slots: list[Slot], budget: int, count: Count
) -> None:
    made = assemble(slots, budget, count)
    assert made.used == count(shown(made)) <= budget
    for one, asked in zip(made.slots, slots, strict=True):
        spare = sum(piece.want is Want.SPARE for piece in asked.pieces)
        missing = len(asked.pieces) - len(one.taken) - len(one.left)
        assert 0 <= missing <= spare


# What each slot is made of, and in which order it wants it.


TODAY = date(2026, 2, 14)


def put_right(ident: str, day: int, *, done: bool = True) -> Correction:
    time = datetime(2026, 2, day, 9, tzinfo=UTC)
    made = Correction(ident, time, said=f"{ident}1", correct=f"{ident}2", status=CONFIRMED)
    return made._replace(re_embedded=done)


def test_what_is_protected_comes_first_then_what_forbids_and_both_are_firm() -> None:
    lines = (
        "- Be kind.\n- Never lie.\n\n## Law (Protected)\n\n- Be brief.\n\n## Never\n\n- Swear.\n"
    )
    soul = passages("SOUL.md", f"# Soul\n\n{lines}", TODAY)
    card = passages("IDENTITY.md", "- **Name:** Rivet\n", TODAY)
    pieces = identity_pieces(soul, card, (), ())
    assert [(piece.text, piece.want is Want.FIRM, piece.why) for piece in pieces] == [
        ("- Be brief.", True, "protected"),
        ("- Never lie.", True, "forbids something"),
        ("- Swear.", True, "forbids something"),
        ("- **Name:** Rivet", False, "who the agent is"),
        ("- Be kind.", False, "who the agent is"),
    ]


def test_corrections_that_are_not_taken_in_come_first_then_the_newest_then_archived_ones() -> None:
    fresh, fresher = put_right("fresh", 2, done=False), put_right("fresher", 5, done=False)
    known = [put_right("old", 1), fresh, put_right("new", 9), fresher]
    pieces = corrections_pieces(known, [put_right("shelved", 10)])
    order = [piece.source.partition("#")[2] for piece in pieces]
    assert order == ["fresher", "fresh", "new", "old", "shelved"]
    pieces = corrections_pieces(known, (), newest_first=True)
    order = [piece.source.partition("#")[2] for piece in pieces]
    assert order == ["new", "fresher", "fresh", "old"]


@for_each("status", ["open", "quoted"])
def test_what_only_an_agent_says_is_not_told_as_a_correction(status: str) -> None:
    claim = put_right("claim", 1)._replace(status=status)
    shown = [(each.why, bool(each.unfit)) for each in corrections_pieces([claim], ())]
    assert shown == [(status, True)]
    heard = claim._replace(words="No, it is the other one.")
    assert [bool(each.unfit) for each in corrections_pieces([heard], ())] == [False]


@for_each("was", ["The code is 4417.", "Ana: “The code is 4417.” (said 2026-02-14)"])
def test_what_the_operator_disputes_since_wins_no_more(was: str) -> None:
    right = put_right("right", 1)._replace(correct="The code is 4417.")
    doubt = put_right("doubt", 2)._replace(
        status="quoted", was=f"abcdef {was}", words="It does not work.", correct=""
    )
    pieces = corrections_pieces([right, doubt], ())
    assert {piece.why: bool(piece.unfit) for piece in pieces} == {
        "confirmed": True,
        "quoted": False,
    }


def test_what_was_not_called_wrong_is_not_told_as_wrong() -> None:
    right = put_right("right", 1)._replace(correct="It opens at 9.", was="", said="It opens at 8.")
    told = [right, right._replace(said="(earlier) April 7.")]
    assert ["not: " in correction_line(each) for each in told] == [True, False]
    words = "Emi starts on April 1."
    asked = right._replace(status="open", correct="", was="abcdef The budget is 4.", words=words)
    for open_one in (asked, asked._replace(correct="Emi starts on May 9.")):
        line = correction_line(open_one)
        assert "Not settled: “The budget is 4.” The operator said" in line
        assert words in line
        assert "May 9" not in line


def test_of_the_last_days_what_matters_comes_first_then_what_is_new() -> None:
    before = "- Old and dull.\n- Old and vital. #decision\n"
    days = [
        *passages("memory/2026-02-12.md", before, TODAY),
        *passages("memory/2026-02-13.md", "- New and dull.\n- The boiler broke.\n", TODAY),
    ]
    pieces = recent_pieces(days)
    wanted = ["Old and vital. #decision", "The boiler broke.", "New and dull.", "Old and dull."]
    assert [piece.text for piece in pieces if not piece.unfit] == [f"- {text}" for text in wanted]
    shown = sorted(pieces, key=lambda piece: piece.place)
    assert [piece.source for piece in shown] == [one.source for one in days]


# What a context promises whatever its files hold: corrections and protected lines stay.


FIRST = datetime(2026, 1, 1, tzinfo=UTC)
WHOLE = 2
"""Tokens by which parts that are counted apart may differ from the whole."""


def soul_of(size: int, *, forbids: int = 0) -> str:
    """A soul of about so many characters, with so many prohibitions at its end."""
    firm = "# Soul\n\n## Core (protected)\n\n- Tell Olga the truth about the boats\n\n## More\n\n"
    kind = "".join(f"- be kind and brief to each {at}\n" for at in range(size // 30))
    never = (f"- Never sell boat number {at} without a yes\n" for at in range(forbids))
    return firm + kind + "".join(never)


def corrections_of(count: int) -> list[Correction]:
    pier = "Boat {0} is blue, and lies at the {1}pier."
    made = [
        Correction(f"c{at:05}", FIRST + timedelta(hours=at), status=CONFIRMED)
        for at in range(count)
    ]
    return [
        one._replace(
            said=f"Boat {at} is red.", correct=pier.format(at, "long " * (at % 5))
        )._replace(re_embedded=at % 3 == 0)
        for at, one in enumerate(made)
    ]


def slots_of(
    soul: str, corrections: list[Correction], others: int = 0, profile: int = 0
) -> list[Slot]:
    """All slots, with so many lines in the notes, in what is recalled and in the notebook."""

    def lines(path: str, text: str, count: int = others) -> tuple[ContextPassage, ...]:
        return passages(path, "".join(f"- {text.format(at)}\n" for at in range(count)), TODAY)

    user = lines("USER.md", "Olga sails boat {} on a day of the week", profile)
    days = lines("memory/2026-02-13.md", "On day {} there was a talk about the harbour")
    found = lines("memory/2020-01-01.md", "The pilot of ship {} spoke of the tide")
    facts = lines("MEMORY.md", "Fee number {} rose by a tenth #decision")
    pieces = {
        "identity": identity_pieces(passages("SOUL.md", soul, TODAY), (), (), ()),
        "user_profile": user_pieces(user),
        "corrections": corrections_pieces(corrections, ()),
        "recent_memory": recent_pieces(days),
        "semantic_recall": recall_pieces([RecalledPassage(one, 0.9) for one in found]),
        "longterm_memory": longterm_pieces(facts, Settings(), TODAY, ()),
    }
    return [
        Slot(kind, getattr(Settings(), kind.setting), pieces[kind.name])
        for kind in SLOTS
        if kind.name in pieces
    ]


def named(made: Assembled, name: str) -> FilledSlot:
    return next(filled for filled in made.slots if filled.name == name)


def shown_corrections(made: Assembled) -> set[str]:
    return {choice.source for choice in named(made, "corrections").taken}


@for_each("budget", range(1994, 2007, 3))
def test_a_correction_with_room_of_its_own_stands_beside_any_soul(budget: int) -> None:
    """At each of these budgets it was dropped: prices of parts lie under that of the whole."""
    soul = "".join(f"- be kind and to each of {at}\n" for at in range(700))
    made = assemble(slots_of(soul, corrections_of(1)), budget, estimate_tokens)
    assert shown_corrections(made) == {"CORRECTIONS.md#c00000"}


def test_an_oversize_soul_keeps_to_its_slot_while_others_want_room() -> None:
    """It took 5,706 of 6,000 tokens."""
    made = assemble(slots_of(soul_of(25_000), corrections_of(3), 300, 5), 6000, estimate_tokens)
    assert named(made, "identity").tokens < 900
    for name in ("recent_memory", "semantic_recall"):
        filled = named(made, name)
        assert filled.tokens > 0.9 * filled.budget


def test_what_must_stay_and_cannot_is_told() -> None:
    made = assemble(slots_of(soul_of(300, forbids=90), []), 300, estimate_tokens)
    notes = " ".join(made.notes)
    assert "protected or forbid something" in notes
    assert made.slots[0].taken[0].why == "protected"


@for_each("budget", [420, 800])
def test_nothing_but_corrections_takes_the_room_of_what_is_protected(budget: int) -> None:
    slots = slots_of(soul_of(900, forbids=10), corrections_of(2), 3, 50)
    firm = [piece.source for piece in slots[0].pieces if piece.want is Want.FIRM]
    made = assemble([slots[0]._replace(budget=100), *slots[1:]], budget, estimate_tokens)
    assert len(shown_corrections(made)) == 2
    assert [one.source for one in made.slots[0].taken][: len(firm)] == firm


SOULS = st.builds(soul_of, st.sampled_from([0, 900, 3000, 12_000]), forbids=st.integers(0, 8))
MIXTURES = st.builds(
    slots_of,
    SOULS,
    st.integers(0, 30).map(corrections_of),
    st.sampled_from([0, 3, 80]),
    st.sampled_from([0, 3, 50]),
)
BUDGETS = st.integers(0, 20_000) | st.integers(0, 1500)


@settings(max_examples=20)
@given(MIXTURES, BUDGETS, st.integers(1, 400))
def test_a_context_keeps_its_promises(slots: list[Slot], budget: int, more: int) -> None:
    made = assemble(slots, budget, estimate_tokens)
    assert made == assemble(slots, budget, estimate_tokens)

    assert made.used == estimate_tokens(shown(made)) <= budget
    filled = [one for one in made.slots if one.text]
    assert abs(made.used - sum(one.tokens for one in filled)) <= WHOLE * max(1, len(filled))

    lines = [line for line in shown(made).split("\n") if line.startswith("- ")]
    assert len({*map(str, map(tuple, map(sayings, lines)))}) == len(lines)

    alone = assemble([slots[2]], 10**6, estimate_tokens)
    if alone.used <= min(400, budget):
        assert len(shown_corrections(made)) == len(slots[2].pieces)
    whole_budget = min(800, budget) - alone.used - 40
    firm = [piece.text for piece in slots[0].pieces if piece.want is Want.FIRM]
    if estimate_tokens("\n".join(firm)) + 40 < whole_budget:
        assert all(text in shown(made) for text in firm)

    # A larger budget never loses a correction.
    larger = assemble(slots, budget + more, estimate_tokens)
    assert shown_corrections(made) <= shown_corrections(larger)

    # Those not yet taken in come first, then the newest: what is cut is the end of that list.
    slot = named(made, "corrections")
    wanted = [piece.source for piece in slots[2].pieces]
    assert [choice.source for choice in slot.taken] == wanted[: len(slot.taken)]
    left = [choice.source for choice in slot.left if choice.why == NO_ROOM]
    assert left == wanted[len(slot.taken) :]
