"""Secrets in a workspace: what stays uncommitted, what is committed with an alert, what must not be
pushed."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.secrets import Draw
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.git.cgit import CGit
from clawgit.git.dirt import SkippedChange
from clawgit.git.history.streams import added
from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.git.rules.history import Intent
from clawgit.health.files import Site, look_at_secrets
from clawgit.health.status import status
from clawgit.history.changes import restore, snapshot
from clawgit.history.undo import undo
from clawgit.safety import secrets_found, trust
from clawgit.safety.alerts import acknowledge
from clawgit.safety.masking import SecretsError, allowed
from clawgit.safety.rules.secrets import fingerprint
from clawgit.safety.secrets import PURGE, allow, in_history, refuse_push, scan
from clawgit.safety.secrets_found import in_commits
from clawgit.safety.trust import rows_of, set_setting
from clawgit.soul.guarding import GuardError
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git
from tests.each import for_each
from tests.making import space_of

ALNUM = "".join(map(chr, (*range(48, 58), *range(97, 123))))
draw = Draw("tests of ops")
KEY, OTHER = ("gh" + "p_" + draw(ALNUM, 36) for _ in range(2))
PRINT = fingerprint(KEY)
NOBODY = "0" * 40


@pytest.fixture
def space(ws: Git) -> Iterator[Workspace]:
    opened = space_of(ws)
    yield opened
    opened.close()


def as_actor(space: Workspace, actor: Actor = AGENT, **env: str) -> Workspace:
    return Workspace(
        space.place, space.caller._replace(actor=actor, env={**space.caller.env, **env})
    )


def settled(git: Git, path: str, text: str) -> None:
    """As somebody else wrote it, a while ago."""
    os.utime(git.write(path, text), (1, 1))


def test_what_is_no_text_is_passed_over(
    space: Workspace, ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A film is not read to its end, and a pipe in the place of a file does not hold anybody up."""
    monkeypatch.setattr(secrets_found, "_FILM", 1 << 17)
    monkeypatch.setattr(secrets_found, "LONGEST", 1 << 18)
    for name, begin in (("film.md", b"\0" + KEY.encode()), ("log.md", b"a word or two\n" * 1000)):
        with (ws.root / name).open("wb") as long:
            long.write(begin)
            long.truncate(secrets_found.LONGEST)
            long.seek(0, os.SEEK_END)
            long.write(KEY.encode())
    ws.write("memory/pipe.md", "- A fact.\n")
    ws("add", "memory/pipe.md")
    (ws.root / "memory/pipe.md").unlink()
    os.mkfifo(ws.root / "memory/pipe.md")
    assert scan(space).findings == ()
    (ws.root / "small.md").write_bytes(b"\0" + KEY.encode())
    assert [one.place.path for one in scan(space).findings] == ["small.md"]


def body(git: Git, rev: str = "HEAD") -> str:
    return git("log", "-1", "--format=%B", rev)


def tracked(git: Git) -> list[str]:
    return git("ls-tree", "-r", "--name-only", "HEAD").split()


def typed(space: Workspace, git: Git, path: str, text: str) -> str:
    """What somebody else has written into a file that history has, committed as it is found."""
    settled(git, path, text)
    return snapshot(space).id or ""


def put(space: Workspace, path: str, text: str) -> str:
    with space.transaction(Intent(space.caller.actor, "add", "a fact")) as tx:
        tx.put(path, text)
    return str(tx.outcome.id)


# snapshots and transactions


def test_a_new_file_with_a_secret_stays_uncommitted_and_status_says_so(
    ws: Git, space: Workspace
) -> None:
    settled(ws, "keys.md", f"# Keys\n\n- {KEY}\n")
    settled(ws, "memory/2026-02-14.md", "- Nothing to hide.\n")
    done = snapshot(space)
    reason = "secret keys.md:3 github-token"
    assert (done.changed, done.skipped) == (("memory/2026-02-14.md",), (("keys.md", reason),))
    assert done.alerts == (f"{reason}: the file stays uncommitted",)
    assert "keys.md" not in tracked(ws)
    assert (ws.root / "keys.md").read_text() == f"# Keys\n\n- {KEY}\n"
    now = status(space)
    assert (now.dirty, now.skipped) == ((), (SkippedChange("keys.md", reason),))
    [alert] = now.alerts
    told = "keys.md:3 looks like a secret (github-token): keys.md stays uncommitted"
    assert alert.message == told
    assert alert.next == f"remove it, or if it is not a secret: clawgit secrets allow {PRINT}"


def test_a_new_file_whose_name_is_a_secret_stays_uncommitted(ws: Git, space: Workspace) -> None:
    settled(ws, f"memory/{KEY}.md", "- A fact.\n")
    done = snapshot(space)
    assert (done.commit, done.changed) == (None, ())
    [(_, reason)] = done.skipped
    assert reason.startswith("secret ")


SKIPPED = "secret keys.md:1 github-token"


def test_a_staged_new_file_stays_staged(ws: Git, space: Workspace) -> None:
    settled(ws, "keys.md", KEY)
    ws("add", "keys.md")
    settled(ws, "keys.md", "clean on disk, not in the index\n")
    settled(ws, "MEMORY.md", "# Memory\n")
    assert snapshot(space).skipped == (("keys.md", SKIPPED),)
    assert ws.status() == "AM keys.md\n"
    assert ws("show", ":keys.md") == KEY


def test_a_file_is_taken_once_its_secret_is_out_or_allowed(ws: Git, space: Workspace) -> None:
    settled(ws, "a.md", f"{KEY}\n")
    settled(ws, "b.md", f"{OTHER}\n")
    allow(space, PRINT)
    assert [path for path, _ in snapshot(space).skipped] == ["b.md"]
    settled(ws, "b.md", "it lies in the vault\n")
    assert snapshot(space).skipped == ()
    assert {"a.md", "b.md"} <= {*tracked(ws)}


def test_a_tracked_file_is_committed_with_an_alert(ws: Git, space: Workspace) -> None:
    settled(ws, "MEMORY.md", f"# Memory\n\n- Billing uses PostgreSQL. #decision\n- {KEY}\n")
    done = snapshot(space)
    assert (done.alerts, done.changed) == (("secret MEMORY.md:4 github-token",), ("MEMORY.md",))
    assert "\nAlert: secret MEMORY.md:4 github-token\n" in body(ws)
    settled(ws, "MEMORY.md", (ws.root / "MEMORY.md").read_text() + "- More.\n")
    assert snapshot(space).alerts == ()


def test_what_an_agent_writes_is_refused_before_anything_is_written(
    ws: Git, space: Workspace
) -> None:
    before = ws.head()
    with pytest.raises(SecretsError, match="looks like a secret") as refused:
        put(as_actor(space), "memory/2026-02-14.md", f"- The key is {KEY}\n")
    assert KEY not in refused.value.message + refused.value.hint
    assert refused.value.data["findings"] == [
        {"path": "memory/2026-02-14.md", "line": 1, "rule": "github-token", "fingerprint": PRINT}
    ]
    assert (ws.head(), ws.status()) == (before, "")


def test_a_new_file_that_we_were_asked_to_write_is_treated_as_tracked(
    ws: Git, space: Workspace
) -> None:
    settled(ws, "memory/2026-02-14.md", f"- {KEY}\n")
    put(space, "memory/2026-02-14.md", f"- {KEY}\n- And a fact.\n")
    subjects = ws("log", "--format=%s", "-2").splitlines()
    assert subjects == ["add: a fact", "snapshot: memory/2026-02-14.md new"]
    assert "Alert: secret" in body(ws, "HEAD~1")
    assert "Alert: secret" not in body(ws)


def test_what_would_wait_for_git_is_refused_too(ws: Git, space: Workspace) -> None:
    (ws.root / ".git" / "MERGE_HEAD").write_text(ws.head())
    with (
        pytest.raises(SecretsError),
        space.git.transaction(Intent(AGENT, "add", "a fact"), NOW, parkable=True) as tx,
    ):
        tx.put("MEMORY.md", f"{KEY}\n")
    assert ws("for-each-ref", "refs/clawgit/parked") == ""


def test_an_undo_does_not_settle_the_alert_since_the_secret_stays_in_history(
    ws: Git, space: Workspace
) -> None:
    ident = typed(space, ws, "MEMORY.md", f"# Memory\n\n- {KEY}\n")
    undo(space, ident)
    assert [alert.id for alert in status(space).alerts] == [ident]
    acknowledge(space, ident)
    assert status(space).alerts == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_secret_in_any_unicode_encoding_is_found_wherever_text_is_read(
    ws: Git, space: Workspace, encoding: str
) -> None:
    data = f"# Notes\r\n\r\n- The key: {KEY}\r\n".encode(encoding)
    path = ws.write("wide.md", "")
    path.write_bytes(data)
    os.utime(path, (1, 1))
    assert [(str(one.place), one.fingerprint) for one in scan(space).findings] == [
        ("wide.md:3", PRINT)
    ]
    assert snapshot(space).skipped == (("wide.md", "secret wide.md:3 github-token"),)
    ws("add", "wide.md")
    ws("commit", "-qm", "leak", "--no-verify")
    assert [one.fingerprint for one in in_history(space)] == [PRINT]
    intent = Intent(space.caller.actor, "add", "a fact")
    with pytest.raises(SecretsError), space.transaction(intent) as tx:
        tx.put("wide2.md", data)


def test_each_secret_is_listed_once_with_all_that_it_takes_to_find_it(
    ws: Git, space: Workspace
) -> None:
    for number in range(9):
        ws.write(f"memory/{number}.md", f"{KEY}\n{KEY}\n")
    commit = ws.commit_all("leak")
    ws.write("memory/0.md", f"{OTHER}\n{KEY}\n")
    found = scan(space, history=True).findings
    assert [(one.fingerprint, len(one.places)) for one in found] == [
        (fingerprint(OTHER), 1),
        (PRINT, 17 + 18),
    ]
    assert found[1].place == ("memory/0.md", 2, None)
    assert [str(place) for place in found[1].places[1:3]] == ["memory/1.md:1", "memory/1.md:2"]
    [again] = in_history(space)
    # What is remembered is gathered too.
    assert (len(again.places), again.place) == (18, ("memory/0.md", 1, commit))
    ws.commit_file("memory/new.md", KEY, "and once more")
    assert [(one.fingerprint, len(one.places)) for one in in_history(space)] == [
        (PRINT, 19),
        (fingerprint(OTHER), 1),
    ]


# who may allow


def test_the_operator_allows_by_one_commit_with_a_reason(ws: Git, space: Workspace) -> None:
    done = allow(space, PRINT, reason="the public demo key")
    assert done.changed == ("CONFIG.md",)
    assert body(ws).startswith(f"secrets: allow {PRINT}\n\nthe public demo key\n")
    [one] = rows_of(space, "secrets_allow")
    assert (one.value, one.reason) == (PRINT, "the public demo key")
    allow(space, fingerprint(OTHER))
    assert allowed(space, [PRINT, fingerprint(OTHER), "0" * 12]) == {PRINT, fingerprint(OTHER)}
    assert allow(space, PRINT).commit is None


def test_an_agent_allows_nothing_by_any_way(ws: Git, space: Workspace) -> None:
    agent = as_actor(space, CLAWGIT_SECRETS_ALLOW=fingerprint(OTHER))
    with pytest.raises(SecretsError, match="only the operator") as refused:
        allow(agent, PRINT)
    assert refused.value.hint.endswith(f"clawgit secrets allow {PRINT}")
    allow(space, PRINT)
    rev = ws.head()
    undone = undo(space)
    ways: list[Callable[[Workspace], object]] = [
        lambda agent: set_setting(agent, "secrets_allow", PRINT),
        lambda agent: undo(agent, str(undone.change.id)),
        lambda agent: restore(agent, "CONFIG.md", rev),
    ]
    for way in ways:
        with pytest.raises(GuardError, match="only the operator may change secrets_allow"):
            way(as_actor(space))
    assert allowed(agent, [PRINT, fingerprint(OTHER)]) == frozenset()


def test_an_edit_of_nobody_known_raises_an_alert_and_does_not_count(
    ws: Git, space: Workspace
) -> None:
    allow(space, PRINT)
    settled(ws, "CONFIG.md", f"```yaml\nsecrets_allow: [{PRINT}, {fingerprint(OTHER)}]\n```\n")
    [alert] = snapshot(as_actor(space)).alerts
    assert "changed what only the operator may" in alert
    assert allowed(as_actor(space), [PRINT, fingerprint(OTHER)]) == {PRINT}
    allow(as_actor(space, OPERATOR), "0123456789ab")
    assert allowed(as_actor(space), [fingerprint(OTHER)]) == frozenset(), (
        "the operator's next entry vouches for no other"
    )
    [waiting] = trust.listing(as_actor(space)).pending
    assert waiting.key == "secrets_allow"
    assert waiting.value == [PRINT, fingerprint(OTHER), "0123456789ab"]


@for_each("wrong", ["", "abc", KEY, "0123456789AB"])
def test_only_a_fingerprint_is_one(space: Workspace, wrong: str) -> None:
    with pytest.raises(UsageError):
        allow(space, wrong)


# scan and doctor


def test_a_scan_reads_files_and_on_demand_history(ws: Git, space: Workspace) -> None:
    typed(space, ws, "MEMORY.md", f"# Memory\n\n- {KEY}\n")
    commit = ws.head()
    typed(space, ws, "MEMORY.md", "# Memory\n")
    ws.write("new.md", f"\n{OTHER}\n")
    ws.write("kept.md", "x")
    (ws.root / "link.md").symlink_to("new.md")
    ws.write(".gitignore", "secret.env\n")
    ws.write("secret.env", KEY)
    (ws.root / "SOUL.md").unlink()
    found = scan(space)
    assert [one.place for one in found.findings] == [("new.md", 2, None)]
    found = scan(space, history=True)
    assert [one.place for one in found.findings] == [("new.md", 2, None), ("MEMORY.md", 3, commit)]
    assert not found.ok
    for value in (PRINT, fingerprint(OTHER)):
        allow(space, value)
    assert scan(space, history=True).ok


def test_doctor_names_the_kind_of_a_labelled_secret_once(ws: Git, space: Workspace) -> None:
    typed(space, ws, "MEMORY.md", "token: 9fKq2LxT7bWz4RvN8mHd\n")
    [finding] = look_at_secrets(Site(space))
    assert finding.text == "MEMORY.md:1: token: …"


# push


@pytest.fixture
def bare(ws: Git, tmp_path: Path) -> Git:
    ws("init", "-q", "--bare", str(tmp_path / "bare.git"))
    ws("remote", "add", "origin", str(tmp_path / "bare.git"))
    return Git(tmp_path / "bare.git")


def push(
    space: Workspace, git: Git, old: str = NOBODY, url: str = "", remote: str = "origin"
) -> None:
    url = url or git("remote", "get-url", "origin").strip()
    refuse_push(space, remote, url, [f"refs/heads/main {git.head()} refs/heads/main {old}\n"])


def test_a_push_without_secrets_passes(ws: Git, bare: Git, space: Workspace) -> None:
    push(space, ws)
    refuse_push(space, "origin", "x", [f"(delete) {NOBODY} refs/heads/main {ws.head()}\n"])
    refuse_push(space, "origin", "git@github.com:a/b", [])


def test_a_push_with_a_secret_names_commit_and_line(ws: Git, bare: Git, space: Workspace) -> None:
    typed(space, ws, "MEMORY.md", f"# Memory\n\n- {KEY}\n")
    leak = ws.head()
    typed(space, ws, "MEMORY.md", "# Memory\n")
    with pytest.raises(SecretsError) as refused:
        push(space, ws)
    assert f"{leak[:10]}  MEMORY.md:3  github-token  gh" + f"p_…  {PRINT}" in refused.value.message
    assert KEY not in refused.value.message + refused.value.hint
    assert (
        refused.value.hint
        == f"{PURGE} If it is not a secret, the operator allows it: clawgit secrets allow {PRINT}"
    )
    allow(space, PRINT)
    push(space, ws)


def test_what_the_other_side_has_is_not_read_again(ws: Git, bare: Git, space: Workspace) -> None:
    typed(space, ws, "MEMORY.md", f"{KEY}\n")
    with pytest.raises(SecretsError):
        push(space, ws, old="1" * 40)
    push(space, ws, old=ws.head())
    ws("push", "-q", "origin", "main")
    typed(space, ws, "MEMORY.md", "clean\n")
    push(space, ws)
    with pytest.raises(SecretsError):
        push(space, ws, remote=str(bare.root), url=str(bare.root))


def test_no_attribute_replacement_merge_or_message_hides_a_secret(
    ws: Git, bare: Git, space: Workspace
) -> None:
    ws.write(".gitattributes", "*.md -diff\n*.bin binary\n")
    ws.write('memory/ünï "c".md', f"x\n{KEY}\n")
    ws.write("a.bin", f"\0\n{OTHER}\n")
    leak = ws.commit_all("plain")
    assert places(space, leak) == [("a.bin", 2), ('memory/ünï "c".md', 2)]
    ws("replace", leak, f"{leak}~1")
    assert len(places(space, leak)) == 2
    ws("replace", "-d", leak)
    told = ws.commit_all(f"the key is\n\n    diff --git a/x b/x\n{KEY}")
    assert places(space, told) == [("(commit message)", 4)]


def test_a_secret_that_only_the_merge_brought_is_found(ws: Git, space: Workspace) -> None:
    ws.diverge("a.md", "1\n2\n3\n", "1\n2\n3 main\n")
    ws("merge", "-q", "side", ok=False)
    merge = ws.commit_file("a.md", f"1\n2\n3 main\n{KEY}\n", "merged")
    assert places(space, merge) == [("a.md", 4)]


def places(space: Workspace, rev: str) -> list[tuple[str, int]]:
    git = CGit(space.root, space.caller.env)
    found = in_commits(added(git, [rev, f"^{rev}~1"]))
    return [one.place[:2] for one in found if one.place.commit == rev]


def test_added_lines_keep_their_numbers(ws: Git, space: Workspace) -> None:
    ws.commit_file("a.md", "".join(f"{number}\n" for number in range(90)), "many")
    ws.write("a.md", "first\n" + "".join(f"{number}\n" for number in range(1, 89)) + "last\n")
    ws.commit_all("two hunks")
    [message, part] = added(CGit(space.root, space.caller.env), ["HEAD", "^HEAD~1"])
    assert (message.path, message.text) == ("", "two hunks\n")
    assert (part.text, part.lines) == ("first\nlast\n", (1, 90))


STRANGER = "https://ana:" + "x1y2z3@github.com/ana/soul.git"


def test_nothing_goes_to_a_stranger_before_the_operator_allows_it(
    ws: Git, bare: Git, space: Workspace
) -> None:
    with pytest.raises(SecretsError) as refused:
        push(space, ws, url=STRANGER)
    assert refused.value.message.startswith("github.com/ana/soul is not on this machine or network")
    assert refused.value.hint.endswith("clawgit secrets allow --remote github.com/ana/soul")
    assert "x1y2z3" not in refused.value.message + refused.value.hint
    ws("remote", "add", "hub", STRANGER)
    assert allow(space, remote="hub").of == "remote:github.com/ana/soul"
    assert "x1y2z3" not in (ws.root / "CONFIG.md").read_text()
    push(space, ws, url=STRANGER)
    push(space, ws, url="git@github.com:ana/soul")
    with pytest.raises(SecretsError):
        push(space, ws, url="git@github.com:ana/other")


@for_each(
    "name", ["github.com/ana/soul", "git@github.com:ana/soul.git", "https://github.com/ana/soul/"]
)
def test_a_remote_is_allowed_by_any_of_its_names(space: Workspace, name: str) -> None:
    allow(space, remote=name)
    assert allowed(space, ["remote:github.com/ana/soul"])


@for_each("name", ["nowhere", "/srv/soul.git", "ssh://nas/soul.git"])
def test_what_needs_no_leave_gets_none(space: Workspace, name: str) -> None:
    with pytest.raises(NotFoundError):
        allow(space, remote=name)


def test_a_branch_without_a_commit_has_no_secrets(git: Git) -> None:
    space = space_of(git)
    git.write("a.md", KEY)
    assert in_history(space) == ()
    assert [str(one.place) for one in scan(space, history=True).findings] == ["a.md:1"]
