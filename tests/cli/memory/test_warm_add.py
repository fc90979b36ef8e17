"""`memory add` where `clawgit serve` is open: it writes as the command does, never as the
operator, and never twice."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from clawgit.cli.root import run
from clawgit.domain.change.actors import AGENT, OPERATOR
from clawgit.errors import BusyError, ClawgitError, UsageError
from clawgit.ops.facts.remember import NewFact
from clawgit.ops.search.serve_client import asked, git_standpoint, written
from clawgit.ops.search.service import Open
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import repo_at
from tests.conftest import NOW, Git
from tests.leaky import KEYS

WHEN = "2026-02-14T09:00:00+00:00"
HERON = "The heron is grey."

SERVER = """
import os, signal, sys
from pathlib import Path
from clawgit.cli.output import jsonable
from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.search import serve, service
from tests.cli.memory.test_warm_add import space_of

class Dying(service.Open):
    def answer(self, op, arguments, workspace):
        if sys.argv[2] == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = super().answer(op, arguments, workspace)
        if sys.argv[2] == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        if sys.argv[2] == "stopped":
            os.kill(os.getpid(), signal.SIGSTOP)
        return done

space = space_of(Path(sys.argv[1]), OPERATOR)
clock = lambda: space.now
ready = lambda path: print(path, flush=True)
opened = lambda of: Dying(of, clock, print)
serve.serve(space, serve.Service(opened, clock, jsonable, ready))
"""


def space_of(root: Path, actor: Any = AGENT) -> Workspace:
    place = repo_at(root)
    assert place is not None
    return Workspace(place, Caller(actor, dict(os.environ), NOW, Path(os.environ["HOME"])))


@contextmanager
def serving(root: Path, death: str = "") -> Iterator["subprocess.Popen[str]"]:
    """The service, started by the operator; it dies before or after it has written."""
    argv = [sys.executable, "-c", SERVER, str(root), death]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert "serve.sock" in child.stdout.readline()
        yield child
        child.kill()


@pytest.fixture
def ready(ws: Git) -> Git:
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    ws.commit_all("settings")
    return ws


def add(ws: Git, text: str = HERON, *more: str) -> int:
    return run(["-C", str(ws.root), "--now", WHEN, "--json", "memory", "add", text, *more])


def shape(text: str) -> Any:
    """An answer without what is new each time."""
    answer = json.loads(text)
    if "error" not in answer:
        answer["entry"]["id"] = answer["commit"] = answer["id"] = None
    return answer


def here_is_a_bug(*_: object, **__: object) -> None:
    raise AssertionError("written here")


@pytest.fixture
def only_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clawgit.ops.facts.remember.remember", here_is_a_bug)


def test_the_service_writes_what_the_command_would(
    ready: Git, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ready.head()
    assert add(ready, HERON, "--tag", "knowledge") == 0
    cold = shape(capsys.readouterr().out)
    told = ready("log", "-1", "--format=%an%n%cn%n%s%n%b")
    ready("reset", "-q", "--hard", before)
    monkeypatch.setattr("clawgit.ops.facts.remember.remember", here_is_a_bug)
    with serving(ready.root):
        assert add(ready, HERON, "--tag", "knowledge") == 0
        assert shape(capsys.readouterr().out) == cold
        warm = ready("log", "-1", "--format=%an%n%cn%n%s%n%b")
        assert _without_id(warm) == _without_id(told)
        # The same again is a mention, and counted once.
        assert add(ready) == 0
        assert json.loads(capsys.readouterr().out)["entry"]["mentions"] == 2
    assert ready("fsck", "--strict") == ""


def _without_id(message: str) -> list[str]:
    return [line for line in message.splitlines() if not line.startswith("Clawgit-Id")]


@pytest.mark.usefixtures("only_warm")
def test_it_writes_in_the_name_of_the_agent_that_asks(ready: Git) -> None:
    with serving(ready.root):
        argv = ["-C", str(ready.root), "--now", WHEN, "--actor", "bot", "memory", "add", HERON]
        assert run(argv) == 0
    assert "Clawgit-Op: bot/remember" in ready("log", "-1", "--format=%B")


def test_it_never_writes_in_the_name_of_the_operator(ready: Git) -> None:
    """Though the operator has started it, and though a client says that he is the operator."""
    before = ready.head()
    fact = NewFact(HERON)._asdict()
    with serving(ready.root):
        operator, agent = space_of(ready.root, OPERATOR), space_of(ready.root)
        assert written(operator, "remember", fact) == (None, "")
        forged = {
            **fact,
            "ident": "kkkkkkkk",
            "actor": OPERATOR.slug,
            "now": WHEN,
            "git": git_standpoint(agent.caller),
        }
        assert asked(agent, "remember", forged) is None
    assert ready.head() == before


def asking(agent: Workspace, text: str = HERON, ident: str = "kkkkkkkk") -> dict[str, object]:
    return {
        **NewFact(text)._asdict(),
        "evidence": [],
        "ident": ident,
        "actor": "fig",
        "now": WHEN,
        "git": git_standpoint(agent.caller),
    }


def test_writes_that_waited_together_are_a_commit_each(ready: Git) -> None:
    """They share the open repository. An edit that comes between them is a commit of its own, and
    one that fails leaves the others as they are.
    """
    agent = space_of(ready.root)
    service = Open(agent, lambda: NOW, print)
    before, notebook = ready.head(), ready.root / "MEMORY.md"

    def write(text: str, ident: str) -> None:
        service.answer("remember", asking(agent, text, ident), agent)

    write("The heron is grey.", "kkkkkkkk")
    notebook.write_text(notebook.read_text() + "\n- Ida feeds the geese.\n")
    with pytest.raises(ClawgitError):
        write("The token is " + KEYS["memory"], "llllllll")
    write("The swan is white.", "mmmmmmmm")
    service.close()
    log = ready("log", "--reverse", "--format=%s%n%(trailers:key=Clawgit-Id)", f"{before}..")
    for mark in ("heron", "kkkkkkkk", "MEMORY.md", "swan", "mmmmmmmm"):
        _, found, log = log.partition(mark)
        assert found, mark
    assert "geese" in ready("show", "HEAD~1:MEMORY.md")
    assert ready("status", "--porcelain") == ""


def test_what_a_write_replaced_is_looked_at_again_within_a_second(ready: Git) -> None:
    agent = space_of(ready.root)
    service = Open(agent, lambda: NOW, print)
    service.answer("remember", asking(agent), agent)
    held = agent.place.private / "held"
    assert any(held.iterdir())
    service.freshen()
    assert not any(held.iterdir())
    service.close()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("actor", "fig/x\nClawgit-Op: operator"),
        ("actor", "Operator"),
        ("actor", "operator "),
        ("actor", "clawgit"),
        ("actor", "soul-keeper"),
        ("actor", None),
        ("ident", "kkkkkkkk\nClawgit-Op: operator/remember"),
        ("ident", ["kkkkkkkk"]),
        ("ident", ""),
        ("now", "0001-01-01T00:00:00+00:00"),
        ("now", "2026-02-14"),
        ("now", 7),
        ("tag", None),
        ("text", {}),
        ("source", "correction"),
        ("evidence", "CORRECTIONS.md#k"),
        ("evidence", [None]),
        ("allow_secret", "yes"),
        ("session", 1),
    ],
)
def test_it_takes_nothing_that_the_command_would_not_send(
    ready: Git, field: str, value: object
) -> None:
    """Each refusal is an error in words: a bug would be raised here."""
    agent, clock = space_of(ready.root), datetime.fromisoformat(WHEN)
    plain = asking(agent)
    before, service = ready.head(), Open(agent, lambda: clock, print)
    with pytest.raises(UsageError):
        service.answer("remember", {**plain, field: value}, agent)
    assert ready.head() == before
    service.answer("remember", plain, agent)
    service.close()
    assert "Clawgit-Op: fig/remember\n" in ready("log", "-1", "--format=%B")


def test_an_agent_is_refused_with_the_same_words(
    ready: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    call = (HERON, "--to", "SOUL.md")
    cold_code, cold = add(ready, *call), shape(capsys.readouterr().out)
    with serving(ready.root):
        assert (add(ready, *call), shape(capsys.readouterr().out)) == (cold_code, cold)
    assert "error" in cold


@pytest.mark.parametrize("death", ["before", "after"])
def test_a_service_that_dies_makes_nobody_write_twice(
    ready: Git, capsys: pytest.CaptureFixture[str], death: str
) -> None:
    with serving(ready.root, death) as service:
        assert add(ready) == 0
        assert service.wait(60) == -signal.SIGKILL
    done = json.loads(capsys.readouterr().out)
    assert (done["action"], done["commit"]) == ("added", ready.head())
    assert done["entry"]["mentions"] == 1
    assert (ready.root / "MEMORY.md").read_text().count(HERON) == 1
    assert ready("log", "--format=%s").count("heron") == 1
    assert ready("log", "-1", "--format=%B").count(f"Clawgit-Id: {done['id']}") == 1


def test_a_service_that_does_not_answer_is_told_of_and_not_overtaken(
    ready: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.ops.search.serve_client.WRITING_PATIENCE", 0.01)
    with serving(ready.root, "stopped"), pytest.raises(BusyError, match="does not answer"):
        written(space_of(ready.root), "remember", NewFact(HERON)._asdict())
