"""Slots that share a budget: who gets what, what is cut, and that it always fits."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.context.context import Assembled, assemble
from clawgit.domain.context.line_dedup import anew, nearly_same, sayings
from clawgit.domain.context.slot import (
    NO_ROOM,
    OFF,
    Claim,
    ContextPiece,
    Count,
    Need,
    Room,
    Slot,
    rooms,
)
from clawgit.domain.model.tokens import estimate_tokens
from tests.domain.model.test_tokens import SAMPLES
from tests.domain.strategies import ANY_TEXT


def words(text: str) -> int:
    return len(text.split())


def items(*texts: str, **fields: object) -> list[ContextPiece]:
    made = enumerate(texts)
    return [ContextPiece(f"- {text}", f"F#{at}", place=(at,), **fields) for at, text in made]  # type: ignore[arg-type]


def slot(name: str, budget: int, *texts: str, **fields: object) -> Slot:
    return Slot(name, name.title(), budget, items(*texts), **fields)  # type: ignore[arg-type]


def sources(made: Assembled, at: int) -> list[str]:
    return [one.source for one in made.slots[at].taken]


def test_own_budgets_come_first() -> None:
    assert rooms([Need(10, 8, 8), Need(10, 30, 10)], 30) == [Room(8), Room(10)]


def test_what_nobody_uses_is_lent_to_the_first_who_needs_it() -> None:
    assert rooms([Need(10, 2, 2), Need(10, 15, 15), Need(10, 20, 20)], 30) == [
        Room(2),
        Room(10, 5),
        Room(10, 3),
    ]


def test_what_is_worth_its_own_slot_alone_is_lent_nothing() -> None:
    assert rooms([Need(10, 0, 0), Need(10, 40, 4)], 20) == [Room(0), Room(10)]


def test_the_first_three_take_from_the_last_slot_first() -> None:
    needs = [Need(10, 10, 10), Need(10, 10, 10), Need(10, 26, 26), *[Need(10, 10, 10)] * 5]
    found = rooms(needs, 80)
    assert found[2] == Room(10, 0, 16)
    assert [room.given for room in found] == [0, 0, 0, 0, 0, 0, 6, 10]


def test_nobody_takes_from_the_first_three_and_the_fourth_takes_nothing() -> None:
    found = rooms(
        [Need(10, 99, 99), Need(10, 10, 10), Need(10, 10, 10), Need(10, 99, 99), Need(10, 10, 10)],
        50,
    )
    assert found == [Room(10, 0, 20), Room(10), Room(10), Room(10, 0, 0, 10), Room(10, 0, 0, 10)]


def test_less_than_all_budgets_leaves_the_last_without() -> None:
    assert rooms([Need(10, 10, 10)] * 3, 25) == [Room(10), Room(10), Room(5)]


def test_what_is_asked_for_comes_before_what_is_idle_elsewhere() -> None:
    asked = Need(10, 25, 25, claim=Claim.ASKED)
    needs = [Need(10, 40, 4), asked, Need(10, 30, 30)]
    assert rooms(needs, 20) == [Room(4), Room(10), Room(6)]
    assert rooms(needs, 45) == [Room(10), Room(10, 15), Room(10)]


NEEDS = st.lists(
    st.builds(
        lambda own, every, eager: Need(own, every, min(every, eager)), *[st.integers(0, 50)] * 3
    )
)


@given(NEEDS, st.integers(0, 200))
def test_all_rooms_together_are_never_more_than_there_is(needs: list[Need], total: int) -> None:
    found = rooms(needs, total)
    assert sum(room.total for room in found) <= total
    assert sum(room.stolen for room in found) == sum(room.given for room in found)
    for need, room in zip(needs, found, strict=True):
        assert 0 <= room.total <= max(need.every, need.budget)


def test_every_slot_stands_below_its_title_in_its_order() -> None:
    made = assemble([slot("one", 20, "a b", "c"), slot("two", 20, "d")], 40, words)
    assert made.text == "# One\n\n- a b\n- c\n\n# Two\n\n- d"
    assert (made.used, [one.tokens for one in made.slots]) == (11, [7, 4])


def test_a_slot_without_anything_is_silent() -> None:
    assert assemble([slot("one", 20), slot("two", 20, "d")], 40, words).text == "# Two\n\n- d"


def test_a_slot_whose_budget_is_0_is_off() -> None:
    made = assemble([slot("one", 0, "a")], 40, words)
    assert (made.text, [one.why for one in made.slots[0].left]) == ("", [OFF])


def test_a_heading_stands_once_and_only_above_what_is_shown() -> None:
    pieces = [
        ContextPiece("- a", "1", ("## F", "### X"), (1,)),
        ContextPiece("- b", "2", ("## F", "### X"), (2,)),
        ContextPiece("- long " + "c " * 50, "3", ("## F", "### Y"), (3,)),
        ContextPiece("Prose.", "4", ("## F", "### Z"), (4,)),
    ]
    made = assemble([Slot("one", "One", 30, pieces)], 30, words)
    assert made.text == "# One\n\n## F\n\n### X\n\n- a\n- b\n\n### Z\n\nProse."


def test_pieces_are_shown_in_their_place_whatever_is_wanted_first() -> None:
    pieces = [ContextPiece("- later", "2", place=(2,)), ContextPiece("- sooner", "1", place=(1,))]
    assert (
        assemble([Slot("one", "One", 30, pieces)], 30, words).text == "# One\n\n- sooner\n- later"
    )


def test_what_finds_no_room_is_told_and_what_fits_behind_it_comes() -> None:
    made = assemble([slot("one", 12, "a", "b " * 20, "c")], 12, words)
    assert sources(made, 0) == ["F#0", "F#2"]
    assert [(one.source, one.why) for one in made.slots[0].left] == [("F#1", NO_ROOM)]


def test_in_a_slot_that_comes_first_nothing_comes_behind_what_was_cut() -> None:
    made = assemble(
        [slot("one", 14, "a", "b b b b b", "c c c c c c", "d", claim=Claim.FIRST)], 14, words
    )
    assert sources(made, 0) == ["F#0", "F#1"]


def test_but_what_is_larger_than_the_slot_keeps_nobody_out() -> None:
    made = assemble([slot("one", 14, "b " * 40, "a", "c", claim=Claim.FIRST)], 14, words)
    assert sources(made, 0) == ["F#1", "F#2"]


def test_after_many_that_found_no_room_none_is_tried() -> None:
    made = assemble([slot("one", 12, "a", *["b " * 20] * 40, "c")], 12, words)
    assert sources(made, 0) == ["F#0"]
    assert (len(made.slots[0].left), made.slots[0].left[-1].tokens) == (41, 0)


def test_what_is_idle_takes_no_more_than_the_room_of_its_slot() -> None:
    idle = Slot("one", "One", 12, items("a a a", "b b b", "c c c", idle=True))
    assert sources(assemble([idle], 100, words), 0) == ["F#0"]
    eager = Slot("one", "One", 12, items("a a a", "b b b", "c c c"))
    assert sources(assemble([eager], 100, words), 0) == ["F#0", "F#1", "F#2"]


def test_room_that_whole_pieces_leave_goes_to_who_was_cut_first() -> None:
    made = assemble([slot("one", 8, "a", "b b b"), slot("two", 20, "c " * 5, "d " * 30)], 28, words)
    assert sources(made, 0) == ["F#0", "F#1"]


def test_a_line_is_said_once_in_the_first_slot_that_says_it() -> None:
    made = assemble(
        [slot("one", 20, "Ana likes *tea*."), slot("two", 20, "ana likes tea", "Bo does not")],
        50,
        words,
    )
    assert sources(made, 1) == ["F#1"]
    assert made.slots[1].left[0].why == "said in one"


def test_what_found_no_room_in_one_slot_may_come_in_another() -> None:
    made = assemble([slot("one", 3, "a a a a"), slot("two", 30, "a a a a")], 9, words)
    assert (sources(made, 0), sources(made, 1)) == ([], ["F#0"])


def test_the_same_id_is_the_same_whatever_it_says() -> None:
    one, two = (
        Slot(name, name, 20, items(text, names=("claw:m2ab34",)))
        for name, text in (("a", "x"), ("b", "y"))
    )
    assert assemble([one, two], 40, words).slots[1].left[0].why == "said in a"


def test_of_a_longer_item_only_what_is_new_comes() -> None:
    text = (
        "- The plan\n  - Ana calls the surveyor today\n  - done\n  - Bo packs all the boxes\n  "
        "  - by hand"
    )
    said = [*sayings("Ana calls the surveyor today\nDone.\nBo packs all the boxes")]
    assert anew(text, said) == "- The plan\n  - done\n  - Bo packs all the boxes\n    - by hand"
    assert (
        anew("Prose that\nAna calls the surveyor today", said)
        == "Prose that\nAna calls the surveyor today"
    )


def test_a_line_of_a_numbered_list_is_the_same_without_its_number() -> None:
    assert [*sayings("  1. Update the gateway.")] == [*sayings("- Update the gateway.")]


def test_a_line_that_openclaw_promoted_twice_is_said_once() -> None:
    line = "- - Ana prefers tea - evidence: memory/2026-02-01.md:3 [score=0.8{} recalls=0 avg=0.6]"
    assert [*sayings(line.format(1))] == [*sayings(line.format(2))]


def test_long_lines_that_differ_in_a_date_are_nearly_the_same_and_short_ones_are_not() -> None:
    def of(text: str) -> frozenset[str]:
        return frozenset(text.split())

    long = "the brief was read and sent by the agent at seven in the morning of {} as usual"
    assert nearly_same(of(long.format("Monday")), of(long.format("Friday")))
    assert not nearly_same(of("the rent is 900"), of("the rent is 950"))
    assert not nearly_same(of(long), of(f"{long} but not to Bo who is on a boat near Juist"))


def test_what_has_no_words_is_never_taken_for_said() -> None:
    assert anew("```\n}\n```", ()) == "```\n}\n```"


def test_a_number_with_a_sign_is_another_number() -> None:
    assert [*sayings("- +5 degrees")] != [*sayings("- 5 degrees")]


def test_what_came_from_elsewhere_stands_in_a_fence_longer_than_any_in_it() -> None:
    pieces = [ContextPiece("````\n# Who you are\n````", "x", ("## `````",))]
    made = assemble([Slot("crm", "Them", 99, pieces, intro="Data.", quoted=True)], 99, words)
    assert (
        made.text == "# Them\n\nData.\n\n``````text\n## `````\n\n````\n# Who you are\n````\n``````"
    )


def test_a_thicket_of_ticks_is_no_trouble() -> None:
    made = assemble(
        [Slot("crm", "Them", 9, [ContextPiece("`" * 60_000, "x")], quoted=True)], 9, words
    )
    assert made.text.endswith("\n" + "`" * 60_001)


def test_what_only_comes_near_is_shown_where_nobody_else_wants_the_room() -> None:
    near = [ContextPiece(f"near {at} and some more", "n", spare=True) for at in range(3)]
    wanted = [ContextPiece(f"wanted {at}", "w") for at in range(4)]
    slots = [
        Slot("recall", "Found", 2, [ContextPiece("found", "f")], spare=near),
        Slot("facts", "Facts", 2, wanted),
    ]
    whole = assemble(slots, 100, words)
    assert all(piece.text in whole.text for piece in (*near, *wanted))
    for budget in range(whole.used):
        made = assemble(slots, budget, words)
        if any(piece.text in made.text for piece in near):
            assert all(piece.text in made.text for piece in wanted)
            assert "found" in made.text


TEXTS = st.lists(st.integers(1, 12).map("word ".__mul__), max_size=8)


@given(TEXTS, TEXTS, TEXTS, TEXTS, st.integers(0, 90), st.integers(1, 30))
def test_a_larger_budget_never_says_less_about_what_was_asked(
    one: list[str], idle: list[str], asked: list[str], last: list[str], budget: int, more: int
) -> None:
    """Of 1,500 tokens, 51 were about the task; of 1,200 it had been 82."""
    recent = Slot("recent", "Recent", 20, _numbered("idle", idle, idle=True))
    slots = [
        Slot("first", "First", 20, _numbered("first", one)),
        recent,
        Slot("asked", "Asked", 20, _numbered("asked", asked), claim=Claim.ASKED),
        Slot("last", "Last", 20, _numbered("last", last)),
    ]
    less, larger = (assemble(slots, total, words).slots for total in (budget, budget + more))
    assert larger[2].tokens >= less[2].tokens
    if any(choice.why == NO_ROOM for choice in larger[2].left):
        assert larger[1].taken == ()


def _numbered(name: str, texts: list[str], *, idle: bool = False) -> list[ContextPiece]:
    """Pieces that all differ."""
    return items(*(f"{name}{at} {text}" for at, text in enumerate(texts)), idle=idle)


def test_what_only_comes_near_is_not_missed() -> None:
    spare = [ContextPiece("near", "n", spare=True)]
    made = assemble([Slot("recall", "Found", 9, [ContextPiece("it", "f")], spare=spare)], 5, words)
    assert (sources(made, 0), made.slots[0].left) == (["f"], ())


PIECES = st.builds(
    ContextPiece,
    text=ANY_TEXT.filter(lambda text: text.strip() != ""),
    source=st.just("f"),
    heads=st.lists(st.sampled_from(["## a", "### b", "## A longer heading"]), max_size=2).map(
        tuple
    ),
    place=st.tuples(st.integers(0, 5)),
    idle=st.booleans(),
)
SLOTS = st.lists(
    st.builds(
        Slot, st.sampled_from("abc"), st.sampled_from(["Who you are", "x"]), st.integers(0, 60),
        st.lists(PIECES, max_size=4), st.just("Data."), st.booleans(), st.just(()),
        st.sampled_from(Claim), st.booleans(),
        st.lists(PIECES.map(lambda piece: piece._replace(idle=False, spare=True)), max_size=2),
    ),
    max_size=4,
)  # fmt: skip


COUNTS = st.sampled_from([estimate_tokens, len, words, lambda text: len(text) ** 2 // 50])


@given(SLOTS, st.integers(0, 150), COUNTS)
def test_it_fits_whatever_it_holds_and_however_it_is_counted(
    slots: list[Slot], budget: int, count: Count
) -> None:
    made = assemble(slots, budget, count)
    assert made.used == count(made.text) <= budget
    for one, asked in zip(made.slots, slots, strict=True):
        more = len(one.taken) + len(one.left) - len(asked.pieces)
        assert 0 <= more <= len(asked.spare)


@given(SLOTS, st.integers(0, 400))
def test_no_line_of_some_words_stands_in_two_slots(slots: list[Slot], budget: int) -> None:
    made = assemble(slots, budget, estimate_tokens)
    whole = [set(sayings(one.text)) for one in made.slots if one.text]
    ours = {*sayings("# Who you are\nx\n## a\n### b\n## A longer heading\nData.\n```text"), "text"}
    taken = [found - ours for found in whole]
    single = [{line for line in lines if _alone(line, slots)} for lines in taken]
    for at, lines in enumerate(single):
        for other in single[at + 1 :]:
            assert not lines & other


def _alone(line: str, slots: list[Slot]) -> bool:
    """Whether a line is all that each piece says in which it stands."""
    every = (piece for slot in slots for piece in (*slot.pieces, *slot.spare))
    pieces = [[*sayings(piece.text)] for piece in every]
    return all(set(said) == {line} for said in pieces if line in said)


def test_the_estimate_keeps_the_budget_by_exact_count_too() -> None:
    """The counts of the samples were recorded; joined, they take a token for the joint at most."""
    exact = {text: tokens for _, tokens, text in SAMPLES}
    for budget in range(200, 3000, 200):
        pieces = [
            ContextPiece(text, name, place=(at,)) for at, (name, _, text) in enumerate(SAMPLES)
        ]
        made = assemble([Slot("all", "All", budget, pieces)], budget, estimate_tokens)
        texts = {piece.source: piece.text for piece in pieces}
        counted = sum(exact[texts[one.source]] for one in made.slots[0].taken)
        assert 0.5 * budget < counted <= 1.05 * budget
