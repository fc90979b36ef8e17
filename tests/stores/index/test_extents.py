"""What is kept of items between questions must be what the files hold now."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Git
from tests.stores.index.conftest import Opener

_NOTES = st.dictionaries(
    st.sampled_from(["memory/a.md", "memory/b.md", "memory/c.md"]),
    st.lists(st.sampled_from(["- one", "- two words", "- **Ana:** hello", "# Tea"]), max_size=6),
    min_size=1,
)


def _write(git: Git, notes: dict[str, list[str]]) -> None:
    for old in Path(git.root, "memory").glob("*.md"):
        old.unlink()
    for path, lines in notes.items():
        git.write(path, "\n\n".join([*lines, ""]))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(history=st.lists(_NOTES, min_size=2, max_size=4))
def test_after_any_change_they_are_those_of_a_new_index(
    git: Git, opened: Opener, history: list[dict[str, list[str]]]
) -> None:
    asked_always = opened(git)
    for notes in history:
        _write(git, notes)
        asked_always.refresh()
        fresh = opened(git)
        ids = [at for file in fresh.files() for at in range(file.first, file.first + file.items)]
        kept, new = asked_always.extents(ids), fresh.extents(ids)
        assert [kept.lengths[at] for at in ids] == [new.lengths[at] for at in ids]
        assert [kept.bonds[at] for at in ids] == [new.bonds[at] for at in ids]
        assert [kept.opens.get(at) for at in ids] == [new.opens.get(at) for at in ids]
