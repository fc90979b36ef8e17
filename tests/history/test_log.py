"""History as a user asks for it, on real repositories with ours and foreign commits."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.markdown.entry import content_key
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.undoing import Selection
from clawgit.git.store import GitStore
from clawgit.history.comparing import diff, show
from clawgit.history.log import log, revision
from clawgit.history.why import Life, why
from clawgit.memory.editing import edit
from clawgit.memory.remember import NewFact, remember
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git, intent
from tests.making import space_of
from tests.soulful import Soulful

BILLING = "- Billing uses PostgreSQL. #decision"
KEY = content_key(BILLING[2:])
MET = ("memory/2026-02-13.md#L3",)
TEA = "- Ana likes tea. <!-- claw:anatea conf=0.9 -->\n"


@pytest.fixture
def agent(ws: Git) -> Iterator[Workspace]:
    space = space_of(ws)
    # No guard: here any change will do.
    space.__dict__["git"] = GitStore(find_repo(ws.root), os.environ)
    yield space
    space.close()


def put(agent: Workspace, path: str, text: str, summary: str, **fields: object) -> str:
    """One change of ours; its id."""
    with agent.git.transaction(intent(summary, **fields), NOW) as tx:  # type: ignore[arg-type]
        tx.put(path, text)
    assert tx.outcome.id is not None
    return tx.outcome.id


def tell(life: Life) -> list[tuple[str, str, int, str]]:
    return [(turn.kind, turn.path, turn.line, turn.text) for turn in life.changes]


# log


def test_log_tells_who_why_and_on_what_evidence(agent: Workspace) -> None:
    ident = put(agent, "SOUL.md", "# Soul\n", "be brief", reason="Asked twice.", evidence=MET)
    newest, oldest = log(agent).commits
    assert newest.change.id == ident
    assert (newest.change.actor, newest.change.op) == ("memory-miner", "memory-miner/edit")
    assert (newest.change.summary, newest.change.reason) == ("be brief", "Asked twice.")
    assert newest.change.evidence == MET
    assert newest.paths == ("SOUL.md",)
    assert newest.change.time.utcoffset() is not None
    assert (oldest.change.id, oldest.change.actor, oldest.change.op) == (None, "Olga Operator", "")
    assert oldest.change.summary == "start"
    assert oldest.paths == ("MEMORY.md", "SOUL.md", "memory/2026-02-13.md")


# show and diff


def test_show_has_the_whole_message_and_a_patch_for_each_file(ws: Git, agent: Workspace) -> None:
    told = {"reason": "Why.", "confidence": 0.9, "session": "s1", "alerts": ("a",)}
    ident = put(agent, "SOUL.md", "# Soul\n\n- Be kind.\n", "be less", **told)
    change = show(agent, ident)
    assert (change.change.id, change.change.sha) == (ident, ws.head())
    assert change.parents == (ws("rev-parse", "HEAD~").strip(),)
    assert (change.author, change.confidence, change.session) == ("Memory Miner", 0.9, "s1")
    assert change.alerts == ("a",)
    (file,) = change.files
    assert (file.path, file.status, file.added, file.removed) == ("SOUL.md", "modified", 0, 1)
    assert "\n-- Be brief.\n" in file.patch
    assert show(agent, ident, patch=False).files[0].patch == ""


def test_diff_alone_compares_with_the_disk_new_files_included(ws: Git, agent: Workspace) -> None:
    assert diff(agent).files == ()
    ws.write("SOUL.md", "# Soul\n\n- Be kind.\n")
    ws.write("memory/new file.md", "- one\n- two\n")
    ws.write("ignored.bin", "x")
    (ws.root / "MEMORY.md").unlink()
    index = (ws.root / ".git/index").read_bytes()
    found = diff(agent)
    assert (found.a, found.b) == (ws.head(), None)
    assert [(one.path, one.status, one.added, one.removed) for one in found.files] == [
        ("MEMORY.md", "deleted", 0, 3), ("SOUL.md", "modified", 0, 1),
            ("memory/new file.md", "added", 2, 0),
    ]  # fmt: skip
    assert found.files[2].patch.endswith("+- one\n+- two\n")
    assert (ws.root / ".git/index").read_bytes() == index


def test_diff_takes_revisions_dates_and_a_path(ws: Git, agent: Workspace) -> None:
    start = ws.head()
    one = put(agent, "SOUL.md", "# Soul\n", "one")
    two = put(agent, "MEMORY.md", "# Memory\n", "two")
    assert [file.path for file in diff(agent, [start]).files] == ["MEMORY.md", "SOUL.md"]
    assert [file.path for file in diff(agent, [one, two]).files] == ["MEMORY.md"]
    assert [file.path for file in diff(agent, [start, "HEAD", "SOUL.md"]).files] == ["SOUL.md"]
    assert [file.path for file in diff(agent, [start, "MEMORY.md"]).files] == ["MEMORY.md"]
    assert diff(agent, ["./SOUL.md"]).files == ()
    assert revision(agent, one) == revision(agent, "HEAD~1")
    assert diff(agent, [two, one]).files[0].added == 2


# why


def test_why_tells_the_life_of_a_line(agent: Workspace) -> None:
    old, new = "- Ana likes tea.\n", "- Bo is tall.\n- Ana likes green tea.\n"
    first = put(agent, "MEMORY.md", f"# Memory\n\n{old}", "learn", evidence=MET)
    put(agent, "MEMORY.md", f"# Memory\n\n- Bo is tall.\n{old}", "learn more")
    second = put(agent, "MEMORY.md", f"# Memory\n\n{new}", "correct", reason="She said so.")
    life = why(agent, "MEMORY.md:4")
    assert (life.state, life.text) == ("committed", "- Ana likes green tea.")
    assert tell(life) == [
        ("changed", "MEMORY.md", 4, "- Ana likes green tea."),
        ("born", "MEMORY.md", 3, "- Ana likes tea."),
    ]
    assert [turn.change.id for turn in life.changes] == [second, first]
    assert life.changes[0].change.reason == "She said so."
    assert life.changes[1].change.evidence == MET
    assert why(agent, "MEMORY.md#L4") == why(agent, "MEMORY.md#L4-L5") == life


def test_why_follows_an_entry_that_was_moved(agent: Workspace) -> None:
    """By its id, though a line of the same words went at the same moment."""
    put(agent, "memory/2026-02-10.md", "# Day\n\n- Ana likes green tea.\n", "a twin")
    put(agent, "memory/2026-02-14.md", f"# Day\n\n{TEA}", "learn")
    with agent.git.transaction(intent("promote"), NOW) as tx:
        tx.put("memory/2026-02-10.md", "# Day\n")
        tx.put("memory/2026-02-14.md", "# Day\n")
        tx.put("MEMORY.md", "# Memory\n\n- Ana likes green tea. <!-- claw:anatea conf=1.0 -->\n")
    assert tell(why(agent, "claw:anatea")) == [
        ("moved", "MEMORY.md", 3, "- Ana likes green tea. <!-- claw:anatea conf=1.0 -->"),
        ("born", "memory/2026-02-14.md", 3, TEA.strip()),
    ]


def test_why_knows_an_entry_that_is_gone(ws: Git, agent: Workspace) -> None:
    born = put(agent, "MEMORY.md", f"# Memory\n\n{TEA}", "learn")
    ws.write("MEMORY.md", "# Memory\n")
    only_on_disk = why(agent, "anatea")
    assert only_on_disk.state == "removed"
    assert [turn.change.id for turn in only_on_disk.changes] == [born]
    ws.commit_all("forget it")
    life = why(agent, "anatea")
    assert (life.state, life.path, life.text) == ("removed", "MEMORY.md", TEA.strip())
    assert tell(life) == [("removed", "MEMORY.md", 3, ""), ("born", "MEMORY.md", 3, TEA.strip())]
    assert life.changes[0].change.summary == "forget it"


def test_why_goes_through_a_merge_to_who_wrote_the_line(ws: Git, agent: Workspace) -> None:
    ours, theirs = f"# Memory\n\n- From main.\n{BILLING}\n", "- From the side.\n"
    ws.diverge("MEMORY.md", f"# Memory\n\n{BILLING}\n{theirs}", ours)
    side, main = ws("rev-parse", "side", "main").split()
    ws("merge", "-q", "side", ok=False)
    merge = ws.commit_file("MEMORY.md", f"{ours}{theirs}- By hand.\n", "merge")
    lives = [why(agent, f"MEMORY.md:{line}").changes for line in (3, 5, 6)]
    assert [[turn.change.sha for turn in life] for life in lives] == [[main], [side], [merge]]
    assert [turn.change.summary for turn in why(agent, "MEMORY.md:4").changes] == ["start"]


@pytest.mark.parametrize(("first", "second"), [("amber", "violet"), ("violet", "amber")])
def test_why_finds_who_wrote_each_of_two_texts_that_a_merge_left_disputed(
    ws: Git, agent: Workspace, first: str, second: str
) -> None:
    line = "# Memory\n\n- The van is {}. <!-- claw:vanvan c=.6 -->\n"
    put(agent, "MEMORY.md", line.format("white"), "white")
    ws("checkout", "-q", "-b", "side")
    wrote = {"amber": put(agent, "MEMORY.md", line.format("amber"), "amber")}
    ws("checkout", "-q", "main")
    wrote["violet"] = put(agent, "MEMORY.md", line.format("violet"), "violet")
    ws("merge", "-q", "side", ok=False)
    kept = line.format(first).replace("c=.6", "c=.6 status=disputed")
    ws.write("MEMORY.md", f"{kept}- The van is {second}. <!-- claw:newvan c=.6 by=vanvan -->\n")
    ws.commit_all("merge")
    turns = [why(agent, f"MEMORY.md:{number}").changes for number in (3, 4)]
    assert [(len(found), found[1].change.id) for found in turns] == [
        (3, wrote[first]),
        (3, wrote[second]),
    ]


def test_a_line_that_is_not_there_is_looked_for_in_history(ws: Git, agent: Workspace) -> None:
    ws.write("MEMORY.md", "")
    with pytest.raises(UsageError, match="no line 3; it has 0") as refused:
        why(agent, "MEMORY.md:3")
    assert refused.value.hint.startswith("clawgit log -p 'MEMORY.md'")


def test_a_text_that_came_back_is_followed_through_its_absence(agent: Workspace) -> None:
    base = f"# Memory\n\n{BILLING}\n"
    first = put(agent, "MEMORY.md", base + "- Ana likes tea.\n", "learn")
    gone = put(agent, "MEMORY.md", base, "unlearn")
    again = put(agent, "MEMORY.md", base + "- Ana likes tea.\n", "learn again")
    assert [turn.change.id for turn in why(agent, "MEMORY.md:4").changes] == [again, gone, first]


# what was undone, and what is wanted


def test_log_takes_what_fits_all_that_is_given(agent: Workspace) -> None:
    put(agent, "MEMORY.md", TEA, "note tea", reason="Ana said so.", evidence=("chat:main/7",))
    by_hand = log(agent).commits[-1]

    def found(grep: str = "", by: str = "", since: str = "", until: str = "") -> list[str]:
        begin, end = agent.moment(since), agent.moment(until, end=True)
        rows = log(agent, wanted=Selection(grep, by, since=begin, until=end)).commits
        return [row.change.summary for row in rows]

    assert (
        found(grep="SAID SO") == found(grep="chat:main") == found(by="memory-miner") == ["note tea"]
    )
    assert found(by="olga") == [by_hand.change.summary]
    assert found(grep="tea", by="olga") == []
    assert len(found(since="2026-01-01")) == 2
    assert found(until="2026-01-01") == []
    with pytest.raises(UsageError, match="neither a day nor a time"):
        found(since="soon")


def test_a_commit_after_the_last_year_of_python_is_listed(
    ws: Git, agent: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "@999999999999 +0000")
    ws("commit", "-q", "--allow-empty", "-m", "far away")
    assert log(agent).commits[0].change.summary == "far away"
    assert show(agent, "HEAD").change.summary == "far away"


def test_what_came_since_is_listed_past_a_clock_that_went_backwards(
    ws: Git, agent: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for time, said in ((4_000_007_200, "in time"), (0, "by a clock that was reset")):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"@{time} +0000")
        ws("commit", "-q", "--allow-empty", "-m", said)
    since = datetime.fromtimestamp(4_000_005_000, UTC)
    assert [row.change.summary for row in log(agent, wanted=Selection(since=since)).commits] == [
        "in time"
    ]


def test_without_an_id_only_its_words_lead_to_what_is_gone(soulful: Soulful) -> None:
    soulful.git.write("memory/ünlich.md", "- Ben likes\n  tea\n--- a/MEMORY.md\n- Other\n")
    soulful.git.write("MEMORY.md", f"# Memory\n\n-- a/x\n{BILLING}\n")
    born = soulful.git.commit_all("two facts")
    assert why(soulful.later(), KEY).line == 4
    soulful.git.write("memory/ünlich.md", "- Other\n")
    soulful.git.write("MEMORY.md", "# Memory\n")
    gone = soulful.git.commit_all("forget it")
    with pytest.raises(NotFoundError):
        why(soulful.later(), KEY)
    life = why(soulful.space, "billing uses postgresql")
    assert (life.state, life.path, life.line, life.text) == ("removed", "MEMORY.md", 4, BILLING)
    other = why(soulful.space, "Ben likes")
    assert (other.path, other.text) == ("memory/ünlich.md", "- Ben likes")
    assert [(turn.kind, turn.change.sha) for turn in other.changes] == [
        ("removed", gone),
        ("born", born),
    ]


def test_words_lead_to_the_entry_that_has_or_had_them(soulful: Soulful) -> None:
    ident = str(remember(soulful.later(), NewFact("The gate is blue.")).entry.id)
    stands = why(soulful.later(), "gate  IS blue")
    assert (stands.path, stands.state, stands.changes[0].kind) == ("MEMORY.md", "committed", "born")
    assert why(soulful.space, ident) == stands
    edit(soulful.later(), ident, "The gate is green.")
    then = why(soulful.later(), "gate is blue")
    assert then.text.startswith("- The gate is green.")
    assert [turn.kind for turn in then.changes] == ["changed", "born"]
    with pytest.raises(NotFoundError):
        why(soulful.space, "no such words")
