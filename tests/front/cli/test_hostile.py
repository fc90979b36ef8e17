"""No command runs a program that the repository's own configuration names, whichever key names
it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.front.cli.root import cli, run
from tests.again import as_it_was
from tests.conftest import Git
from tests.front.cli.hostile import NAMES, Canaries, acting, leaves, prepare
from tests.front.cli.typed import Told, call, piped
from tests.ready import python

TALK = "".join(
    json.dumps(message) + "\n"
    for message in (
        {"role": "user", "content": "Remember that Harbor ships in March."},
        {"role": "assistant", "content": "I will."},
    )
)

ARGUMENTS: dict[str, list[str]] = {
    "": [],
    "init": ["."],
    "status": [],
    "doctor": ["--fix"],
    "config": [],
    "config get": ["timezone"],
    "config set": ["max_results", "7"],
    "snapshot": ["-m", "by hand"],
    "log": ["MEMORY.md"],
    "show": ["HEAD"],
    "diff": [],
    "why": ["MEMORY.md:3"],
    "undo": ["HEAD~1"],
    "forget": ["Harbor ships in March", "--history"],
    "redo": ["--actor", "keeper"],
    "restore": ["SOUL.md", "--at", "before~1"],
    "sync": [],
    "soul blame": [],
    "soul diff": ["before~1", "HEAD"],
    "soul log": [],
    "soul revert": ["--to", "before~1"],
    "soul edit": ["--add", "- Be clear.", "--reason", "asked for"],
    "soul propose": ["--add", "- Be clear.", "--reason", "asked for"],
    "soul proposals": [],
    "soul approve": ["kkkkkkkk"],
    "soul reject": ["kkkkkkkk", "--reason", "no"],
    "soul verify": [],
    "soul snapshots": ["--export", "versions"],
    "memory add": ["Harbor ships in March.", "--tag", "#event"],
    "memory bench": ["bench.jsonl"],
    "memory compact": ["--apply"],
    "memory edit": ["MEMORY.md:3", "Ana leads Harbor."],
    "memory get": ["MEMORY.md", "--at", "HEAD"],
    "memory index": ["--force"],
    "memory list": ["--since", "2026-01-01"],
    "memory promote": ["--apply"],
    "memory rm": ["MEMORY.md:3"],
    "memory search": ["Harbor", "--at", "HEAD"],
    "memory status": [],
    "memory tidy": ["--apply"],
    "context": ["--message", "Who leads Harbor?"],
    "conflicts list": [],
    "conflicts resolve": ["kkkkkkkk", "--keep", "a"],
    "hooks install": [],
    "operator": [],
    "trust": [],
    "agent edit": ["memory-miner"],
    "hooks uninstall": [],
    "secrets allow": ["0123456789ab"],
    "secrets scan": ["--history"],
    "backup restore": ["saved.clawgit", "../restored"],
    "backup save": ["../made.clawgit"],
    "backup verify": ["saved.clawgit"],
    "chat ingest": ["talk.jsonl"],
    "chat log": ["Hello.", "--session", "s"],
    "chat search": ["Harbor"],
    "session compact": ["talk.jsonl"],
    "session flush-check": ["talk.jsonl"],
    "session new": ["talk.jsonl"],
    "session prune": ["talk.jsonl"],
    "session reset-check": ["talk.jsonl"],
    "corrections add": ["Ana leads Harbor", "--was", "Bob leads Harbor"],
    "corrections archive": [],
    "corrections list": [],
    "corrections settle": ["kkkkkk", "Ana leads Harbor"],
    "triage": ["No, Ana leads Harbor."],
    "heartbeat": ["No, Ana leads Harbor.", "--session", "s"],
    "workspace add": ["other", "memory"],
    "workspace list": [],
    "fleet add": ["/srv/none.git", "--database", "postgresql://nobody@127.0.0.1:1/none"],
    "fleet init": ["--database", "postgresql://nobody@127.0.0.1:1/none"],
    "fleet remove": ["coder", "--database", "postgresql://nobody@127.0.0.1:1/none"],
    "fleet retry": ["--database", "postgresql://nobody@127.0.0.1:1/none"],
    "fleet status": ["--database", "postgresql://nobody@127.0.0.1:1/none"],
    "fleet worker": ["--database", "postgresql://nobody@127.0.0.1:1/none"],
    "digest": ["--since", "2026-01-01"],
    "run": ["--once"],
    "schedule install": ["--dry-run"],
    "schedule show": [],
    "schedule uninstall": ["--dry-run"],
    "agent list": [],
    "agent run": ["memory-miner"],
    "agent show": ["1"],
    "mcp": [],
    "page": ["--out", "../page.html"],
    "connect": ["claude-code", "--dry-run"],
    # Not in the help: for scripts, and for hooks.
    "hook": ["pre-commit"],
    "soul show": ["--at", "HEAD"],
    "serve": [],
    "watch": ["--once"],
    "completion": ["bash"],
    "agent": [],
    "chat": [],
    "conflicts": [],
    "corrections": [],
    "fleet": ["--database", "postgresql://nobody@127.0.0.1:1/none"],
    "hooks": [],
    "memory": [],
    "schedule": [],
    "secrets": [],
    "session": [],
    "soul": [],
    "workspace": [],
    "deinit": [],
}
"""How each command is called here. A command without a row fails the test below."""

OFTEN = (
    "", "init", "status", "doctor", "snapshot", "log", "show", "diff", "why", "undo", "forget", "restore",
    "sync", "soul blame", "soul log", "soul revert", "soul edit", "soul snapshots", "memory add",
    "memory compact", "memory edit", "memory index", "memory search", "context", "hooks install", "hook",
    "secrets scan", "backup save", "backup restore", "chat ingest", "session new", "corrections add",
    "heartbeat", "run", "digest", "agent run", "serve", "mcp", "connect", "deinit",
)  # fmt: skip
"""Those that start git, in each way that there is."""

NEEDS_NO_WORKSPACE = ("completion", "operator", "backup verify", "backup restore", "workspace add")
"""What reads and writes nothing of the folder in which it is called."""

_APART = ("serve", "mcp", "heartbeat")
"""What speaks over its own standard streams, stays until it is stopped, or leaves somebody at work
behind it."""


@pytest.fixture
def hostile(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> tuple[Git, Canaries]:
    """The workspace that is prepared once, as it was then: each command finds it untouched."""
    folder = tmp_path_factory.getbasetemp() / "hostile"
    if not _PREPARED:
        folder.mkdir()
        canaries = Canaries(folder / "canaries")
        git = prepare(folder / "ws", canaries)
        shutil.move(folder / "saved.clawgit", git.root)
        git.write("talk.jsonl", TALK)
        git.write(
            "bench.jsonl",
            json.dumps({"query": "Harbor", "expect": [{"path": "MEMORY.md", "line": 3}]}) + "\n",
        )
        # A copy: its configuration names programs in the folder where it was made.
        shutil.copytree(git.root, folder / "kept/ws", symlinks=True)
        canaries.sang()
        _PREPARED.append(canaries)
    as_it_was(folder / "kept", folder / "used")
    monkeypatch.chdir(folder / "used/ws")
    return Git(folder / "used/ws"), _PREPARED[0]


_PREPARED: list[Canaries] = []


def test_the_table_names_every_command() -> None:
    assert {*ARGUMENTS} == {*leaves(cli), "", "hook", "soul show", "serve", "watch"}


@pytest.mark.usefixtures("quick_workers")
@pytest.mark.parametrize("name", OFTEN)
def test_no_command_runs_a_program_of_the_repositorys(
    name: str, hostile: tuple[Git, Canaries], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does the name of a file act on the terminal, or make a line that nobody wrote."""
    _, canaries = hostile
    words = [*name.split(), *ARGUMENTS[name]]
    piped(monkeypatch, "{}")
    told = Told(_served(words), "", "") if name in _APART else call(*words)
    assert canaries.sang() == set()
    assert acting(told.out + told.err) == []
    assert told.code in (0, 1)  # it came to its work: the arguments are right, and nothing broke


def test_a_sync_runs_none_either_where_the_remote_can_be_reached(
    hostile: tuple[Git, Canaries], tmp_path: Path
) -> None:
    """It speaks to another repository, as nothing else here does, and brings its files in."""
    git, canaries = hostile
    hub = Git(tmp_path / "hub.git")
    hub.root.mkdir()
    hub("init", "-q", "--bare")
    for key in ("uploadpack", "receivepack"):
        git("config", "--replace-all", f"remote.origin.{key}", canaries.named(f"remote.{key}"))
    git("config", "--unset-all", "remote.origin.vcs", ok=False)
    git("config", "--replace-all", "remote.origin.url", str(hub.root))
    canaries.sang()
    told = call("sync")
    assert canaries.sang() == set()
    assert "Sent the branch to origin" in told.out + told.err
    assert acting(told.out + told.err) == []


def test_the_names_of_files_are_on_the_screens_that_are_looked_at(
    hostile: tuple[Git, Canaries],
) -> None:
    """Else the test above would prove nothing about names. JSON gives them as they are."""
    for words in (["status", "--all"], ["show", "HEAD~3"], ["memory", "list"], ["doctor"]):
        told = call(*words)
        assert acting(told.out + told.err) == []
        assert "Forged" in told.out + told.err, words
    told = call("status", "--all", "--json")
    assert acting(told.out) == []
    assert f"{NAMES[0].removesuffix('.md')}-new.md" in told.json["dirty"]


def test_the_hooks_that_we_put_in_run_none_either(hostile: tuple[Git, Canaries]) -> None:
    """`git commit` is the user's own and goes by his configuration; what clawgit adds to it must
    not go further."""
    git, canaries = hostile
    for section in ("filter.evil", "filter.lasting", "filter.included", "core"):
        git("config", "--remove-section", section, ok=False)
    (git.root / ".git/evil.inc").write_text("")
    git("config", "core.bare", "false")
    git("config", "commit.gpgSign", "false")
    assert run(["hooks", "install"]) == 0
    git("config", "diff.ignoreSubmodules", "all")
    git("add", "MEMORY.md")
    canaries.sang()
    git("commit", "-qm", "by hand")
    git("commit", "-q", "--amend", "-m", "by hand again")
    assert "Clawgit-Id" in git("log", "-1", "--no-show-signature", "--format=%B")
    assert canaries.sang() <= {"pager.log"}


SONGS = [
    ("core.fsmonitor", "status"),
    ("inner.fsmonitor", "status"),
    ("inner.filter", "status"),
    ("filter.evil.clean", "status"),
    ("filter.lasting.process", "status"),
    ("filter.included", "status"),
    ("filter.evil.smudge", "cat-file --filters HEAD:vault/a.md"),
    ("diff.external", "diff -- .gitattributes sub"),
    ("diff.evil.command", "diff -- MEMORY.md"),
    ("diff.evil.textconv", "diff --no-ext-diff -- MEMORY.md"),
    ("diff.evil.textconv", "log -SPostgreSQL --format=%H"),
    ("gpg.openpgp.program", "log -1"),
    ("hook.reference-transaction", "update-ref refs/heads/other HEAD"),
    ("hook.post-index-change", "update-index --force-write-index --refresh"),
    ("core.sshCommand", "ls-remote ssh://example.org/x"),
    ("ext", "ls-remote origin"),
    ("trailer.evil.command", "interpret-trailers"),
    ("core.editor", "-c core.hooksPath=/dev/null commit --allow-empty --no-gpg-sign"),
]


@pytest.mark.parametrize(("key", "words"), SONGS)
def test_the_canaries_sing_where_nobody_keeps_them_quiet(
    key: str, words: str, hostile: tuple[Git, Canaries]
) -> None:
    """The test above could not fail if these did not."""
    git, canaries = hostile
    tamed = ["filter.evil.required=false", "filter.lasting.required=false"]  # else they end git
    if key != "filter.lasting.process":
        tamed.append("filter.lasting.process=")
    options = (word for row in tamed for word in ("-c", row))
    git(*options, *words.split(), ok=False, stdin="")
    assert key in canaries.sang()


def test_a_missing_object_of_a_partial_clone_is_fetched_by_nobody(
    hostile: tuple[Git, Canaries],
) -> None:
    """`git status` would fetch it, by a program of the configuration's choice; libgit2, which
    refuses such a repository, is not asked for a status.
    """
    git, canaries = hostile
    git("config", "core.repositoryFormatVersion", "1")
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.promisor", "true")
    tree = git("rev-parse", "HEAD:memory").strip()
    (git.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    canaries.sang()
    git("ls-tree", "-r", "HEAD", ok=False)
    assert "ext" in canaries.sang()
    assert run(["status"]) in (0, 1)
    assert canaries.sang() == set()


def test_every_command_refuses_a_folder_of_another_user(
    hostile: tuple[Git, Canaries], monkeypatch: pytest.MonkeyPatch
) -> None:
    git, _ = hostile
    before = {path: path.lstat().st_mtime_ns for path in git.root.rglob("*")}
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for name in sorted({*OFTEN} - {*NEEDS_NO_WORKSPACE}):
        piped(monkeypatch, "{}")
        told = call(*name.split(), *ARGUMENTS[name])
        assert told.code == 1, name
        shown = told.out + told.err
        assert f"ubious ownership in repository at '{git.root}'" in shown, name
        assert "git config --global --add safe.directory" in shown, name
    assert {path: path.lstat().st_mtime_ns for path in git.root.rglob("*")} == before


_SERVE = [sys.executable, "-m", "clawgit", "serve"]
"""By a Python that takes signals itself."""


def _served(words: list[str]) -> int:
    argv = _SERVE if "serve" in words else [python(), "-m", "clawgit", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        if argv is _SERVE:
            assert child.stderr is not None
            child.stderr.readline()
            child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
    return 0 if child.returncode in (0, 130) else child.returncode
