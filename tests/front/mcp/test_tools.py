"""The table of tools: what a model is told of each holds."""

import json
import re
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it comes with mcp, without stubs

from clawgit.core.tokens import estimate_tokens
from clawgit.front.mcp.tools import TOOLS
from clawgit.front.mcp.worker import Tool
from tests.each import for_each

_EXAMPLE = re.compile(r"\{.*?\}(?=$|[ ,])")


@for_each("tool", TOOLS.values())
def test_its_examples_are_calls_that_it_takes(tool: Tool) -> None:
    said = tool.schema
    Draft202012Validator.check_schema(said)
    examples: list[dict[str, Any]] = [
        json.loads(one) for one in _EXAMPLE.findall(tool.about.partition("Example: ")[2])
    ]
    assert examples
    for example in examples:
        assert Draft202012Validator(said).is_valid(example)
        assert len(tool.taken(example)) == len(example)


def test_only_who_writes_has_a_dry_run() -> None:
    dry = {name for name, tool in TOOLS.items() if {"dryRun", "dry_run"} & {*tool.params}}
    assert dry == {name for name, tool in TOOLS.items() if tool.writes}


def test_the_list_is_worth_its_place_in_a_context() -> None:
    listed = [
        {"name": tool.name, "about": tool.about, "takes": tool.schema} for tool in TOOLS.values()
    ]
    assert estimate_tokens(json.dumps(listed)) < 5500


def test_the_guide_names_every_tool() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text("utf-8")
    assert [name for name in TOOLS if f"`{name}`" not in guide] == []
