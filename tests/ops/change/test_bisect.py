"""`bisect` on real histories: what came, moved, was reworded, was lost and came back."""

import os
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.markdown.entry import content_key
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.change import bisect as module
from clawgit.ops.change.bisect import Bisected, bisect
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import find_repo
from tests.conftest import NOW, Git

TEA = "- Ana prefers tea in the morning. <!-- claw:anatea conf=0.9 -->\n"
NOTEBOOK = "# Memory\n\n- Billing uses PostgreSQL. #decision\n"


def opened(git: Git) -> Workspace:
    return Workspace(find_repo(git.root), Caller(OPERATOR, dict(os.environ), NOW, Path.home()))


def commit(git: Git, message: str, **files: str) -> str:
    for name, text in files.items():
        git.write({"memory": "MEMORY.md"}.get(name, f"memory/{name}.md"), text)
    return git.commit_all(message)


def kinds(found: Bisected) -> list[tuple[str, str, str]]:
    return [(turn.kind, turn.path, turn.sha) for turn in found.changes]


def test_the_change_that_brought_what_is_held_is_named(ws: Git) -> None:
    came = commit(ws, "learn tea", memory=NOTEBOOK + TEA)
    commit(ws, "go on", memory=NOTEBOOK + TEA + "- Later.\n")
    for asked in ("anatea", "claw:anatea", "ana  PREFERS tea", "Ana prefers tea in the morning."):
        found = bisect(opened(ws), asked)
        assert (found.state, found.places) == ("held", ("MEMORY.md:4",))
        assert found.change
        assert (found.change.sha, found.change.kind, found.change.summary) == (
            came,
            "born",
            "learn tea",
        )
        assert found.bring_back == ()


def test_the_change_that_lost_it_is_named_with_the_way_back(ws: Git) -> None:
    came = commit(ws, "learn tea", memory=NOTEBOOK + TEA)
    gone = commit(ws, "tidy", memory=NOTEBOOK)
    commit(ws, "go on", memory=NOTEBOOK + "- Later.\n")
    found = bisect(opened(ws), "Ana prefers tea")
    assert (found.state, found.places, found.change and found.change.sha) == ("removed", (), gone)
    assert kinds(found) == [("removed", "MEMORY.md", gone), ("born", "MEMORY.md", came)]
    undo, restore = found.bring_back
    assert undo == f"clawgit undo {gone[:12]}"
    ws("checkout", "-q", restore.rpartition(" ")[2], "--", "MEMORY.md")
    assert bisect(opened(ws), "Ana prefers tea").state == "uncommitted"
    ws.commit_all("back")
    assert bisect(opened(ws), "Ana prefers tea").state == "held"


def test_an_entry_is_lost_though_another_one_has_words_that_it_once_had(ws: Git) -> None:
    commit(ws, "learn tea", memory=NOTEBOOK + TEA)
    commit(ws, "milk", memory=NOTEBOOK + TEA.replace("tea in", "milk in"))
    rival = TEA.replace("anatea conf=0.9", "rivals conf=0.9 by=anatea")
    commit(ws, "both", memory=NOTEBOOK + TEA.replace("tea in", "milk in") + rival)
    gone = commit(ws, "remove milk", memory=NOTEBOOK + rival)
    found = bisect(opened(ws), "anatea")
    assert found.change
    assert (found.state, found.change.sha) == ("reworded", gone)
    assert bisect(opened(ws), "rivals").state == "held"


def test_each_coming_and_going_is_told_newest_first(ws: Git) -> None:
    """It moves between files, is copied, goes, and returns without its comment."""
    born = commit(ws, "note", day=f"# Day\n\n{TEA}")
    moved = commit(ws, "promote", day="# Day\n", memory=NOTEBOOK + TEA)
    copied = commit(ws, "copy", tea=f"# Tea\n\n{TEA}")
    fewer = commit(ws, "tidy", memory=NOTEBOOK)
    gone = commit(ws, "lose", tea="# Tea\n")
    back = commit(ws, "again", memory=NOTEBOOK + "- Ana prefers tea in the morning.\n")
    for asked in ("anatea", "prefers tea"):
        assert kinds(bisect(opened(ws), asked)) == [
            ("returned", "MEMORY.md", back),
            ("removed", "memory/tea.md", gone),
            ("copy_removed", "MEMORY.md", fewer),
            ("copied", "memory/tea.md", copied),
            ("moved", "MEMORY.md", moved),
            ("born", "memory/day.md", born),
        ]


@pytest.mark.parametrize("comment", [" <!-- claw:anatea -->", ""])
def test_words_that_gave_way_to_others_are_reworded(ws: Git, comment: str) -> None:
    commit(ws, "learn", memory=f"{NOTEBOOK}- Ana prefers tea in the morning.{comment}\n")
    reworded = commit(ws, "x", memory=f"{NOTEBOOK}- Ana prefers coffee in the morning.{comment}\n")
    old = bisect(opened(ws), "prefers tea")
    assert (old.state, old.change and old.change.sha) == ("reworded", reworded)
    assert old.change
    assert (old.change.kind, old.places) == ("changed", ("MEMORY.md:4",))
    assert "coffee" in old.text
    assert [turn.kind for turn in old.changes] == ["changed", "born"]
    new = bisect(opened(ws), "prefers coffee")
    assert (new.state, new.change and new.change.sha) == ("held", reworded)


@pytest.mark.parametrize(
    "line",
    [
        "- Ana prefers tea #knowledge in the morning. <!-- claw:anatea -->\n",
        "- Ana prefers tea <!-- was: Ana prefers rum --> in the #knowledge morning.\n",
        "- Ana prefers <!-- since May --><!-- surely --> tea in the\tmorning.\n",
    ],
)
def test_words_are_found_on_both_sides_of_a_tag_or_a_comment(ws: Git, line: str) -> None:
    came = commit(ws, "learn tea", memory=NOTEBOOK + line)
    commit(ws, "forget tea", memory=NOTEBOOK)
    found = bisect(opened(ws), "Ana prefers tea in the morning")
    assert (found.state, [turn.kind for turn in found.changes]) == ("removed", ["removed", "born"])
    assert found.changes[1].sha == came


def test_another_status_is_told(ws: Git) -> None:
    commit(ws, "learn", memory=NOTEBOOK + TEA)
    disputed = TEA.replace("conf=0.9", "conf=0.4 status=disputed")
    marked = commit(ws, "doubt", memory=NOTEBOOK + disputed)
    commit(ws, "less sure", memory=NOTEBOOK + disputed.replace("0.4", "0.3"))
    found = bisect(opened(ws), "anatea")
    assert kinds(found)[0] == ("marked", "MEMORY.md", marked)
    assert len(found.changes) == 2


def test_an_entry_without_an_id_is_found_by_its_key_and_logs_are_no_memory(ws: Git) -> None:
    ws.write("CONFLICTS.md", "# CONFLICTS.md\n\n- Ana prefers tea in the morning.\n")
    came = commit(ws, "learn", memory=NOTEBOOK + "- Ana prefers tea in the morning.\n")
    gone = commit(ws, "lose", memory=NOTEBOOK)
    found = bisect(opened(ws), content_key("Ana prefers tea in the morning."))
    assert kinds(found) == [("removed", "MEMORY.md", gone), ("born", "MEMORY.md", came)]


def test_of_several_entries_the_one_that_says_just_that_is_told(ws: Git) -> None:
    commit(ws, "two", memory=f"{NOTEBOOK}- Ana prefers tea, and coffee too. <!-- claw:both22 -->\n")
    commit(ws, "one", day="# Day\n\n- Ana prefers tea.\n")
    lost = commit(ws, "none", day="# Day\n")
    found = bisect(opened(ws), "Ana prefers tea")
    assert (found.state, found.change and found.change.sha) == ("removed", lost)
    assert [other.key for other in found.others] == ["both22"]


def test_a_word_of_many_entries_names_a_few_of_them_and_looks_for_no_more(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is looked for in all lines that ever had the word."""
    spy = Mock(wraps=module._other)
    monkeypatch.setattr(module, "_other", spy)
    lines = "".join(f"- The shelf of room {number} is full.\n" for number in range(30))
    commit(ws, "the shelves", memory=NOTEBOOK + lines)
    found = bisect(opened(ws), "shelf")
    assert spy.call_count == len(found.others) == 5


def test_a_merge_is_named_where_it_lost_what_a_side_had(ws: Git) -> None:
    """By git's `ours` the side's line never came to the branch: the merge lost it."""
    ws("checkout", "-q", "-b", "side")
    side = commit(ws, "side", memory=NOTEBOOK + TEA)
    ws("checkout", "-q", "main")
    commit(ws, "main", day="# Day\n\n- Rain.\n")
    ws("merge", "-q", "--no-edit", "side", "-s", "ours")
    merge = ws.head()
    found = bisect(opened(ws), "anatea")
    assert (found.state, found.change and found.change.sha) == ("removed", merge)
    assert kinds(found) == [("removed", "MEMORY.md", merge), ("born", "MEMORY.md", side)]


def test_a_merge_is_named_where_it_gave_a_second_text_an_id_of_its_own(ws: Git) -> None:
    """Both sides reworded one entry, so both texts stay."""
    milk, juice = TEA.replace("tea in", "milk in"), TEA.replace("tea in", "juice in")
    rival = juice.replace("anatea conf=0.9", "rivals conf=0.9 by=anatea")
    commit(ws, "learn tea", memory=NOTEBOOK + TEA)
    ws("checkout", "-q", "-b", "side")
    commit(ws, "milk", memory=NOTEBOOK + milk)
    ws("checkout", "-q", "main")
    commit(ws, "juice", memory=NOTEBOOK + juice)
    ws("merge", "-q", "-s", "ours", "--no-commit", "side")
    met = commit(ws, "both", memory=NOTEBOOK + milk + rival)
    found = bisect(opened(ws), "rivals")
    assert found.change
    assert (found.state, found.change.sha, found.change.kind) == ("held", met, "changed")


def test_a_merge_that_brings_a_side_s_line_is_no_change_of_its_own(ws: Git) -> None:
    ws("checkout", "-q", "-b", "side")
    side = commit(ws, "side", memory=NOTEBOOK + TEA)
    ws("checkout", "-q", "main")
    commit(ws, "main", day="# Day\n\n- Rain.\n")
    ws("merge", "-q", "--no-edit", "side")
    found = bisect(opened(ws), "anatea")
    assert (found.state, kinds(found)) == ("held", [("born", "MEMORY.md", side)])


def test_letters_of_any_script_are_found_in_either_case(ws: Git) -> None:
    came = commit(
        ws, "öl", memory=NOTEBOOK + "- Die Ölheizung (alt) wird getauscht.\n- 田中は茶が好き\n"
    )
    assert kinds(bisect(opened(ws), "die ÖLHEIZUNG (Alt)"))[0][2] == came
    assert kinds(bisect(opened(ws), "茶が好き"))[0][2] == came


def test_a_shallow_clone_says_that_it_may_be_older(ws: Git, tmp_path: Path) -> None:
    commit(ws, "learn", memory=NOTEBOOK + TEA)
    commit(ws, "go on", day="# Day\n")
    ws("clone", "-q", "--depth=1", f"file://{ws.root}", str(tmp_path / "shallow"))
    found = bisect(opened(Git(tmp_path / "shallow")), "anatea")
    assert (found.state, "shallow" in found.note) == ("held", True)


def test_what_is_only_on_disk_is_told_so(ws: Git) -> None:
    ws.write("MEMORY.md", NOTEBOOK + TEA)
    found = bisect(opened(ws), "prefers tea")
    assert (found.state, found.places, found.change) == ("uncommitted", ("MEMORY.md:4",), None)
    ws.commit_all("learn")
    ws.write("MEMORY.md", NOTEBOOK)
    found = bisect(opened(ws), "prefers tea")
    assert (found.state, "not committed" in found.note) == ("held", True)


@pytest.mark.parametrize(
    ("asked", "error"),
    [("", UsageError), ("  ", UsageError), ("no such words", NotFoundError),
     ("claw:nobody", NotFoundError), ("hdeadbee", NotFoundError), ("[[:x(", NotFoundError)],
)  # fmt: skip
def test_what_was_never_there_says_what_to_type(
    ws: Git, asked: str, error: type[Exception]
) -> None:
    with pytest.raises(error) as caught:
        bisect(opened(ws), asked)
    assert getattr(caught.value, "hint", "")


def test_a_repository_without_a_commit_says_so(git: Git) -> None:
    with pytest.raises(NotFoundError, match="no commit yet"):
        bisect(opened(git), "tea")


LINES = [
    "- Ana prefers tea in the morning.",
    "- Ana prefers tea in the morning. <!-- claw:anatea -->",
    "- Ana prefers coffee in the morning. <!-- claw:anatea -->",
    "- Billing uses PostgreSQL.",
]
_FILE = st.lists(st.sampled_from(LINES), max_size=3).map("\n".join)
_STATES = st.lists(st.fixed_dictionaries({"MEMORY.md": _FILE, "memory/day.md": _FILE}), min_size=2,
    max_size=8)  # fmt: skip


def _stream(states: list[dict[str, str]]) -> str:
    rows = ["reset refs/heads/main"]
    for number, files in enumerate(states):
        rows.append(f"commit refs/heads/main\ncommitter O <o@x.org> {1_700_000_000 + number} +0000")
        rows.append("data 1\nx")
        for path, text in files.items():
            rows.append(f"M 100644 inline {path}\ndata {len(text) + 1}\n{text}\n")
    return "\n".join([*rows, ""])


@given(states=_STATES)
def test_the_change_named_is_the_one_that_a_look_at_every_state_finds(
    states: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory, molds: Path
) -> None:
    git = Git(tmp_path_factory.mktemp("random"))
    git("init", "-q", "-b", "main", "--template=")
    git("fast-import", "--quiet", "--force", stdin=_stream(states))
    git("reset", "-q", "--hard")
    oids = git("rev-list", "--reverse", "HEAD").split()
    for asked, names in {"prefers tea": ("tea in",), "claw:anatea": ("tea in", "anatea")}.items():
        held = [any(name in text for name in names for text in files.values()) for files in states]
        named = any(LINES[1] in text for files in states for text in files.values())
        if not any(held) or (asked.startswith("claw") and not named):
            continue
        at = max(n for n in range(len(held)) if held[n] != (n > 0 and held[n - 1]))
        change = bisect(opened(git), asked).change
        assert change
        assert change.sha == oids[at]
