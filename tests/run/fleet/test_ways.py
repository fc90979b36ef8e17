"""The ways by which workers reach what others serve: remotes over https, a Chroma server."""

import json
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from clawgit.core.errors import ClawgitError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import AGENT
from clawgit.search.vectors_owner import owner_of
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.ended import until
from tests.history.servers import WebServer, web_server
from tests.run.fleet.lab import DECIDED, Lab
from tests.search.stores.test_chroma import url
from tests.trusting import accept_settings

__all__ = ["url"]


def _moved(lab: Lab, remote: str) -> int:
    """A workspace whose miner is due, at an address that it is reached by from now on."""
    lab.add()
    lab.query("UPDATE workspace SET remote = %s", remote)
    lab.says("coder", DECIDED)
    return lab.due()


def _is_once_and_pushed(lab: Lab, due: int) -> bool:
    lab.work(due)
    lab.work(lab.due(days=2), "another-machine")
    return len(lab.made_for()) == 1 and lab.outcomes() == ["done", "done"]


@contextmanager
def _tls(folder: Path, login: str) -> Iterator[WebServer]:
    """`git http-backend` behind a server with a certificate that it has made itself."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    with web_server(folder, login) as served:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        served.socket = context.wrap_socket(served.socket, server_side=True)
        yield served


def test_a_remote_over_https(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with _tls(tmp_path, "olga:Kryzhovnik0417") as served:
        remote = lab.remote("coder")
        due = _moved(lab, served.url("coder.git").replace("http://", "https://"))
        remote("config", "http.receivepack", "true")
        with pytest.raises(ClawgitError):
            lab.work(due)
        monkeypatch.setenv("GIT_SSL_CAINFO", str(tmp_path / "cert.pem"))
        with pytest.raises(ClawgitError, match="does not accept"):
            lab.work(due)
        helper = "!f() { echo username=olga; echo password=Kryzhovnik0417; }; f"
        remote("config", "--global", "credential.helper", helper)
        assert _is_once_and_pushed(lab, due)


def test_filters_of_the_worker_do_not_run(lab: Lab, tmp_path: Path) -> None:
    """A repository may name the filters that stand in the worker's own configuration."""
    due, by_hand = _moved(lab, str(lab.remote("coder").root)), lab.clone()
    by_hand.commit_file(".gitattributes", "*.md filter=evil\n", "attributes")
    by_hand("push", "-q")
    for name in ("smudge", "clean"):
        by_hand("config", "--global", f"filter.evil.{name}", f"touch {tmp_path}/ran; cat")
    assert lab.work(due)
    assert not (tmp_path / "ran").exists()
    assert len(lab.made_for()) == 1


def _followed(lab: Lab, git: Git, where: str) -> None:
    """What `clawgit serve` does where an agent lives: it keeps the server's vectors current."""
    git("pull", "-q", "origin", "main")
    (git.root / ".git" / "clawgit").mkdir(exist_ok=True)
    env = {"CLAWGIT_CHROMA": where, "CLAWGIT_SEARCH_MODE": "auto"}
    accept_settings(git.root, **env)
    owner = owner_of(Workspace(find_repo(git.root), lab.caller(AGENT, **env)))
    assert owner
    until(lambda: not owner.trouble)
    owner.close()


@pytest.mark.slow
def test_a_chroma_server_has_a_collection_for_each_workspace(lab: Lab, url: str) -> None:
    before = _collections(url)
    homes = {}
    for agent in ("coder", "twin"):
        lab.add(agent)
        homes[agent] = lab.clone(agent)
    sizes = []
    for day, said in enumerate((DECIDED, "We decided to deploy on Fridays from now on."), 1):
        for agent, machine in (("coder", "first"), ("twin", "second")):
            lab.says(agent, said)
            assert lab.work(lab.due(agent, days=day), machine)
            _followed(lab, homes[agent], url)
        now = _collections(url)
        sizes.append([now[name] for name in sorted(now.keys() - before.keys())])
    first, later = sizes
    assert len(first) == len(later) == len(homes)
    assert all(size < grown for size, grown in zip(first, later, strict=True))


def _collections(url: str) -> dict[str, int]:
    """The collections of a server, and how many vectors each holds."""
    at = f"{url}/api/v2/tenants/default_tenant/databases/default_database/collections"

    def answer(where: str) -> Any:
        with urlopen(where) as said:  # noqa: S310 - our own server
            return json.load(said)

    return {each["name"]: answer(f"{at}/{each['id']}/count") for each in answer(at)}
