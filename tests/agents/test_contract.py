"""What agents work with: a draft of files, ids that a run repeats, and the table of those who
propose."""

import ast
import inspect
from pathlib import Path

from clawgit.agents import AGENTS
from clawgit.agents.contract import Draft, FileEdit, Snapshot
from clawgit.core.config.settings import Settings
from clawgit.git.rules.actors import actor_named, is_known
from tests.conftest import NOW
from tests.each import for_each

FILES = {"MEMORY.md": "a\n", "SOUL.md": "s\n"}


def test_a_draft_shows_what_it_will_be() -> None:
    draft = Draft(FILES)
    draft.put("MEMORY.md", "b\n")
    draft.put("new.md", "n\n")
    draft.delete("SOUL.md")
    assert (draft.read("MEMORY.md"), draft.read("SOUL.md"), draft.read("none.md")) == (
        "b\n",
        "",
        "",
    )
    assert [path in draft for path in ("MEMORY.md", "SOUL.md", "new.md", "none.md")] == [
        True,
        False,
        True,
        False,
    ]
    assert draft.edits == (
        FileEdit("MEMORY.md", "a\n", "b\n"), FileEdit("SOUL.md", "s\n", None),
        FileEdit("new.md", None, "n\n"),
    )  # fmt: skip


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
def test_each_agent_of_the_table_is_there(name: str) -> None:
    agent = AGENTS[name]
    assert callable(agent.propose)
    assert (agent.name, is_known(actor_named(name).name)) == (name, True)
    assert agent.does.endswith(".")


@for_each("name", AGENTS)
def test_the_files_of_the_agents_are_shaped_alike(name: str) -> None:
    source = Path(inspect.getfile(AGENTS[name].propose)).read_text("utf-8")
    body = ast.parse(source).body
    functions = [part for part in body if isinstance(part, ast.FunctionDef)]
    assert ast.get_docstring(ast.parse(source))
    assert ast.unparse(functions[0].args) == "snapshot: Snapshot"
    assert (functions[0].name, ast.unparse(functions[0].returns or ast.Pass())) == (
        "propose",
        "ChangeSet",
    )
