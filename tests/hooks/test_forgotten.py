"""Words that the operator had forgotten, and a plain `git commit` that brings them back."""

from contextlib import closing

import pytest

from clawgit.health.status import status
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


def alerts(hooked: Hooked) -> list[str]:
    with closing(hooked.space) as space:
        return [alert.message for alert in status(space).alerts if "forget" in alert.message]


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


def test_what_passes_the_hooks_is_an_alert(emptied: Hooked) -> None:
    assert alerts(emptied) == []
    emptied.commit("MEMORY.md", BACK, "--no-verify", "-m", "back")
    assert len(alerts(emptied)) == 1
    assert "brought back words that `clawgit forget` removed" in alerts(emptied)[0]
