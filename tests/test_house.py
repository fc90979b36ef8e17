"""What the code weighs, and the ceilings and the limit of branches that `make check` holds."""

import ast
from pathlib import Path

import pytest

from bench import house
from bench.house import House
from tests.conftest import Git


def branches_of(source: str) -> int:
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return house.branches(function)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a", 1),
        ("if a:\n        return b", 2),
        ("return a and b or c", 3),
        ("return a if b else c if d else e", 3),
        ("return [x for x in a if x if not b]", 4),
        ("try:\n        a()\n    except OSError:\n        b()", 2),
        ("match a:\n        case 1:\n            b()\n        case _:\n            c()", 3),
    ],
)
def test_what_is_written_as_an_expression_counts_as_a_branch(body: str, expected: int) -> None:
    assert branches_of(f"def f(a, b, c):\n    {body}\n") == expected


def test_a_function_of_too_many_branches_is_named() -> None:
    busy = "def f(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(12))
    complaints = house.too_branched(house.functions({"a.py": busy}))
    assert complaints == ["a.py:f has 13 branches; 12 are allowed"]


def test_branches_crowded_on_few_lines_are_named() -> None:
    crowded = "def f(a):\n    return a or " + " or ".join("bcdefghi") + "\n"
    calm = "def g(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(9))
    [complaint] = house.too_branched(house.functions({"a.py": crowded + calm}))
    assert complaint.startswith("a.py:f has 4.50 branches a line")


@pytest.mark.parametrize(
    ("source", "weight"),
    [
        ("x = 1\n", 3),
        ("x = (\n    1\n)\n", 5),
        ("# Because.\n\nx = 1  # noqa\n", 3),
        ('"""A docstring, however long it may be."""\n', 1),
        ('x = "sixteen letters!"\n', 4),
        ('x = "short"\n', 3),
    ],
)
def test_ideas_have_weight_and_layout_has_none(source: str, weight: int) -> None:
    assert house.weigh(source) == weight


def test_a_folder_is_a_room() -> None:
    stands = house.standing({"a.py": "x = 1\n", "cli/b.py": "y\n", "cli/memory/c.py": "z\n\n"})
    assert stands == House(weight=5, lines=4, files=3, rooms={".": 3, "cli": 2})


STOOD = House(100, 20, 3, {"cli": 60, "ops": 40})


def test_what_stands_above_its_ceiling_is_named() -> None:
    now = House(101, 20, 4, {"cli": 60, "ops": 39, "new": 2})
    assert house.above(now, STOOD) == [
        "the weight is 101; 100 is allowed",
        "the files is 4; 3 is allowed",
        "the weight of new is 2; 0 is allowed",
    ]
    assert house.above(STOOD, STOOD) == []


def test_a_ceiling_may_only_fall() -> None:
    more_lines = STOOD._replace(lines=21)
    assert house.raised(more_lines, STOOD) == [
        "the ceiling of lines rises from 20 to 21; it may only fall"
    ]
    moved = {"cli": 61, "ops": 39}
    assert house.raised(STOOD._replace(rooms=moved), STOOD) == [
        "the ceiling of cli rises from 60 to 61; it may only fall"
    ]


def test_the_ceiling_of_a_room_may_rise_where_the_whole_falls() -> None:
    assert house.raised(STOOD._replace(weight=99, rooms={"cli": 61, "ops": 38}), STOOD) == []


def test_the_ceilings_of_the_last_commit_are_those_that_it_holds(git: Git, tmp_path: Path) -> None:
    assert house.committed(git.root) is None
    git.write(house.CEILINGS, house.written(STOOD))
    git.commit_all("ceilings")
    git.write(house.CEILINGS, house.written(STOOD._replace(weight=1)))
    assert house.committed(git.root) == STOOD
