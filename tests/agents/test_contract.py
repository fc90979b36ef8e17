"""What agents work with: a draft of files, ids that a run repeats, and the table of those who
propose."""

import ast
import inspect
from pathlib import Path

from clawgit.agents import AGENTS
from clawgit.agents.contract import Snapshot
from clawgit.core.config.settings import Settings
from tests.conftest import NOW
from tests.each import for_each

FILES = {"MEMORY.md": "a\n", "SOUL.md": "s\n"}


def test_a_run_gives_the_same_ids_again_and_none_that_is_taken() -> None:
    seen = Snapshot(NOW, Settings(), FILES, run="r1")
    ident = seen.fresh_id("tea")
    assert ident == seen.fresh_id("tea") != seen.fresh_id("coffee")
    assert seen.fresh_id("tea", f"claw:{ident}") != ident
    assert seen._replace(run="r2").fresh_id("tea") != ident
    many = set[str]()
    for _ in range(200):  # a note may say the same that often
        many.add(seen.fresh_id("tea", many))
    assert len(many) == 200


@for_each("name", AGENTS)
def test_the_files_of_the_agents_are_shaped_alike(name: str) -> None:
    source = Path(inspect.getfile(AGENTS[name].propose)).read_text("utf-8")
    body = ast.parse(source).body
    functions = [part for part in body if isinstance(part, ast.FunctionDef)]
    assert ast.get_docstring(ast.parse(source))
    assert ast.unparse(functions[0].args) == "snapshot: Snapshot"
    assert functions[0].name == "propose"
    assert ast.unparse(functions[0].returns or ast.Pass()) == "ChangeSet"
