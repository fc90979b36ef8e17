"""Names that the memory gives, and which items a question means by them."""

from datetime import UTC, datetime
from typing import NamedTuple

from clawgit.domain.search.names import (
    book_of,
    groups_in,
    named,
    names_of,
    other_names,
    spoken,
)
from clawgit.domain.search.question import read_question
from tests.each import for_each

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)


class Line(NamedTuple):
    id: int
    text: str
    kind: str = "item"
    headings: tuple[str, ...] = ()


KILN, CART, ANA = (
    Line(1, "**electric kiln** (aka Big Bertha, the oven, firing box): takes forty pots."),
    Line(2, "cargo bike (also known as Lastenrad, Wheelhouse): needs new tyres, and a box."),
    Line(3, "Ana (aka Annie) welds the cargo bike and cleans the kiln."),
)


def meant(text: str, *lines: Line, unknown: frozenset[str] = frozenset()) -> tuple[set[int], ...]:
    lines = lines or (KILN, CART, ANA)
    question = read_question(text, NOW)._replace(unknown=unknown)
    names = book_of(lines).names
    found = named(question, spoken(question, names), names, {line.id: line.text for line in lines})
    return {*found.meant}, {*found.others}


@for_each(
    "line, names",
    [
        (KILN, [("electric", "kiln"), ("big", "bertha"), ("the", "oven"), ("firing", "box")]),
        (Line(1, "Kiln handbook (Ofen): firing", "front"), [("kiln", "handbook"), ("ofen",)]),
        (Line(1, "Kiln handbook (Ofen): firing"), []),
        (
            Line(1, "We met Robert (aka Bob): he paints, said Ana (aka Annie)."),
            [("we", "met", "robert"), ("bob",)],
        ),
        (Line(1, "Lunch at noon: Robert (aka Bob) came."), []),
        (Line(1, "李小明（老板）"), []),
        (Line(1, "李小明 (又名 老板): 付款"), [("李小", "小明"), ("老板",)]),
    ],
)
def test_an_item_begins_with_its_names(line: Line, names: list[tuple[str, ...]]) -> None:
    assert [*names_of(line)] == names


@for_each(
    "question, items",
    [
        ("how hot does big bertha get?", {1}),
        ("is the Oven on", {1}),
        ("which pots fit into the firing boxes", set()),
        ("a firing of the box", set()),
        ("Who uses the electric kilns and the Lastenrad?", {1, 2}),
        ("a box", set()),
    ],
)
def test_a_question_means_the_items_whose_whole_name_it_says(
    question: str, items: set[int]
) -> None:
    assert meant(question)[0] == items


@for_each(
    "question, unknown, items",
    [
        ("the firng box", "firng", {1}),
        ("the fring bux", "fring bux", set()),
        ("the wheelhuose", "wheelhuose", {2}),
        ("the wheelhuose", "", set()),
        ("Anna", "anna", set()),
    ],
)
def test_a_word_that_stands_nowhere_may_be_a_slip_in_a_name(
    question: str, unknown: str, items: set[int]
) -> None:
    assert meant(question, unknown=frozenset(unknown.split()))[0] == items


def test_what_has_other_names_is_about_something_else_unless_it_adds_to_what_is_named() -> None:
    assert meant("who welds the cargo bike?")[1] == {1}
    assert meant("the oven, does it work?")[1] == {2, 3}
    assert meant("What does nobody name?") == (set(), set())
    # Ana's line holds the name too, but nothing else of the question.
    assert meant("the cargo bike tyres")[1] == {1, 3}
    shed = Line(4, "shed of the cargo bike (aka Garage): has a new roof.")
    assert meant("roof of the Garage", KILN, CART, shed) == ({4}, {1})


def test_an_item_without_names_is_never_about_something_else() -> None:
    assert meant("Lastenrad tyres", CART, Line(5, "Tyres are sold at Main Street.")) == ({2}, set())


@for_each(
    "text, title, groups",
    [
        ("- Robert (aka Bob) paints.", (), [("Robert", "Bob")]),
        ("- WB = workbench\n", (), [("WB", "workbench")]),
        ("**Ann Lee** (also known as Annie, Nan) sang", (), [("Ann Lee", "Annie", "Nan")]),
        ("count = 3 and Robert (the painter)", (), []),
        ("- **Name:** Robert Sims\n- **Call them:** Bob\n", (), [("Robert Sims", "Bob")]),
        ("- **Name:**\n- **Call them:** Bob\n", (), []),
        ("Aliases: Annie, Nan", ("Ana Lima",), [("Ana Lima", "Annie", "Nan")]),
        ("Aliases: Annie", (), []),
    ],
)
def test_what_a_text_says_of_names(
    text: str, title: tuple[str, ...], groups: list[tuple[str, ...]]
) -> None:
    assert [*groups_in(text, title)] == groups


@for_each(
    "question, others",
    [
        ("What did Bob paint?", {"bob": ("robert", "sims")}),
        ("Sims paints", {"sims": ("bob",)}),
        ("robert sims, also called Bob", {}),
        ("how do we handle errors", {}),
        ("error handling", {"error": ("exceptions",), "handling": ("exceptions",)}),
        ("exceptions", {}),
    ],
)
def test_a_name_that_is_said_brings_the_other_names(
    question: str, others: dict[str, tuple[str, ...]]
) -> None:
    groups = [("Robert Sims", "Bob"), ("error handling", "exceptions")]
    assert {word: some for word, some in other_names(question, groups).items() if some} == others


def test_a_name_of_marks_alone_is_no_name() -> None:
    [group] = groups_in("- **Name:** Bob\n- **Nickname:** --, {\n")

    assert other_names("what did bob pour", [group]) == {"bob": ()}
