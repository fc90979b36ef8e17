"""What the code weighs, and the ceilings and the limit of branches that `make check` holds."""

from bench import house
from bench.house import House


def test_a_function_of_too_many_branches_is_named() -> None:
    busy = "def f(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(12))
    complaints = house.too_branched(house.functions({"a.py": busy}))
    assert complaints == ["a.py:f has 13 branches; 12 are allowed"]


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
