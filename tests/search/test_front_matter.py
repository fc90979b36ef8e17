"""Notes with front matter, as vaults and Claude memories have them: found, shown, searchable."""

import os
from pathlib import Path

import pytest

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.search.search import Hit, Request, search
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW, Git

_KILN = """\
---
title: Kiln handbook
aliases:
  - Brennofen
  - Ofen
tags: [pottery, decision]
description: How the big kiln is fired
created: 2026-01-01
---

Open the vents slowly.

## Glazes

- The blue glaze runs above 1,200 degrees.
"""
_ROLE = """\
---
name: user-role
description: Ana is a structural engineer who reviews bridges
metadata:
  type: user
---

She wants numbers with their units.
"""


@pytest.fixture
def notes(git: Git) -> Git:
    git.write("MEMORY.md", "# Memory\n\n- The studio opens at nine.\n- We rent it. #decision\n")
    git.write("memory/20260101.md", _KILN)
    git.write("memory/user_role.md", _ROLE)
    git.commit_all("start")
    return git


def hits(git: Git, query: str, **more: object) -> tuple[Hit, ...]:
    place = find_repo(git.root)
    env = {**os.environ, "CLAWGIT_SEARCH_MODE": "core"}
    here = Workspace(place, Caller(OPERATOR, env, NOW, Path(os.environ["HOME"])))
    return search(here, Request(query, **more)).results  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["Brennofen", "how is the big kiln fired"])
def test_a_note_is_found_by_what_it_says_about_itself(notes: Git, query: str) -> None:
    hit = hits(notes, query, full=True)[0]
    assert (hit.path, hit.line, hit.lastLine) == ("memory/20260101.md", 2, 8)
    assert hit.snippet.startswith(
        "Kiln handbook · Brennofen, Ofen · How the big kiln is fired · #pottery #decision"
    )
    assert hit.text is not None
    assert hit.text.startswith(hit.snippet)
    assert "aliases:" not in hit.text
    assert "---" not in hit.text


def test_the_tags_of_a_note_hold_for_its_lines(notes: Git) -> None:
    assert hits(notes, "blue glaze degrees", category="decision")[0].line == 15
    assert not hits(notes, "blue glaze degrees", category="events")
    assert [hit.path for hit in hits(notes, "studio rent opens", category="decision")][:1] == [
        "MEMORY.md"
    ]
