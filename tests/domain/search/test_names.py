"""Other names that the memory gives."""

from clawgit.domain.search.names import groups_in, other_names
from tests.each import for_each


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
