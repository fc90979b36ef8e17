"""The memory that all agents read and `main` alone writes."""

import os
from functools import partial
from pathlib import Path

import pytest

from clawgit.agents.frame import corrections
from clawgit.core.errors import ClawgitError
from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.history.changes import restore, snapshot
from clawgit.history.past_lines import lines
from clawgit.history.undo import undo
from clawgit.memory.remember import NewFact, remember
from clawgit.memory.shared import begin, remember_shared
from clawgit.search.search import Request, SearchAnswer, search
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from clawgit.workspace.reach import ReachRefusedError
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspaces import cited, workspaces
from tests.conftest import Git
from tests.fleet import agent, allow, asker, at, name, openclaw

FACT = "Every release is signed by two engineers."


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """OpenClaw's shared folder with a note in it, begun by the operator from the workspace of
    `main`."""
    main, coder = agent(tmp_path / "main"), agent(tmp_path / "coder")
    there = {one.root.name: {"workspace": str(one.root)} for one in (main, coder)}
    folder = openclaw({"agents": {"entries": there}}) / "shared" / "memory"
    folder.mkdir(parents=True)
    (folder / "house.md").write_text("# House\n\n- The staging password rotates on Mondays.\n")
    assert begin(at(main)).commit
    return folder


def _at(tmp_path: Path, who: str, actor: Actor = AGENT) -> Workspace:
    return at(Git(tmp_path / who), actor)


def _ask(tmp_path: Path, who: str, query: str, **more: object) -> SearchAnswer:
    return search(_at(tmp_path, who), Request(query, min_score=0.1, **more))  # type: ignore[arg-type]


def test_what_lay_in_the_folder_is_committed_as_it_is_and_twice_is_once(
    shared: Path, tmp_path: Path
) -> None:
    git = Git(shared)
    assert git("show", "HEAD~1:house.md").startswith("# House")
    before = git.head()
    assert begin(_at(tmp_path, "main")).changed == ()
    assert git.head() == before


@pytest.mark.parametrize("source", ["", "shared"])
def test_every_agent_finds_it_as_its_own_source(shared: Path, tmp_path: Path, source: str) -> None:
    for who in ("main", "coder"):
        hits = _ask(tmp_path, who, "when does the staging password rotate", source=source).results
        hit = next(one for one in hits if one.source == "shared")
        assert (hit.path, hit.agent) == (str(shared / "house.md"), "shared")
        assert hit.citation.startswith("shared:house.md#L")
        whose, path = cited(_at(tmp_path, who), hit.citation.partition("#")[0])
        assert "Mondays" in lines(whose, path)["text"]


def test_main_remembers_for_all_by_one_commit_there(shared: Path, tmp_path: Path) -> None:
    own, git = Git(tmp_path / "main"), Git(shared)
    before, there = own.commit_all("start"), git("rev-list", "--count", "HEAD")
    done = remember_shared(_at(tmp_path, "main"), NewFact(FACT))
    assert (done.action, done.change.changed, own.head()) == ("added", ("MEMORY.md",), before)
    assert int(git("rev-list", "--count", "HEAD")) == int(there) + 1
    assert remember_shared(_at(tmp_path, "main"), NewFact(FACT)).action == "merged"
    assert [hit.source for hit in _ask(tmp_path, "coder", "who signs a release").results][:1] == [
        "shared"
    ]


def test_nobody_else_writes_it_neither_from_his_place_nor_standing_in_it(
    shared: Path, tmp_path: Path
) -> None:
    with pytest.raises(ReachRefusedError, match="Only main"):
        remember_shared(_at(tmp_path, "coder"), NewFact(FACT))
    assert remember_shared(_at(tmp_path, "coder", OPERATOR), NewFact(FACT)).action == "added"


def test_whoever_stands_in_it_is_refused_whatever_he_writes(shared: Path) -> None:
    """What lies there already is committed; only the operator goes on from there."""
    Git(shared).write("house.md", "# House\n\n- The staging password rotates on Fridays.\n")
    assert snapshot(at(Git(shared))).changed == ("house.md",)
    for write in (
        partial(remember, fact=NewFact(FACT)),
        lambda space: remember(space.dry(), NewFact(FACT)),
        partial(corrections.add, text="The password rotates on Sundays."),
        lambda space: undo(space, "HEAD"),
        partial(restore, path="house.md", at="HEAD~1"),
    ):
        before = Git(shared).head()
        with pytest.raises(ReachRefusedError, match="This is the shared memory"):
            write(at(Git(shared)))
        assert (Git(shared).head(), Git(shared).status()) == (before, "")
    assert undo(at(Git(shared), OPERATOR), "HEAD").change.changed == ("house.md",)


def test_the_setting_names_another_folder(tmp_path: Path) -> None:
    git, folder = agent(tmp_path / "main"), tmp_path / "common"
    folder.mkdir()
    name(main=git.root)
    allow(git, f"shared_memory: '{folder}'")
    begin(at(git))
    remember_shared(at(git), NewFact(FACT))
    assert (folder / "MEMORY.md").is_file()
    [hit, *_] = search(at(git), Request("who signs every release")).results
    assert hit.source == "shared"
    listed = workspaces(asker(), at(git)).shared
    assert listed is not None
    assert (listed.path, listed.condition, listed.origin) == (folder, "ready", "shared_memory")


def test_a_folder_that_is_not_begun_hinders_no_search_and_says_so_when_it_is_named(
    tmp_path: Path,
) -> None:
    git = agent(tmp_path / "main")
    (
        openclaw({"agents": {"entries": {"main": {"workspace": str(git.root)}}}})
        / "shared"
        / "memory"
    ).mkdir(parents=True)
    assert search(at(git), Request("main likes tea")).results
    with pytest.raises(ClawgitError, match="has no memory yet"):
        search(at(git), Request("tea", source="shared"))


def test_a_context_shows_a_shared_line_as_it_stands_there(shared: Path, tmp_path: Path) -> None:
    """The notebook of the same name in one's own workspace is another file."""
    remember_shared(_at(tmp_path, "main"), NewFact(FACT))
    found = context(
        _at(tmp_path, "coder"), ContextRequest(message="Who signs every release, which engineers?")
    )
    slot = next(one for one in found.slots if FACT in one.text)
    assert str(shared / "MEMORY.md") in slot.text
    assert os.environ["HOME"] in str(shared)
