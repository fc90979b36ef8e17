"""No agent reads another one's memory, by whatever name it asks; what `allow_paths` names it
may."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.core.errors import ClawgitError
from clawgit.git.rules.actors import OPERATOR
from clawgit.history.past_lines import lines
from clawgit.search.search import (
    Request,
    SearchAnswer,
    Searcher,
    search,
    search_agent,
    search_agents,
)
from clawgit.search.serve import Open
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from clawgit.workspace.reach import ReachRefusedError
from clawgit.workspace.workspaces import cited
from tests.conftest import Git
from tests.fleet import THEIRS, agent, allow, asker, at, name

WORD = "heliotrope"
Way = Callable[[Git, Git], str]


@pytest.fixture
def two(tmp_path: Path) -> tuple[Git, Git]:
    """`ws` asks, and `ws-2` has a secret; the names of their folders begin alike."""
    theirs = agent(tmp_path / "ws-2", THEIRS)
    theirs.write("memory/2026-02-13.md", f"# 2026-02-13\n\n- {THEIRS}\n")
    ours = agent(tmp_path / "ws", "We like tea.")
    name(ours=ours.root, theirs=theirs.root)
    return ours, theirs


def _link(ours: Git, theirs: Git) -> str:
    (ours.root / "link").symlink_to(theirs.root)
    return "link"


def _link_in_memory(ours: Git, theirs: Git) -> str:
    (ours.root / "memory").mkdir()
    (ours.root / "memory" / "theirs").symlink_to(theirs.root / "memory")
    (ours.root / "memory" / "x.md").symlink_to(theirs.root / "MEMORY.md")
    return "memory"


def _hard_link(ours: Git, theirs: Git) -> str:
    (ours.root / "memory").mkdir()
    (ours.root / "memory" / "x.md").hardlink_to(theirs.root / "MEMORY.md")
    return "memory/x.md"


def _copied_folder(ours: Git, theirs: Git) -> str:
    (ours.root / "notes").mkdir()
    (ours.root / "notes" / "x.md").hardlink_to(theirs.root / "memory" / "2026-02-13.md")
    return "notes"


WAYS: dict[str, Way] = {
    "absolute": lambda _, theirs: str(theirs.root),
    "a file": lambda _, theirs: str(theirs.root / "MEMORY.md"),
    "a folder inside": lambda _, theirs: str(theirs.root / "memory"),
    "dots": lambda _, theirs: f"../{theirs.root.name}",
    "dots in the middle": lambda ours, theirs: (
        f"{ours.root}/memory/../../{theirs.root.name}/memory"
    ),
    "the folder above": lambda ours, _: str(ours.root.parent),
    "a link": _link,
    "links in memory": _link_in_memory,
    "a hard link": _hard_link,
    "hard links in a folder": _copied_folder,
}


def _found(ours: Git, rev: str = "") -> str:
    found = search(at(ours), Request("vault code heliotrope", at=rev, min_score=0))
    return "\n".join(f"{hit.before} {hit.snippet} {hit.after}" for hit in found.results)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_no_extra_path_leads_to_another_agent(two: tuple[Git, Git], way: Way) -> None:
    ours, theirs = two
    allow(ours, f"extra_paths: ['{way(ours, theirs)}']")
    assert WORD not in _found(ours)


def test_an_extra_path_of_ones_own_is_searched(two: tuple[Git, Git], tmp_path: Path) -> None:
    ours, _ = two
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "x.md").write_text(f"- {THEIRS}\n")
    allow(ours, f"extra_paths: ['{tmp_path / 'papers'}']")
    assert WORD in _found(ours)


@pytest.mark.parametrize("spelt", ["{}", "{}/", "{}/../ws-2", "link"])
def test_allow_paths_may_be_read(two: tuple[Git, Git], tmp_path: Path, spelt: str) -> None:
    ours, theirs = two
    (tmp_path / "link").symlink_to(theirs.root)
    allowed = str(tmp_path / "link") if spelt == "link" else spelt.format(theirs.root)
    allow(ours, f"extra_paths: ['{theirs.root}']", f"allow_paths: ['{allowed}']")
    assert WORD in _found(ours)
    assert search_agent(at(ours), Request("vault code heliotrope"), "theirs").results


@pytest.mark.parametrize(
    "other", ["{0}-2/memory", "{0}", "{1}", "{0}-", "{0}-22", "{0}-2/MEMORY.md", "{0}-2x/../WS-2"]
)
def test_allow_paths_means_the_very_folder(two: tuple[Git, Git], other: str) -> None:
    """Neither what begins alike, nor the folder above, nor one inside, nor other capitals where
    these make another."""
    ours, theirs = two
    named = other.format(ours.root, ours.root.parent)
    allow(ours, f"extra_paths: ['{theirs.root}']", f"allow_paths: ['{named}']")
    assert WORD not in _found(ours)
    with pytest.raises(ReachRefusedError):
        search_agent(at(ours), Request("vault"), "theirs")


def test_a_bare_workspace_with_a_name_is_closed(two: tuple[Git, Git], tmp_path: Path) -> None:
    ours, _ = two
    bare = agent(tmp_path / "bare", f"{THEIRS} Still.", begun=False)
    allow(ours, f"extra_paths: ['{bare.root}', '{tmp_path}']")
    assert WORD in _found(ours)
    name(ours=ours.root, bare=bare.root)
    assert WORD not in _found(ours)


def test_of_two_workspaces_one_in_the_other_neither_reads_the_other(tmp_path: Path) -> None:
    outer = agent(tmp_path / "outer", f"{THEIRS} Outside.")
    inner = agent(tmp_path / "outer" / "inner", f"{THEIRS} Inside.")
    name(outer=outer.root, inner=inner.root)
    allow(outer, "extra_paths: ['inner', 'inner/MEMORY.md', '.']")
    allow(inner, "extra_paths: ['..', '../MEMORY.md']")
    assert "Inside" not in _found(outer)
    assert "Outside" not in _found(inner)
    assert "Outside" in _found(outer)
    assert "Inside" in _found(inner)


def test_no_past_shows_what_a_history_took_in_of_a_workspace_inside(tmp_path: Path) -> None:
    outer = agent(tmp_path / "outer", "Tea.")
    inner = agent(tmp_path / "outer" / "inner", THEIRS, begun=False)
    swallowed = outer.commit_all("everything")
    allow(outer, "extra_paths: ['inner', '.']")
    name(outer=outer.root, inner=inner.root)
    for at_rev in (swallowed, "HEAD"):
        assert WORD not in _found(outer, at_rev)
        with pytest.raises(ClawgitError):
            lines(at(outer), "inner/MEMORY.md", at=at_rev)


GETS: dict[str, Way] = {
    **{one: WAYS[one] for one in ("a file", "a hard link")},
    "dots": lambda _, theirs: f"../{theirs.root.name}/MEMORY.md",
    "dots from memory": lambda _, theirs: f"memory/../../{theirs.root.name}/MEMORY.md",
    "through a link": lambda ours, theirs: f"{_link(ours, theirs)}/MEMORY.md",
    "a link in memory": lambda ours, theirs: f"{_link_in_memory(ours, theirs)}/x.md",
    "a linked folder": lambda ours, theirs: f"{_link_in_memory(ours, theirs)}/theirs/2026-02-13.md",
}


@pytest.mark.parametrize("way", GETS.values(), ids=GETS.keys())
def test_get_reads_nothing_of_another_agent(two: tuple[Git, Git], way: Way) -> None:
    ours, theirs = two
    path = way(ours, theirs)
    allow(ours, f"extra_paths: ['{theirs.root}', 'link']")
    try:
        text = lines(at(ours), path)["text"]
    except ClawgitError:
        text = ""
    assert WORD not in text


@pytest.mark.parametrize("path", ["theirs:MEMORY.md", "theirs:memory/2026-02-13.md"])
def test_a_citation_opens_only_where_its_agent_may_be_read(two: tuple[Git, Git], path: str) -> None:
    ours, theirs = two
    with pytest.raises(ReachRefusedError, match="may not read the memory"):
        cited(at(ours), path)
    allow(ours, f"allow_paths: ['{theirs.root}']")
    assert WORD in lines(*cited(at(ours), path))["text"]


def test_a_citation_cannot_climb_out_of_its_workspace(two: tuple[Git, Git], tmp_path: Path) -> None:
    ours, theirs = two
    third = agent(tmp_path / "third", "nothing")
    name(ours=ours.root, theirs=theirs.root, third=third.root)
    allow(ours, f"allow_paths: ['{third.root}']")
    for path in ("third:../ws-2/MEMORY.md", f"third:{theirs.root}/MEMORY.md"):
        with pytest.raises(ClawgitError):
            lines(*cited(at(ours), path))


@pytest.mark.parametrize("way", ["absolute", "the folder above", "links in memory", "a hard link"])
def test_no_context_holds_a_line_of_another_agent(two: tuple[Git, Git], way: str) -> None:
    ours, theirs = two
    path = WAYS[way](ours, theirs)
    allow(
        ours, f"extra_paths: ['{path}']", f"crm_source: '{path}'", "external_context_budget: 500",
        f"external_context_source: '{theirs.root}/MEMORY.md'",
    )  # fmt: skip
    ours.write("memory/2026-02-14.md", "# 2026-02-14\n\n- Tea again.\n")
    asking = ContextRequest(message="What is the vault code of the harbor, heliotrope?")
    found = context(at(ours), asking)
    assert "code of the harbor is" not in "".join(slot.text for slot in found.slots)


@pytest.mark.parametrize(
    "extra", [{"agent": "theirs"}, {"workspace": "ws-2"}, {"root": "/"}, {"source": "theirs"}]
)
def test_no_question_names_another_workspace(two: tuple[Git, Git], extra: dict[str, str]) -> None:
    """Not even where the operator himself started it: whoever asks by the socket may be anybody."""
    ours, _ = two
    space = at(ours, OPERATOR)
    answerer = Open(space)
    try:
        with pytest.raises((ClawgitError, TypeError)):
            answerer.answer("search", {"query": "vault code heliotrope", **extra}, space)
        allow(ours, "extra_paths: ['../ws-2']")
        asked = {"query": "vault code heliotrope", "min_score": 0.0}
        found = answerer.answer("search", asked, space)
    finally:
        answerer.close()
    assert isinstance(found, SearchAnswer)
    assert WORD not in str(found.results)
    assert WORD in found.missing


def test_an_agent_is_refused_and_the_operator_asks_any_and_hits_say_whose_they_are(
    two: tuple[Git, Git],
) -> None:
    ours, theirs = two
    with pytest.raises(ReachRefusedError) as refused:
        search_agent(at(ours), Request("vault"), "theirs")
    assert f"allow_paths '{theirs.root}'" in refused.value.hint
    [hit, *_] = search_agent(at(ours, OPERATOR), Request("vault code heliotrope"), "theirs").results
    assert (hit.agent, hit.source) == ("theirs", "theirs:memory")
    assert hit.citation.startswith("theirs:")
    assert Path(hit.path).is_relative_to(theirs.root)
    path, _, _ = hit.citation.partition("#")
    assert WORD in lines(*cited(at(ours, OPERATOR), path))["text"]


def test_all_agents_are_asked_and_merged_by_score(two: tuple[Git, Git]) -> None:
    ours, theirs = two
    ours.write("MEMORY.md", f"# Memory\n\n- {THEIRS.replace('harbor', 'barn')}\n")
    request = Request("vault code of the harbor", min_score=0)
    found = search_agents(at(ours, OPERATOR), request)
    assert {hit.agent for hit in found.results} == {"ours", "theirs"}
    scores = [hit.score for hit in found.results]
    assert scores == sorted(scores, reverse=True)
    with Searcher(at(theirs)) as alone:
        own = {hit.score for hit in alone.answer(request).results}
    assert own == {hit.score for hit in found.results if hit.agent == "theirs"}
    assert len(search_agents(at(ours, OPERATOR), request._replace(limit=1)).results) == 1
    barn = request._replace(query="zebra barn")
    assert search_agents(at(ours, OPERATOR), barn).missing == ("zebra",)


def test_an_agent_that_cannot_be_asked_is_left_out(two: tuple[Git, Git], tmp_path: Path) -> None:
    ours, _ = two
    name(ours=ours.root, gone=tmp_path / "gone")
    found = search_agents(at(ours, OPERATOR), Request("tea", min_score=0))
    assert [hit.agent for hit in found.results] == ["ours"]
    assert "gone has no memory yet" in (found.fallback or "")


def test_a_clone_of_the_environment_makes_nobody_the_operator(two: tuple[Git, Git]) -> None:
    ours, theirs = two
    workspace = at(ours, CLAWGIT_ACTOR="operator", CLAWGIT_WORKSPACE=str(theirs.root))
    with pytest.raises(ReachRefusedError):
        search_agent(workspace, Request("vault"), "theirs")
    assert asker().actor.slug == "agent"
    assert os.environ.get("CLAWGIT_ACTOR") is None
