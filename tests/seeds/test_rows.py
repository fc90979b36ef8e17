"""docs/seeds.md tells each row of the documents; docs/make_seeds.py makes it of rows.toml."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def made() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_seeds", ROOT / "docs" / "make_seeds.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_row_names_a_test_that_is_there(made: ModuleType) -> None:
    assert made.unknown() == []


def test_each_test_of_the_documents_is_on_the_page(made: ModuleType) -> None:
    page = made.page()
    assert [test for test in made.tests() if test not in page] == []
