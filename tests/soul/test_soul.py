"""A soul's history as its operator asks for it: ours and plain git's commits, merges,
clones and rebases."""

import random
from pathlib import Path

import pytest

from clawgit.core.errors import NotFoundError
from clawgit.core.layout import IDENTITY, SOUL
from clawgit.soul import soul
from clawgit.soul.rules.soul import SectionChange
from clawgit.soul.soul import blame
from clawgit.soul.versions import origins, protected_lines, soul_history
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.making import space_of

START = (
    "# Soul\n\n## Boundaries\n\n- Ask before deleting files.\n- Keep secrets.\n\n## Vibe\n\n- "
    "Be brief.\n"
)
KINDER = START.replace("- Be brief.", "- Be kind.\n- Be brief.")
CORRECTED = KINDER.replace("Keep secrets.", "Never share private data.")


class Timed(Git):
    """Plain git whose commits are a minute apart, from the first of February on."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(root)
        self._minutes = 0
        self._monkeypatch = monkeypatch

    def save(self, text: str | None, message: str, path: str = SOUL) -> str:
        self.tick()
        if text is None:
            self("rm", "-q", path)
        else:
            self.write(path, text)
        return self.commit_all(message)

    def tick(self) -> None:
        self._minutes += 1
        stamp = f"2026-02-01T{self._minutes // 60:02}:{self._minutes % 60:02}:00Z"
        for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            self._monkeypatch.setenv(name, stamp)

    def merge(self, branch: str, *options: str) -> str:
        self.tick()
        self("merge", "-q", *options, "-m", f"merge {branch}", branch)
        return self.head()


@pytest.fixture
def home(git: Git, monkeypatch: pytest.MonkeyPatch) -> Timed:
    """Three versions: a start, one more principle, and a correction of the operator's that a soul
    keeper wrote down."""
    timed = Timed(git.root, monkeypatch)
    timed.save(START, "start")
    timed.save(KINDER, "be kind")
    timed.save(
        CORRECTED,
        "soul-keeper: never share private data\n\nThe operator said so twice.\n\n"
        "Clawgit-Id: klmnopqr\nClawgit-Op: soul-keeper/edit\nEvidence: CORRECTIONS.md#c1\n",
    )
    return timed


@pytest.fixture
def agent(home: Git) -> Workspace:
    return space_of(home)


# log


def test_a_file_deleted_and_back_keeps_its_history(home: Timed, agent: Workspace) -> None:
    home.save(None, "wipe")
    with pytest.raises(NotFoundError, match="is gone") as caught:
        soul.show(agent)
    assert caught.value.hint == "clawgit restore SOUL.md"
    home.save(CORRECTED, "back")
    found = soul.log(space_of(home)).versions
    assert [one.change.summary for one in found] == [
        "back", "wipe", "never share private data", "be kind", "start",
    ]  # fmt: skip
    assert [one.deleted for one in found] == [False, True, False, False, False]
    lines = {line.text: line for line in blame(space_of(home)).lines}
    assert lines["- Be kind."].summary == "back"
    assert lines["- Be kind."].origin == home("rev-parse", "HEAD~3")[:10]
    assert lines["- Never share private data."].protected
    home.save(None, "wipe again")
    home.save(CORRECTED.replace("private data.", "private data now."), "back, reworded")
    lines = {line.text: line for line in blame(space_of(home)).lines}
    assert lines["- Never share private data now."].protected


def test_without_a_soul_each_question_says_what_to_do(ws: Git) -> None:
    here = space_of(ws)
    for ask in (soul.show, soul.log, soul.diff, blame, soul.drift):
        with pytest.raises(NotFoundError, match=r"IDENTITY\.md was never committed") as caught:
            ask(here, IDENTITY)
        assert "clawgit snapshot" in caught.value.hint


def test_a_soul_that_was_never_committed_can_be_read(git: Git) -> None:
    git.write(SOUL, START)
    here = space_of(git)
    assert (soul.show(here).since, soul.show(here).uncommitted) == (None, True)
    assert (soul.log(here).versions, soul.log(here).uncommitted is not None) == ((), True)
    assert (soul.diff(here).a, soul.diff(here).tokens_a) == (None, 0)
    assert {line.sha for line in blame(here).lines} == {None}
    with pytest.raises(NotFoundError, match="never committed"):
        soul.drift(here)


# show


def test_show_at_a_change_a_revision_and_a_date(home: Timed, agent: Workspace) -> None:
    assert soul.show(agent, at="klmnopqr").text == CORRECTED
    then = soul.show(agent, at="HEAD~1")
    assert (then.text, then.since and then.since.summary) == (KINDER, "be kind")
    assert soul.show(agent, at="2026-02-01T00:01:30Z").text == START
    home.save("x\n", "a note", "NOTES.md")
    late = soul.show(agent, at="HEAD")
    assert late.at is not None
    assert late.since is not None
    assert (late.at.summary, late.since.summary) == ("a note", "never share private data")
    first = soul.show(agent, at="2025-01-01")
    assert first.text == START
    assert "first state" in first.note


# diff


def test_diff_alone_is_the_last_change_until_something_lies_on_disk(
    home: Git, agent: Workspace
) -> None:
    last = soul.diff(agent)
    assert last.a is not None
    assert last.b is not None
    assert (last.a.summary, last.b.id) == ("be kind", "klmnopqr")
    assert last.sections[0].dropped == ("Keep secrets.",)
    home.write(SOUL, CORRECTED.replace("Be brief.", "Be very brief."))
    waiting = soul.diff(agent)
    assert (waiting.a and waiting.a.id, waiting.b) == ("klmnopqr", None)
    assert waiting.sections == (SectionChange("Vibe", reworded=(("Be brief.", "Be very brief."),)),)


def test_diff_sees_what_moved_and_what_a_section_was_called(home: Git, agent: Workspace) -> None:
    moved = CORRECTED.replace("- Be kind.\n", "").replace("files.\n", "files.\n- Be kind.\n")
    home.write(SOUL, moved)
    assert soul.diff(agent).sections == (SectionChange("Boundaries", moved=("Be kind.",)),)
    home.write(SOUL, CORRECTED.replace("## Vibe", "## Tone"))
    assert soul.diff(agent).sections == (SectionChange("Tone", was="Vibe"),)


# blame


def test_blame_of_uncommitted_lines_and_of_an_older_version(home: Git, agent: Workspace) -> None:
    reworded = CORRECTED.replace("private data.", "private data with anybody.")
    home.write(SOUL, f"{reworded}- Be brave.\n\n")
    lines = {line.text: line for line in blame(agent).lines}
    new = lines["- Be brave."]
    assert (new.sha, new.time, new.origin, new.protected) == (None, None, None, False)
    old = lines["- Never share private data with anybody."]
    assert (old.sha, old.origin, old.correction) == (None, "klmnopqr", "c1")
    then = blame(agent, at="HEAD~1")
    assert "".join(f"{line.text}\n" for line in then.lines) == KINDER
    assert {line.summary for line in then.lines} == {"start", "be kind"}


def test_blame_at_a_commit_of_another_branch_is_refused_with_a_next_step(
    home: Timed, agent: Workspace
) -> None:
    home("checkout", "-q", "-b", "side")
    home.save("# Else\n", "else")
    home("checkout", "-q", "main")
    with pytest.raises(NotFoundError, match="what is checked out") as caught:
        blame(agent, at="side")
    assert "clawgit soul log" in caught.value.hint
    assert soul.diff(agent, a="side", b="HEAD").a is not None


def test_an_agents_rewording_leaves_a_correction_in_force(home: Timed, agent: Workspace) -> None:
    """Through two later edits: the protection is not lost with the wording."""
    once = CORRECTED.replace("Never share private data.", "Never ever share private data.")
    home.save(once, "reword")
    home.save(once.replace("private data.", "private data, please."), "reword again")
    history = soul_history(agent, SOUL)
    (line,) = protected_lines(history, history.version_at(None))
    assert (line.line, line.correction) == ("- Never ever share private data, please.", "c1")
    assert line.origin == home("rev-parse", "HEAD~2").strip()
    assert line.time == history.commit(line.origin).time
    told = {line.text: line for line in blame(agent).lines}[line.line]
    assert (told.summary, told.origin) == ("reword again", "klmnopqr")
    assert told.evidence == ("CORRECTIONS.md#c1",)


def test_blame_agrees_with_gits_over_branches_and_merges(
    git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no two lines read alike and none comes back, there is one right answer."""
    home = Timed(git.root, monkeypatch)
    wild(home, random.Random(1))
    theirs = [line.split()[0] for line in home("blame", "-l", "-s", "--root", SOUL).splitlines()]
    history = soul_history(space_of(home), SOUL)
    ours = origins(history, history.version_at(None))
    assert [line.commits[0] for line in ours] == theirs
    assert "".join(f"{line.text}\n" for line in ours) == (home.root / SOUL).read_text()


def wild(home: Timed, choose: random.Random) -> None:
    """A history of edits on branches that come and go, one merged into another where git can."""
    lines = [new_line(choose) for _ in range(12)]
    home.save("".join(lines), "start")
    branches = ["main"]
    for number in range(20):
        home("checkout", "-q", choose.choice(branches))
        dice = choose.random()
        if dice < 0.2:
            branches.append(f"b{number}")
            home("checkout", "-q", "-b", branches[-1])
        elif dice < 0.4:
            merge_if_it_can(home, choose.choice(branches))
        else:
            lines = (home.root / SOUL).read_text().splitlines(keepends=True)
            at = choose.randrange(len(lines))
            lines[at : at + (dice > 0.8)] = [new_line(choose)] if dice < 0.9 else []
            home.save("".join(lines), f"edit {number}")
    home("checkout", "-q", "main")
    for branch in branches[1:]:
        merge_if_it_can(home, branch)


def merge_if_it_can(home: Timed, branch: str) -> None:
    home.tick()
    home("merge", "-q", "-m", f"merge {branch}", branch, ok=False)
    if home("ls-files", "--unmerged"):
        home("merge", "--abort")


def new_line(choose: random.Random) -> str:
    return f"- {choose.getrandbits(64):x} {choose.getrandbits(64):x}\n"


# drift


def test_drift_measures_what_became_of_the_principles(home: Git, agent: Workspace) -> None:
    found = soul.drift(agent)
    assert found.since.summary == "start"
    assert found.sentence == "1 dropped, 2 added"
    assert 0 < found.distance < 1
    home.write(SOUL, "# Nothing left\n")
    gone = soul.drift(agent)
    assert (gone.distance, gone.uncommitted) == (1.0, True)
