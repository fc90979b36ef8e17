"""Words that the operator had forgotten, and a plain `git commit` that brings them back."""

from contextlib import closing

import pytest

from clawgit.history.forgetting.forget import forget, plan
from tests.hooks.hooked import Hooked

WORDS = "The vault opens with four seven one one"
BACK = f"# Memory\n\n- {WORDS}.\n"
REFUSED = "MEMORY.md: words that `clawgit forget` removed"


@pytest.fixture
def emptied(hooked: Hooked) -> Hooked:
    hooked.commit("MEMORY.md", BACK)
    with closing(hooked.space) as space:
        forget(space, plan(space, WORDS))
    return hooked


def test_an_agent_is_refused_and_anybody_else_is_warned(emptied: Hooked) -> None:
    assert WORDS not in (emptied.root / "MEMORY.md").read_text()
    refused = emptied.commit("MEMORY.md", BACK, CLAWGIT_ACTOR="ben")
    assert refused.refuses(REFUSED)
    assert WORDS not in refused.said
    warned = emptied.commit()
    assert (warned.code, REFUSED in warned.said) == (0, True)


def test_they_are_found_among_many_files(emptied: Hooked) -> None:
    for number in range(20):
        emptied.write(f"memory/{number}.md", "- Tea at nine. #event\n")
    emptied.stage("memory/9.md", BACK)
    refused = emptied.commit(CLAWGIT_ACTOR="ben")
    assert refused.refuses("memory/9.md: words that `clawgit forget` removed")
