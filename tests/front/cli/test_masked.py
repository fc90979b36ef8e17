"""No command gives a secret away, nor planted text that the operator has not seen: each one is run
on a workspace that holds both in every place.
"""

import io
import json
import os
import shlex
from pathlib import Path

import pytest

from clawgit.front.cli.root import run
from clawgit.safety.rules.masks import WITHHELD
from clawgit.safety.rules.secrets import MASK, fingerprint
from tests.again import as_it_was
from tests.conftest import Git
from tests.front.cli.typed import Terminal, typed
from tests.leaky import KEYS, LINE, files_with, planted_in, shown_in

pytestmark = pytest.mark.usefixtures("quick_workers")

MASKED, IN_JSON, SILENT = ("text", "json", "colour"), ("json",), ()
"""In which forms an answer has something to mask; none where it tells no text of the workspace."""

COMMANDS: dict[str, tuple[tuple[str, ...], str]] = {
    "status": (SILENT, ""),
    "doctor": (SILENT, ""),
    "config": (MASKED, ""),
    "config get": (MASKED, "external_context_source"),
    "log": (MASKED, ""),
    "show": (MASKED, "HEAD"),
    "diff": (MASKED, "HEAD~1"),
    "why": (MASKED, "SOUL.md:4"),
    "undo": (MASKED, "HEAD --dry-run"),
    "forget": (SILENT, "'The heron opens with KEY'"),
    "restore": (MASKED, "SOUL.md --at HEAD~1 --dry-run"),
    "soul blame": (MASKED, ""),
    "soul diff": (MASKED, "HEAD~1 HEAD"),
    "soul log": (MASKED, ""),
    "soul log --changelog": (SILENT, "--json"),
    "soul show": (MASKED, ""),
    "soul revert": (MASKED, "HEAD --dry-run"),
    "soul propose": (SILENT, "--reason x --dry-run"),
    "soul proposals": (MASKED, ""),
    "memory add": (SILENT, "'The heron opens with KEY'"),
    "memory bench": (MASKED, "questions.jsonl"),
    "memory edit": (MASKED, "MEMORY.md:3 'The heron opens at four.' --dry-run"),
    "memory get": (MASKED, "MEMORY.md"),
    "memory list": (MASKED, ""),
    "memory rm": (MASKED, "MEMORY.md:3 --dry-run"),
    "memory search": (MASKED, "heron --min-score 0 -n 50"),
    "context": (MASKED, "--message heron"),
    "conflicts list": (MASKED, ""),
    "secrets scan": (SILENT, "--history"),
    "chat ingest": (IN_JSON, "said.jsonl --dry-run"),
    "chat log": (IN_JSON, "'The heron opens with KEY' --dry-run"),
    "chat search": (MASKED, "heron"),
    "session compact": (MASKED, "talk.jsonl --keep 1"),
    "session flush-check": (SILENT, "talk.jsonl --tokens 190000"),
    "session prune": (MASKED, "talk.jsonl --window 1"),
    "corrections list": (MASKED, ""),
    "triage": (SILENT, "'You forgot the heron key KEY.'"),
    "heartbeat": (IN_JSON, "'You forgot the heron key KEY.' --dry-run"),
    "run --queue": (MASKED, "--dry-run"),
    "run --queue pager": (MASKED, ""),
    "digest": (MASKED, "--since 2000-01-01"),
    "agent run": (SILENT, "memory-miner --dry-run"),
    "trust": (SILENT, "--dry-run"),
    "connect event": (MASKED, ""),
}
"""Commands that show text, whether the answer has masks here, and with what each is run."""

WITHHOLDING = {
    "chat search", "connect event", "context", "diff", "memory edit", "memory get", "memory list",
    "memory rm", "memory search", "restore", "show", "soul blame", "soul log --changelog",
    "soul diff", "soul log", "soul proposals", "soul propose", "soul revert", "soul show", "trust",
    "undo", "why",
}  # fmt: skip
"""Commands that would show a block here: each says that it withholds one."""

IN_COLOUR = ("status", "log", "diff", "soul diff", "soul log", "memory search", "memory edit")
"""Those that have most of it: a colour may begin within a secret."""

EXACT = {"memory get": ["memory"], "show": ["message", "soul"], "diff": ["new file", "soul"]}
"""What the operator sees as it is."""


class Leaky(Git):
    """A workspace and its user's home, which can be had as they were made."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "ws")
        self._kept = folder.with_name("kept")

    def again(self) -> None:
        as_it_was(self._kept, self.root.parent)
        os.chdir(self.root)


@pytest.fixture
def leaky(leaky_once: Path, monkeypatch: pytest.MonkeyPatch) -> Leaky:
    monkeypatch.setenv("HOME", str(leaky_once / "home"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(leaky_once / "home/.gitconfig"))
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-14T10:00:00+00:00")
    monkeypatch.chdir(Path.cwd())  # comes back to it at the end
    ws = Leaky(leaky_once)
    ws.again()
    return ws


out, _ = typed()


def arguments_of(path: str) -> list[str]:
    given = COMMANDS[path][1].replace("KEY", KEYS["transcript"])
    return [*path.split(), *shlex.split(given)]


@pytest.fixture
def operated(leaky: Leaky, monkeypatch: pytest.MonkeyPatch) -> Leaky:
    """The same, and the operator sits at the terminal."""
    monkeypatch.setattr("sys.stdin", Terminal())
    return leaky


@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_gives_no_secret_away(
    leaky: Leaky, path: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    event = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(leaky.root)}
    event["source"] = "startup"
    stdin = b"# Soul\n\n- Be kind.\n" if path == "soul propose" else json.dumps(event).encode()
    masked = COMMANDS[path][0]
    for way in ("text", "json", "colour") if path in IN_COLOUR else ("text", "json"):
        if way != "text":
            leaky.again()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        if way == "colour":
            monkeypatch.setenv("FORCE_COLOR", "1")
        words = arguments_of(path)
        code = run([*words, *(["--json"] if way == "json" and "--json" not in words else [])])
        said = capfd.readouterr()
        assert code in (0, 1), (way, said.err)
        assert shown_in(said.out + said.err) == [], way
        assert planted_in(said.out + said.err) == [], way
        assert WITHHELD in said.out or path not in WITHHOLDING, way
        assert MASK.search(said.out + said.err) or way not in masked, (way, said)
        if way == "json" and said.out and path != "connect event":
            assert_json(said.out)


def assert_json(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        assert [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("path", EXACT)
def test_the_operator_sees_three_commands_exactly_and_nobody_else_does(
    operated: Leaky, path: str
) -> None:
    for way in ([], ["--json"]):
        assert shown_in(out(*arguments_of(path), *way)) == EXACT[path], way
        assert shown_in(out(*arguments_of(path), "--actor", "helper", *way)) == [], way


def test_the_operator_reads_what_is_withheld_from_others(operated: Leaky) -> None:
    for path, place in (
        ("memory get", "memory"),
        ("show", "soul"),
        ("diff", "soul"),
        ("memory search", "note"),
        ("soul show", "soul"),
        ("trust", "tools"),
    ):
        assert place in planted_in(out(*arguments_of(path))), path
    # But a context is made for an agent, whoever asks.
    answer = out("context", "--message", "heron")
    assert planted_in(answer) == []
    assert WITHHELD in answer


def test_what_the_operator_has_seen_is_served_whole_and_in_pieces(
    leaky: Leaky, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("sys.stdin", Terminal())
        patched.setattr("click.confirm", lambda *_args, **_options: True)
        out("trust")
    for path in ("memory search", "memory get", "context", "soul show"):
        answer = out(*arguments_of(path))
        assert planted_in(answer), path
        assert WITHHELD not in answer, path
    # A text of the same workspace that the operator was not asked about waits as before.
    assert planted_in(out("chat", "search")) == []


def test_no_other_command_is_exact(operated: Leaky) -> None:
    for path in (
        "log", "memory search", "soul show", "soul blame", "why", "digest", "config get",
        "context",
    ):  # fmt: skip
        assert shown_in(out(*arguments_of(path))) == [], path


def test_lines_from_the_middle_of_a_private_key_are_masked(leaky: Leaky) -> None:
    got = out("memory", "get", "memory/2026-02-13.md", "--from", str(LINE), "--lines", "3")
    assert len(MASK.findall(got)) == 3
    leaky.write("memory/2026-02-13.md", "# 2026-02-13\n")
    assert shown_in(out("diff")) == []


def test_what_the_operator_allows_is_not_masked(
    leaky: Leaky, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("sys.stdin", Terminal())
        out("secrets", "allow", fingerprint(KEYS["memory"]))
    assert shown_in(out("memory", "search", "heron", "--min-score", "0", "-n", "50")) == ["memory"]


def test_a_message_with_a_key_is_kept_without_it_anywhere(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = "heartbeat_custom_patterns: [{pattern: /my key/i, route: pager, confidence: high}]"
    ws.write("CONFIG.md", f"# Config\n\n```yaml\n{patterns}\n```\n")
    monkeypatch.chdir(ws.root)
    key = KEYS["chat"]
    told = out("heartbeat", f"Remember that my key is {key}, always!", "--session", "s")
    assert "[secret:…] is stored in its place" in told
    assert run(["chat", "log", f"Is it {key}?", "--role", "assistant"]) == 0
    assert run(["agent", "run", "memory-miner"]) == 0
    assert run(["agent", "run", "recall-validator"]) == 0
    assert run(["run", "--queue", "--dry-run"]) == 0
    assert run(["memory", "search", f"is {key} mine"]) == 0
    assert run(["memory", "add", f"The key is {key}"]) == 1
    assert out("chat", "search").count(f"[secret:{fingerprint(key)}]") == 2
    assert files_with(ws.root, key) == []
    assert files_with(Path.home(), key) == []
    everything = ws("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert [oid for oid in everything if key in ws("cat-file", "-p", oid)] == []
