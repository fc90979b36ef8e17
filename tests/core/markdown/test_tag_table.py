"""A new tag, class of facts or layer is one row of a table: each place that names tags derives from
it."""

import sys
import textwrap
from pathlib import Path

import clawgit
from clawgit.core.markdown.tag_table import PRIMARY, is_struck
from clawgit.language.judges.weights import head
from tests.conftest import run_to_end
from tests.each import for_each

_WITH_A_ROW = """
    import sys
    from datetime import datetime, UTC
    from importlib.util import module_from_spec, spec_from_loader

    def with_row(name, path, before, row):
        source = open(path, encoding="utf-8").read()
        assert source.count(before) == 1
        module = module_from_spec(spec_from_loader(name, None))
        module.__file__ = path
        sys.modules[name] = module
        exec(compile(source.replace(before, before + row), path, "exec"), module.__dict__)

    with_row("clawgit.core.markdown.tag_table", TAGS_PATH, "TAGS = (",
             'Tag("recipe", heading="Recipes", words="preheat", '
             'question="what do we cook", importance=3),')
    with_row("clawgit.memory.rules.organizing", CLASSES_PATH, "CLASS_ROWS = (",
             'FactClass("kitchen", "what is cooked", days=3),')

    from clawgit.agents import organizer
    from clawgit.memory.rules import contradicting
    from clawgit.talk.rules import passage
    from clawgit.memory.rules.fact import worded
    from clawgit.core.markdown.entry import entries, problems
    from clawgit.core.markdown.tag_table import untagged
    from clawgit.memory.rules.organizing import expires, page_of
    from clawgit.search.narrowing import asked_for
    from clawgit.workspace.rules.routing import route
    from clawgit.front.mcp.tools import TOOLS

    now = datetime(2026, 2, 14, tzinfo=UTC)
    text, tag = worded("Preheat the oven to 180 degrees")
    assert tag == "recipe"
    assert worded("Bread", "recipe")[0] == "Bread #recipe"
    assert route(text, tag, now).heading == "Recipes"
    assert entries("- Bread #recipe\\n")[0].primary == "recipe"
    assert untagged("Bread #recipe") == "Bread"
    assert problems("MEMORY.md", "- Bread #recipe #skill\\n")
    assert asked_for("What do we cook?") == "recipe"
    assert "what is cooked" in organizer.INSTRUCTIONS
    assert "recipe" in str(TOOLS["memory_add"].schema)
    assert passage._TAGGED["recipe"] == 3
    assert "recipe" in contradicting._SETTLED_BY_AGE
    assert page_of("kitchen") == "memory/structured/kitchen.md"
    assert str(expires("kitchen", now.date())) == "2026-02-17"
"""


def test_a_row_is_all_that_a_new_tag_or_class_needs() -> None:
    folder = Path(clawgit.__file__).parent
    paths = (
        f"TAGS_PATH = {str(folder / 'core/markdown/tag_table.py')!r}\n"
        f"CLASSES_PATH = {str(folder / 'memory/rules/organizing.py')!r}\n"
    )
    script = paths + textwrap.dedent(_WITH_A_ROW)
    done = run_to_end(sys.executable, "-c", script, timeout=60)
    assert (done.stderr, done.returncode) == ("", 0)


def test_the_judge_gives_only_tags_of_the_table() -> None:
    assert set(head("tags").classes) <= set(PRIMARY)


@for_each(
    "text, struck",
    [
        ("~~The gate code is 4711.~~", True),
        ("- ~~The gate code is 4711.~~ #knowledge", True),
        ("- [x] ~~Oil the winches~~", True),
        ("**~~The gate code is 4711.~~**", True),
        ("[2026-02-01] ~~The gate code is 4711.~~", True),
        ("The gate code is 4711.", False),
        ("The gate code is ~~4711~~ 4712.", False),
        ("~~The gate code is 4711.~~ It is 4712 now.", False),
        ("- ~~The gate code is 4711.~~\n  - The other is 12.", False),
        ("~~The gate code is 4711.", False),
        ("about ~~ and ~", False),
    ],
)
def test_a_line_is_struck_through_as_a_whole_or_it_stands(text: str, *, struck: bool) -> None:
    assert is_struck(text) is struck
