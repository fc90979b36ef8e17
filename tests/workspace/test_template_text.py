"""Which texts are those of templates."""

from collections.abc import Iterator

import pytest

from bench.make_forms import rows
from clawgit.core.markdown.item import items
from clawgit.front import setup
from clawgit.search.answer import Request
from clawgit.search.search import Searcher
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from clawgit.workspace import template_text
from clawgit.workspace.template_text import says_nothing
from clawgit.workspace.workspace import open_workspace
from tests.conftest import Git
from tests.making import asker

TEMPLATE = """\
# TOOLS.md - Odds and ends

Put _here_ what the lighthouse needs.

- Names of boats

```markdown
### Boats

- marlin -> pier 4
```
"""


@pytest.fixture
def openclaws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if OpenClaw had a template of ours, since the text of its own is not in this repository."""
    listed = [*rows("TOOLS.md", TEMPLATE)]
    monkeypatch.setattr(template_text, "rows_of_forms", lambda: listed)
    template_text.listed.cache_clear()
    yield
    template_text.listed.cache_clear()


@pytest.mark.usefixtures("openclaws")
def test_a_text_of_openclaw_s_is_known_in_a_file_that_has_a_template() -> None:
    texts = [item.text for item in items("TOOLS.md", TEMPLATE)]
    assert len(texts) == 3
    assert [text for text in texts if not says_nothing("TOOLS.md", text)] == []
    assert says_nothing("TOOLS.md", "Put *here*  what the lighthouse\nneeds.")


@pytest.mark.usefixtures("openclaws")
def test_what_an_operator_wrote_is_no_text_of_openclaw_s() -> None:
    assert not says_nothing("TOOLS.md", "Names of boats: marlin, heron")
    assert not says_nothing("TOOLS.md", "### Boats\n\n- marlin -> pier 5")
    assert not says_nothing("memory/boats.md", "Names of boats")


@pytest.mark.usefixtures("openclaws")
def test_neither_a_search_nor_a_context_shows_text_of_openclaw_s(git: Git) -> None:
    """Nor what stands beside a hit."""
    git.write("MEMORY.md", "# Memory\n\n- The lamp is red.\n")
    git.write("TOOLS.md", TEMPLATE + "\n- The lamp of the lighthouse has bulb E27.\n")
    setup.init(git.root, asker(), openclaw_rules=False)
    space = open_workspace(git.root, asker())
    with Searcher(space) as searcher:
        hits = searcher.answer(Request("names of boats", 6, 0.0)).results
        assert [hit for hit in hits if "boats" in hit.snippet.lower()] == []
    made = context(space, ContextRequest("which bulb has the lamp of the lighthouse"))
    text = "\n".join(slot.text for slot in made.slots)
    assert "bulb E27" in text
    assert "Names of boats" not in text
    assert "marlin" not in text
