"""`sync` over http and ssh: git's own servers on this machine, and all that can go wrong between."""

import os
import pty
import sys
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from clawgit.core.errors import ClawgitError, NotFoundError
from clawgit.git.remotes.transport import RemoteError
from clawgit.history.forgetting.forget import forget, plan
from tests.each import for_each
from tests.history.machines import Hub, Machine
from tests.history.servers import WebServer, no_ssh, ssh_server, web_server

PASSWORD = "Kryzhovnik0417"  # noqa: S105 - one of our own server
LOGIN = f"olga:{PASSWORD}"


@pytest.fixture(autouse=True)
def _receives(hub: Hub) -> None:
    hub("config", "http.receivepack", "true")


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebServer]:
    with web_server(tmp_path) as server:
        yield server


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[WebServer]:
    """It asks for a password."""
    with web_server(tmp_path, LOGIN) as server:
        yield server


def moved_to(url: str, *clones: Machine) -> None:
    for clone in clones:
        clone("remote", "set-url", "origin", url)


def by_helper(one: Machine) -> None:
    """The user's own configuration knows the password."""
    one(
        *("config", "--global", "credential.helper"),
        f"!f() {{ echo username=olga; echo password={PASSWORD}; }}; f",
    )


@pytest.fixture(params=["web", "ssh", pytest.param("sshd", marks=pytest.mark.slow)])
def address(
    request: pytest.FixtureRequest, hub: Hub, one: Machine, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:  # fmt: skip
    """The remote's, over each way on which git speaks to another machine."""
    if request.param.startswith("ssh"):
        with (
            ssh_server(tmp_path / "sshd")
            if request.param == "sshd"
            else nullcontext(no_ssh(tmp_path)) as shell
        ):
            monkeypatch.setenv("GIT_SSH_COMMAND", shell.command)
            yield shell.url(hub.root)
        return
    with web_server(tmp_path, LOGIN) as server:
        by_helper(one)
        one("config", "--global", f"url.{server.url('')}.insteadOf", "memory:")
        yield "memory:hub.git"


def test_two_meet_over_it(hub: Hub, one: Machine, address: str, tmp_path: Path) -> None:
    moved_to(address, one)
    one("clone", "-q", address, str(tmp_path / "cloned"))
    cloned = Machine(tmp_path / "cloned", one.now)
    for machine, drink in ((one, "tea"), (cloned, "coffee")):
        machine.append(f"- Likes {drink}.\n")
    assert (one.sync().state, cloned.sync().state) == ("pushed", "merged")
    assert one.sync().state == "merged"
    assert {one.head(), cloned.head()} == {hub.head()}
    assert one.sync().state == "in_sync"
    assert one.left_over() == ""


def test_a_wrong_password(pair: tuple[Hub, Machine, Machine], locked: WebServer) -> None:
    login = "olga:WrongWord99"
    hub, one, _ = pair
    before = hub.head()
    one.append("- Likes tea.\n")
    moved_to(locked.url("hub.git", login), one)
    with pytest.raises(RemoteError, match="does not accept your key") as refused:
        one.sync()
    assert "git fetch" in refused.value.hint
    assert locked.url("hub.git") in refused.value.message
    assert hub.head() == before
    assert one.left_over() == ""
    moved_to(locked.url("hub.git", LOGIN), one)
    assert one.sync().state == "pushed"


@for_each("status, words", [(403, "does not allow this"), (404, "There is no repository at")])
def test_a_server_that_refuses(one: Machine, web: WebServer, status: int, words: str) -> None:
    moved_to(web.url("hub.git"), one)
    web.status = status
    with pytest.raises(RemoteError, match=words):
        one.sync()


def test_a_server_that_dies_before_the_push(hub: Hub, one: Machine, web: WebServer) -> None:
    before = hub.head()
    one.append("- Likes tea.\n")
    moved_to(web.url("hub.git"), one)
    one("config", "protocol.version", "0")  # so that it fetches by GET alone
    web.dies_first = True
    done = one.sync()
    assert (done.state, hub.head()) == ("push_failed", before)
    assert "broke off" in done.message
    web.dies_first = False
    assert one.sync().state == "pushed"


AT = "ssh://git@localhost:2222/"
CHANGED = "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed."


@for_each(
    "said, message, step",
    [
        ("git@localhost: Permission denied (publickey).", "does not accept your key", "git fetch"),
        (CHANGED, f"ssh does not know {AT}", "ssh-keygen -R HOST"),
        ("ERROR: Repository not found.", f"There is no repository at {AT}", "git remote -v"),
    ],
)
def test_what_ssh_says_is_told_in_plain_words(
    hub: Hub, one: Machine, tmp_path: Path, said: str, message: str, step: str
) -> None:
    shell = no_ssh(tmp_path, f"{said}\n")
    moved_to(shell.url(hub.root), one)
    with pytest.raises(RemoteError) as refused:
        one.sync(env={"GIT_SSH_COMMAND": shell.command})
    assert message in refused.value.message
    assert step in refused.value.hint


@for_each(
    "said",
    [
        "ssh: connect to host localhost port 2222: Connection refused",
        "ssh: Could not resolve hostname localhost: nodename nor servname provided, or not known",
    ],
)
def test_a_machine_out_of_reach_is_away(hub: Hub, one: Machine, tmp_path: Path, said: str) -> None:
    shell = no_ssh(tmp_path, f"{said}\n")
    moved_to(shell.url(hub.root), one)
    done = one.sync(env={"GIT_SSH_COMMAND": shell.command})
    assert (done.state, done.next) == ("offline", "clawgit sync, later")


def test_ssh_asks_nothing_where_nobody_is(hub: Hub, one: Machine, tmp_path: Path) -> None:
    """It would open the terminal itself, and wait for ever."""
    shell = no_ssh(tmp_path)
    moved_to(shell.url(hub.root), one)
    for way in ({"GIT_SSH_COMMAND": f"{shell.command} -o User=x"}, {"GIT_SSH": shell.command}):
        for prompts in (True, False):
            (tmp_path / "called").unlink(missing_ok=True)
            assert one.sync(env=way, prompts=prompts).state == "in_sync"
            assert ("BatchMode=yes" in (tmp_path / "called").read_text()) is not prompts


def test_a_password_is_typed_at_a_terminal_alone(one: Machine, locked: WebServer) -> None:
    moved_to(locked.url("hub.git"), one)
    shown = typed(
        [sys.executable, "-m", "clawgit", "-C", str(one.root), "sync"], ["olga", PASSWORD]
    )
    assert "Username for" in shown
    assert "In sync with origin/main." in shown
    assert PASSWORD not in shown


def typed(call: list[str], answers: list[str]) -> str:
    """What a program shows on a terminal, at which each question with a colon is answered."""
    child, screen = pty.fork()
    if not child:
        os.execv(call[0], call)  # noqa: S606 - our own program
    shown, left = "", list(answers)
    with suppress(OSError):  # what a terminal says whose program has ended
        while data := os.read(screen, 4096):
            shown += data.decode()
            if left and shown.endswith(": "):
                os.write(screen, f"{left.pop(0)}\n".encode())
    os.waitpid(child, 0)
    os.close(screen)
    return shown


@pytest.mark.parametrize("login", [LOGIN, f"{PASSWORD}"])
def test_a_password_is_shown_and_kept_nowhere(one: Machine, locked: WebServer, login: str) -> None:
    """A token often stands where others have the user's name."""
    locked.login = login if ":" in login else f"{login}:"
    shown = []
    for name in ("hub.git", "hub.git?key=" + PASSWORD, "nothing.git"):
        moved_to(locked.url(name, login), one)
        one.append("- Likes tea.\n")
        shown.append(said_by(one))
    moved_to(f"http://{login}@127.0.0.1:9/hub.git", one)
    shown.append(said_by(one))
    moved_to(f"file://{LOGIN}@localhost{one.root}", one)
    shown.append(said_by(one))
    with pytest.raises(NotFoundError) as refused:
        one.sync(remote=locked.url("hub.git", login))
    workspace = one.workspace()
    forgot = forget(workspace, plan(workspace, "Likes tea"))
    shown += [str(refused.value.message), str(forgot)]
    assert PASSWORD not in "\n".join(shown)
    assert "in_sync" in shown[0] or "pushed" in shown[0]
    for folder in (one.root / ".git", Path.home()):
        files = [file for file in folder.rglob("*") if file.is_file() and file.name != "config"]
        assert [file for file in files if PASSWORD.encode() in file.read_bytes()] == []
    assert PASSWORD.encode() not in one.objects()


def said_by(machine: Machine) -> str:
    """All that a sync says, as its own words and not as the terminal's mask leaves them."""
    try:
        return str(machine.sync())
    except ClawgitError as error:
        return f"{error.message} {error.hint} {error.data}"
