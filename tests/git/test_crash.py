"""kill -9 at each step of a transaction: nothing lost, nothing half-done, no lock left, the next
command heals."""

import fcntl
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from clawgit.git.held import Card, Note
from clawgit.health.doctor import doctor
from tests import ready
from tests.conftest import NOW, Git, OpenStore, intent, run_to_end
from tests.each import slow_unless
from tests.git.test_transaction import add_line, age
from tests.making import asker
from tests.world import litter

CHILD = Path(__file__).with_name("crash_child.py")
BEFORE_JOURNAL = ("locked", "edited", "looked", "built")
AFTER_JOURNAL = (
    "journaled", "index-locked", "prepared", "placed", "placed:2", "placed:3",
    "ref-moved", "index-published", "unlocked", "done",
)  # fmt: skip


def kill_at(ws: Git, step: str, *more: str) -> None:
    name, _, times = step.partition(":")
    args = [ready.python(), str(CHILD), str(ws.root), name, times or "1", *more]
    done = subprocess.run(args, capture_output=True, check=False, cwd=CHILD.parents[2], timeout=60)
    assert done.returncode == -signal.SIGKILL


def dirty(ws: Git) -> None:
    age(ws.write("MEMORY.md", "# Memory\n\n- Billing uses PostgreSQL. #decision\n- foreign\n"))


def assert_whole(ws: Git) -> None:
    """No lock, no journal, no litter; git finds nothing wrong and nothing to commit."""
    assert ws.status() == ""
    assert ws("fsck", "--strict", "--no-dangling") == ""
    assert ws("for-each-ref", "refs/clawgit") == ""
    assert litter(ws.root) == []


def assert_ours_is_there(ws: Git) -> None:
    assert "- ours\n" in ws("show", "HEAD:MEMORY.md")
    assert ws("show", "HEAD:memory/2026-02-14.md").endswith("- ours too\n")
    assert "memory/2026-02-13.md" not in ws("ls-tree", "-r", "--name-only", "HEAD")
    assert ws("log", "--format=%an", "-1", "--", "MEMORY.md").strip() == "Memory Miner"


Heal = Callable[..., None]


@pytest.fixture
def heal(ws: Git, open_store: OpenStore) -> Heal:
    """The next command; then all is whole, and what was cut off is there, if it must be."""

    def next_command(*, ours: bool = False) -> None:
        mend(ws, open_store)
        assert_whole(ws)
        if ours:
            assert_ours_is_there(ws)

    return next_command


def mend(ws: Git, open_store: OpenStore) -> None:
    store = open_store(ws.root)
    store.heal(NOW)
    store.snapshot(NOW)
    store.close()


@pytest.mark.parametrize("step", BEFORE_JOURNAL)
def test_before_the_journal_nothing_has_happened(ws: Git, heal: Heal, step: str) -> None:
    dirty(ws)
    before = ws.head()
    kill_at(ws, step)
    assert (ws.head(), ws.status()) == (before, " M MEMORY.md\n")
    heal()
    assert "- foreign\n" in ws("show", "HEAD:MEMORY.md")
    assert "- ours\n" not in ws("show", "HEAD:MEMORY.md")


@pytest.mark.parametrize("step", AFTER_JOURNAL)
def test_after_the_journal_the_next_command_completes_it(ws: Git, heal: Heal, step: str) -> None:
    dirty(ws)
    kill_at(ws, step)
    heal(ours=True)
    assert ws("log", "--format=%an").splitlines() == ["Memory Miner", "Unknown", "Olga Operator"]


@pytest.mark.parametrize(
    "step", [*slow_unless(("locked", "built"), BEFORE_JOURNAL), *AFTER_JOURNAL]
)
def test_a_power_cut_at_any_step_leaves_nothing_for_a_person_to_mend(
    ws: Git, open_store: OpenStore, step: str
) -> None:
    """Everything that was not synced is empty then: locks, cards, the index, new objects."""
    ws.write("memory/2026-02-14.md", "# 2026-02-14\n\n- here before\n")
    ws.commit_all("so that no entry of git's index is new")
    dirty(ws)
    kill_at(ws, step, "power")
    if step != "done":
        assert (ws.root / "MEMORY.md").read_text() != ""
    mend(ws, open_store)
    ws("prune")  # objects to which nothing leads may be empty, as with git
    assert_whole(ws)
    assert "- foreign\n" in ws("show", "HEAD:MEMORY.md")
    if step in AFTER_JOURNAL:
        assert_ours_is_there(ws)
    named = [one.name for one in doctor(ws.root, asker()).checks if not one.ok]
    assert not {"interrupted", "locks", "objects", "git index"}.intersection(named)


@pytest.mark.parametrize("step", ["journaled", "placed:2", "ref-moved"])
def test_gc_between_crash_and_recovery_takes_nothing(ws: Git, heal: Heal, step: str) -> None:
    dirty(ws)
    kill_at(ws, step)
    ws("reflog", "expire", "--expire=now", "--all")
    ws("gc", "--prune=now", "--quiet")
    heal(ours=True)


@pytest.mark.parametrize(
    "step", slow_unless(("journaled", "placed", "placed:2", "ref-moved"), AFTER_JOURNAL)
)
def test_an_edit_between_crash_and_recovery_is_kept(ws: Git, heal: Heal, step: str) -> None:
    dirty(ws)
    kill_at(ws, step)
    file = ws.root / "MEMORY.md"
    age(ws.write("MEMORY.md", file.read_text() + "- after the crash\n"))
    age(ws.write("memory/2026-02-14.md", "# 2026-02-14\n\n- theirs\n"))
    heal()
    memory, daily = file.read_text(), (ws.root / "memory/2026-02-14.md").read_text()
    assert [memory.count(line) for line in ("- ours\n", "- foreign\n", "- after the crash\n")] == [
        1, 1, 1,
    ]  # fmt: skip
    assert "- theirs\n" in daily
    assert "- ours too\n" in daily or "- ours too\n" in ws(
        "log", "-p", "--", "memory/2026-02-14.md"
    )
    assert memory == ws("show", "HEAD:MEMORY.md")


def test_a_commit_by_plain_git_between_crash_and_recovery(ws: Git, heal: Heal) -> None:
    """HEAD has moved: it gets what it lacks, once."""
    dirty(ws)
    kill_at(ws, "journaled")
    ws("commit", "-qam", "by hand")
    heal(ours=True)
    assert ws("log", "--format=%s", "-1").strip() == "memory-miner: three files at once"
    assert (ws.root / "MEMORY.md").read_text().count("- foreign\n") == 1


EXCHANGES = ("exchanged", "exchanged:2", "taken up", "placed", "ref-moved", "unlocked")
WAYS = tuple(product([False, True], ["append", "rename"], ["- ours\n", "\n## New\n\n- ours\n"]))


def some_slow() -> Iterator[pytest.ParameterSet]:
    """At each step one way and the one that differs from it in everything; the others are slow."""
    for number, step in enumerate(EXCHANGES):
        for place, way in enumerate(WAYS):
            short = place in (number % len(WAYS), len(WAYS) - 1 - number % len(WAYS))
            yield pytest.param(step, *way, marks=() if short else pytest.mark.slow)


@pytest.mark.parametrize(("step", "by_hand", "editor", "ours"), [*some_slow()])
def test_what_an_editor_saved_before_the_crash_stands_once_on_disk_and_in_every_commit(
    ws: Git, open_store: OpenStore, heal: Heal, step: str, by_hand: bool, editor: str, ours: str
) -> None:
    """Killed before, between and after the two exchanges that it takes to bring his line to where
    the file is now, or the append that does; a heading of ours above it, or none; and somebody who
    commits what then lies there.
    """
    if (step, editor) == ("taken up", "rename"):
        step = "exchanged:3"  # a whole file is merged, and nothing of it appended
    kill_at(ws, step, editor, ours)
    if by_hand:
        (ws.root / ".git/index.lock").unlink(missing_ok=True)
        ws("commit", "-qam", "by hand")
    mend(ws, open_store)
    heal()
    text = (ws.root / "MEMORY.md").read_text()
    assert [text.count(line) for line in ("- saved meanwhile\n", "- ours\n")] == [1, 1]
    assert ("All billing" in text) is (editor == "rename")
    assert_no_line_comes_twice_or_goes(ws, "MEMORY.md")


def assert_no_line_comes_twice_or_goes(ws: Git, path: str) -> None:
    """Where lines are only ever added, no commit of the branch has one twice, and none takes one
    out again."""
    before: Counter[str] = Counter()
    for commit in ws("rev-list", "--reverse", "--first-parent", "HEAD", "--", path).split():
        lines = Counter(
            line for line in ws("show", f"{commit}:{path}").splitlines() if line.startswith("- ")
        )
        assert [line for line, count in lines.items() if count > 1] == []
        assert [line for line in before if line not in lines and "Billing" not in line] == []
        before = lines


def test_a_branch_switch_between_crash_and_recovery(ws: Git, heal: Heal) -> None:
    ws("branch", "other")
    kill_at(ws, "journaled")
    ws("checkout", "-q", "other")
    heal(ours=True)


def test_after_the_ref_moved_a_switched_branch_is_left_alone(ws: Git, heal: Heal) -> None:
    ws("branch", "other")
    kill_at(ws, "unlocked")
    ws("checkout", "-q", "other")
    before = ws.head()
    heal()
    assert ws.head() == before
    ws("checkout", "-q", "main")
    assert_ours_is_there(ws)


def test_an_index_lock_that_a_user_took_away_himself(ws: Git, heal: Heal) -> None:
    """Git advises to remove index.lock; whoever does so and commits must not lose our change."""
    kill_at(ws, "placed:2")
    (ws.root / ".git/index.lock").unlink()
    ws("commit", "-qam", "by hand after removing the lock")
    heal()
    assert "- ours\n" in ws("show", "HEAD:MEMORY.md")
    assert "- ours too\n" in ws("show", "HEAD:memory/2026-02-14.md")


def test_a_crash_inside_libgit2_s_ref_move(
    ws: Git, heal: Heal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """libgit2 leaves refs/heads/main.lock, empty or with our oid in it."""
    monkeypatch.setattr("clawgit.git.recovery._REF_LOCK_PATIENCE", 0.05)
    for content in ("", "oid"):
        kill_at(ws, "placed:3")
        tip = ws("rev-parse", "refs/clawgit/tx/main").strip()
        (ws.root / ".git/refs/heads/main.lock").write_text("" if not content else tip + "\n")
        heal(ours=True)
        ws("reset", "-q", "--hard", "HEAD~1")


def test_a_ref_lock_of_somebody_else_stays(ws: Git, open_store: OpenStore, heal: Heal) -> None:
    kill_at(ws, "placed:3")
    lock = ws.root / ".git/refs/heads/main.lock"
    lock.write_text("0123456789012345678901234567890123456789\n")
    store = open_store(ws.root)
    assert store.heal(NOW) is False
    assert lock.exists()
    lock.unlink()
    heal(ours=True)


def test_a_crash_during_recovery_is_recovered_too(ws: Git, heal: Heal) -> None:
    dirty(ws)
    kill_at(ws, "journaled")
    for step in ("index-locked", "prepared", "placed", "placed:2", "ref-moved", "unlocked"):
        kill_at(ws, step)
    heal(ours=True)


def test_a_crash_in_a_rebase_waits_for_its_end(ws: Git, open_store: OpenStore, heal: Heal) -> None:
    ws.commit_all("second")
    kill_at(ws, "journaled")
    ws("rebase", "-q", "--exec", "false", "HEAD~1", ok=False)
    store = open_store(ws.root)
    assert store.heal(NOW) is False
    ws("rebase", "--abort")
    heal(ours=True)


def test_a_parked_change_survives_a_crash(ws: Git, open_store: OpenStore, heal: Heal) -> None:
    ws("checkout", "-q", "-b", "side")
    age(ws.write("SOUL.md", "side\n"))
    ws.commit_all("side")
    ws("checkout", "-q", "main")
    age(ws.write("SOUL.md", "main\n"))
    ws.commit_all("main")
    ws("merge", "side", ok=False)
    store = open_store(ws.root)
    with store.transaction(intent("parked"), NOW, parkable=True) as tx:
        tx.put("parked.md", "- parked\n")
    ws("merge", "--abort")
    for step in ("journaled", "prepared", "placed", "ref-moved"):
        kill_at(ws, step)
    heal()
    assert (ws.root / "parked.md").read_text() == "- parked\n"
    assert ws("log", "--format=%B").count(f"Clawgit-Id: {tx.outcome.id}") == 1


def test_a_kill_while_a_packed_parked_change_is_deleted_stops_nobody(
    ws: Git, open_store: OpenStore, heal: Heal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`git gc` packs what is parked; to delete it, all that is packed is locked, and git never takes
    that lock away."""
    lock = ws.root / ".git/packed-refs.lock"

    def dies(change: Callable[[], object], of: Path | None = None) -> object:
        if of and "parked" in of.parts:
            lock.write_text("# pack-refs with: peeled fully-peeled sorted\n")
            os._exit(9)
        return change()

    ws("checkout", "-q", "--detach")
    with open_store(ws.root).transaction(intent("parked"), NOW, parkable=True) as tx:
        tx.put("parked.md", "- parked\n")
    ws("pack-refs", "--all")
    ws("checkout", "-q", "main")
    child = os.fork()
    if child == 0:
        monkeypatch.setattr("clawgit.git.repo.patiently", dies)
        open_store(ws.root).heal(NOW)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert lock.exists()
    monkeypatch.setattr("clawgit.git.recovery._REF_LOCK_PATIENCE", 0.05)
    heal()
    assert (ws.root / "parked.md").read_text() == "- parked\n"


def test_what_an_editor_writes_after_half_of_it_was_committed_stays(ws: Git, heal: Heal) -> None:
    """Somebody commits by hand after the crash, and in the moment in which an editor saves."""
    text = (ws.root / "MEMORY.md").read_text() + "- last line\n"
    kill_at(ws, "journaled")
    ws.write("MEMORY.md", text[:20])
    ws("commit", "-qam", "half")
    age(ws.write("MEMORY.md", text))
    heal()
    lines = ws("show", "HEAD:MEMORY.md").splitlines()
    assert [lines.count(line) for line in (*text.splitlines()[2:], "- ours")] == [1, 1, 1]


def test_an_amended_commit_between_crash_and_recovery_stays_amended(ws: Git, heal: Heal) -> None:
    """What the amending took out of HEAD is not ours to bring back."""
    age(ws.write("SOUL.md", "# Soul\n\n- Be kind.\n- A slip.\n"))
    ws.commit_all("slip")
    kill_at(ws, "journaled")
    age(ws.write("SOUL.md", "# Soul\n\n- Be kind.\n"))
    ws("commit", "-qa", "--amend", "-m", "no slip")
    heal(ours=True)
    assert "slip" not in (ws.root / "SOUL.md").read_text() + ws("show", "HEAD:SOUL.md")
    assert ws("log", "--format=%s").splitlines() == [
        "memory-miner: three files at once", "no slip", "start",
    ]  # fmt: skip


def test_an_orphan_branch_between_crash_and_recovery_gets_the_change_and_no_history(
    ws: Git, open_store: OpenStore
) -> None:
    ws.commit_all("second")
    kill_at(ws, "journaled")
    ws("checkout", "-q", "--orphan", "fresh")
    mend(ws, open_store)
    assert "- ours\n" in ws("show", "HEAD:MEMORY.md")
    assert [
        line
        for line in ws("log", "--format=%s").splitlines()
        if "second" in line or "start" in line
    ] == []
    assert (ws("for-each-ref", "refs/clawgit"), ws("fsck", "--strict", "--no-dangling")) == ("", "")


@pytest.mark.parametrize("step", ["journaled", "prepared", "placed"])
def test_a_folder_in_the_way_blocks_nobody(ws: Git, open_store: OpenStore, step: str) -> None:
    kill_at(ws, step)
    (ws.root / "memory/2026-02-14.md").unlink(missing_ok=True)
    (ws.root / "memory/2026-02-14.md").mkdir()
    (ws.root / "memory/2026-02-14.md/inside.txt").write_text("theirs")
    mend(ws, open_store)
    assert "- ours too\n" in ws("log", "-p", "--", "memory/2026-02-14.md")
    assert (ws.root / "memory/2026-02-14.md/inside.txt").read_text() == "theirs"
    assert (ws("for-each-ref", "refs/clawgit"), list(ws.root.rglob(".clawgit-*"))) == ("", [])
    add_line(open_store(ws.root), "MEMORY.md", "- afterwards")
    assert ws("show", "HEAD:MEMORY.md").endswith("- ours\n- afterwards\n")


def test_a_full_disk_during_recovery_keeps_the_journal(ws: Git, heal: Heal) -> None:
    kill_at(ws, "placed:2")
    child = CHILD.with_name("limited_child.py")
    done = run_to_end(ready.python(), child, ws.root, "full", "45", cwd=CHILD.parents[2])
    assert (done.returncode, done.stdout.startswith("storage |")) == (1, True), done
    assert ws("for-each-ref", "refs/clawgit/tx") != ""
    heal(ours=True)


def displace(ws: Git, late: str, seen: str, base: str) -> Path:
    """A held file, as a crash leaves it after an editor has written into what we displaced."""
    held = ws.root / ".git/clawgit/held"
    held.mkdir(parents=True)
    card = held / "0123456789abcdef.json"
    card.with_suffix(".was").write_text(late)
    Card(card, ws.root, Note("MEMORY.md", "", seen.encode(), base.encode())).write()
    age(card)
    return card


MEMORY = "# Memory\n\n- Billing uses PostgreSQL. #decision\n"


def test_what_an_editor_wrote_into_a_displaced_file_comes_back_and_becomes_history(
    ws: Git, open_store: OpenStore
) -> None:
    displace(ws, late=MEMORY + "- late\n", seen=MEMORY, base=MEMORY)
    store = open_store(ws.root)
    add_line(store, "SOUL.md", "- elsewhere")
    assert (ws.root / "MEMORY.md").read_text() == MEMORY + "- late\n"
    store.close()
    assert ws("show", "HEAD:MEMORY.md") == MEMORY + "- late\n"
    assert_whole(ws)


def test_nobody_commits_a_file_from_which_we_have_just_displaced_a_line(
    ws: Git, open_store: OpenStore
) -> None:
    """In the second look there is a moment, too, in which a line that was saved just now is not in
    the file."""
    late = MEMORY.replace("Billing", "All billing") + "- late\n"
    displace(ws, late=late, seen=MEMORY, base=MEMORY)
    file, tried = ws.root / "MEMORY.md", list[str]()

    def seam(step: str) -> None:
        if step == "exchanged":
            tried.append(ws("commit", "-qam", "by hand", ok=False))

    age(ws.write("MEMORY.md", MEMORY + "- there\n"))
    ws("commit", "-qam", "there")
    store = open_store(ws.root, seam=seam)
    store.heal(NOW)
    store.close()
    assert tried
    assert "by hand" not in ws("log", "--format=%s")
    assert sorted(file.read_text().splitlines()[3:]) == ["- late", "- there"]
    assert_whole(ws)


def test_what_the_editor_has_overwritten_since_is_still_in_history(ws: Git, heal: Heal) -> None:
    displace(ws, late=MEMORY + "- late\n", seen=MEMORY + "- late\n", base=MEMORY)
    age(ws.write("MEMORY.md", MEMORY + "- saved without it\n"))
    heal()
    assert (ws.root / "MEMORY.md").read_text() == MEMORY + "- saved without it\n"
    assert ws("log", "-p", "--", "MEMORY.md").count("+- late\n") == 1


@pytest.mark.parametrize(
    "step", ["journaled", "prepared", "ref-moved", "index-published", "unlocked"]
)
def test_a_crash_while_it_becomes_history_doubles_nothing(ws: Git, heal: Heal, step: str) -> None:
    displace(ws, late=MEMORY + "- late\n", seen=MEMORY + "- late\n", base=MEMORY)
    age(ws.write("MEMORY.md", MEMORY + "- late\n"))
    kill_at(ws, step)
    heal()
    assert (ws.root / "MEMORY.md").read_text() == MEMORY + "- late\n"
    assert ws("log", "-p", "--", "MEMORY.md").count("+- late\n") == 1


def test_a_card_that_a_crash_never_finished_is_swept(ws: Git, heal: Heal) -> None:
    held = ws.root / ".git/clawgit/held"
    held.mkdir(parents=True)
    (held / "0123456789abcdef.was").write_text("")
    (held / "0123456789abcdef.json.part").write_text('{"pa')
    heal()


def test_a_displaced_file_behind_a_link_goes_to_history(ws: Git, open_store: OpenStore) -> None:
    displace(ws, late=MEMORY + "- late\n", seen=MEMORY, base=MEMORY)
    (ws.root / "MEMORY.md").unlink()
    (ws.root / "MEMORY.md").symlink_to("SOUL.md")
    store = open_store(ws.root)
    add_line(store, "USER.md", "- elsewhere")
    store.close()
    assert "+- late\n" in ws("log", "-p", "--", "MEMORY.md")
    assert list((ws.root / ".git/clawgit/held").glob("*")) == []


def test_an_editor_that_keeps_the_displaced_file_open_loses_nothing(
    ws: Git, open_store: OpenStore, heal: Heal
) -> None:
    """A process that appends to a file it has opened long ago: its lines come back as often as
    somebody looks."""
    with (ws.root / "MEMORY.md").open("a") as editor:
        store = open_store(ws.root)
        add_line(store, "MEMORY.md", "- ours")
        told = hasattr(
            fcntl, "F_SETLEASE"
        )  # elsewhere time alone decides, and lets the file go after one look
        late = ("- late\n", "- later\n") if told else ("- late\n",)
        for line in late:
            editor.write(line)
            editor.flush()
            for card in (ws.root / ".git/clawgit/held").glob("*.json"):
                age(card)
            store.heal(NOW)
            assert line in (ws.root / "MEMORY.md").read_text()
    for card in (ws.root / ".git/clawgit/held").glob("*.json"):
        age(card)
    heal()
    assert ws("show", "HEAD:MEMORY.md") == MEMORY + "- ours\n" + "".join(late)


@pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="only a lease tells who has it open")
def test_of_a_file_that_is_being_written_nothing_is_taken_away(
    ws: Git, open_store: OpenStore, heal: Heal
) -> None:
    """An editor has written the first half anew when somebody looks, and dies before he has noted
    what he saw."""
    saved = MEMORY + "- saved, and in no commit\n"
    card = displace(ws, late=MEMORY, seen=saved, base=saved)
    age(ws.write("MEMORY.md", saved + "- there\n"))

    def dies(step: str) -> None:
        assert step != "taken up"

    with card.with_suffix(".was").open("a") as editor:
        with suppress(AssertionError):
            open_store(ws.root, seam=dies).heal(NOW)
        editor.write("- saved, and in no commit\n- later\n")
    age(card)
    heal()
    assert sorted((ws.root / "MEMORY.md").read_text().splitlines()[3:]) == [
        "- later", "- saved, and in no commit", "- there",
    ]  # fmt: skip


def test_a_card_that_cannot_be_read_stops_nobody(ws: Git, open_store: OpenStore) -> None:
    held = ws.root / ".git" / "clawgit" / "held"
    held.mkdir(parents=True)
    (held / "0123456789abcdef.json").write_bytes(b"")
    (held / "0123456789abcdef.was").write_text("- Saved at that moment.\n")
    store = open_store(ws.root)
    with store.transaction(intent(), NOW) as tx:
        tx.put("MEMORY.md", "# Memory\n\n- Tea.\n")
    store.close()
    assert ws("show", "HEAD:MEMORY.md") == "# Memory\n\n- Tea.\n"
    assert (held / "0123456789abcdef.was").read_text() == "- Saved at that moment.\n"
    [check] = [one for one in doctor(ws.root, asker()).checks if one.name == "interrupted"]
    assert not check.ok
    assert "0123456789abcdef.was" in check.detail
