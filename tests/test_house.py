"""The figures of the house, and the limit of branches that `make check` holds."""

import ast
from pathlib import Path

import pytest

from bench import house


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


def package(tmp_path: Path, **modules: str) -> Path:
    root = tmp_path / "pkg"
    root.mkdir()
    (root / "__init__.py").touch()
    for name, text in modules.items():
        (root / f"{name}.py").write_text(text)
    return root


def test_a_late_import_closes_a_cycle_and_one_for_types_does_not(tmp_path: Path) -> None:
    late = "def f():\n    from pkg.b import g\n    return g\n"
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg.c import h\n"
    root = package(tmp_path, a=late, b="from pkg import a\n" + typed, c="from pkg import b\n")

    assert house.largest_cycle(house.measured(root), root) == ["pkg.a", "pkg.b"]


def test_comments_for_tools_and_docstrings_are_not_counted(tmp_path: Path) -> None:
    text = '"""A module.\n\nOf three lines."""\nx = 1  # noqa: E501\n# Because.\ny = 2\n'
    root = package(tmp_path, a=text)

    [module] = [module for module in house.measured(root) if module.path.name == "a.py"]

    assert (module.lines, module.code, module.comments, module.noqa) == (6, 2, 1, 1)


def test_too_many_branches_and_needless_exceptions_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = "def f(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(12))
    modules = house.measured(package(tmp_path, a=busy))
    monkeypatch.setattr(house, "EXCEPTED", {"b.py:g": "a reason"})

    assert house.complaints(modules) == [
        "a.py:f has 13 branches; 12 are allowed",
        "b.py:g is excepted without need",
    ]


def test_branches_crowded_on_few_lines_are_named(tmp_path: Path) -> None:
    crowded = "def f(a):\n    return a or " + " or ".join("bcdefghi") + "\n"
    calm = "def g(a):\n" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(9))
    modules = house.measured(package(tmp_path, a=crowded + calm))

    [complaint] = house.complaints(modules)

    assert complaint.startswith("a.py:f has 4.50 branches a line")
