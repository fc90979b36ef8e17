"""A Chroma server that is there, is slow, goes away, refuses, or is something else."""

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from uuid import uuid4

import pytest

from clawgit.stores.chroma.backend import Family
from clawgit.stores.chroma.collection import ChromaLimits
from clawgit.stores.chroma.failures import (
    ChromaFillingError,
    ChromaSlowError,
    ChromaUnreachableError,
)
from clawgit.stores.chroma.server import Address, Served, address, greet
from tests.stores.chroma.lab import MANY, nearest, records
from tests.stores.chroma.wire import Wire, wire_to

SOME = MANY[:40]
VECTOR = records(1, seed=3)[0][1]
QUICK = ChromaLimits(answer=1.0)


@pytest.fixture
def family() -> Family:
    return Family("static", "test", 16, uuid4().hex)


@pytest.fixture
def wire(served: Address) -> Iterator[Wire]:
    with wire_to(served) as found:
        yield found


def test_it_answers_once_it_is_filled(served: Address, family: Family) -> None:
    shelf = Served(served, family)
    with pytest.raises(ChromaFillingError):
        shelf.similar(VECTOR, 5)
    assert shelf.fill(lambda: SOME)[:2] == (40, 0)
    assert [one for one, _ in shelf.similar(VECTOR, 5)] == [
        one for one, _ in nearest(SOME, VECTOR, 5)
    ]
    shelf.close()


def test_two_workspaces_on_one_server_do_not_see_each_other(
    served: Address, family: Family
) -> None:
    mine, other = Served(served, family), Served(served, family._replace(space="another"))
    mine.fill(lambda: SOME)
    other.fill(lambda: SOME[:3])
    assert (len(mine.similar(VECTOR, 100)), len(other.similar(VECTOR, 100))) == (40, 3)
    mine.close()
    other.close()


def test_a_server_that_hangs_costs_no_more_than_its_time_and_the_next_question_none(
    wire: Wire, family: Family
) -> None:
    shelf = Served(wire.address, family, QUICK)
    shelf.fill(lambda: SOME)
    wire.hung.set()
    with pytest.raises(ChromaSlowError, match=r"did not answer within 1 s"):
        shelf.similar(VECTOR, 5)
    with pytest.raises(ChromaSlowError, match="has not given"):
        shelf.similar(VECTOR, 5)
    with pytest.raises(ChromaSlowError):
        shelf.fill(lambda: SOME)
    wire.hung.clear()
    assert shelf.fill(lambda: SOME)[:2] == (0, 0)
    assert len(shelf.similar(VECTOR, 5)) == 5
    shelf.close()


def test_a_server_that_goes_away_is_found_again_by_the_next_filling(
    wire: Wire, family: Family
) -> None:
    shelf = Served(wire.address, family, QUICK)
    shelf.fill(lambda: SOME)
    wire.cut.set()
    with pytest.raises(ChromaUnreachableError, match="cannot be reached"):
        shelf.similar(VECTOR, 5)
    with pytest.raises(ChromaUnreachableError):
        shelf.fill(lambda: SOME)
    wire.cut.clear()
    assert shelf.fill(lambda: SOME)[:2] == (0, 0)
    shelf.close()


def test_a_filling_that_the_wire_cut_off_is_gone_on_with(wire: Wire, family: Family) -> None:
    shelf = Served(wire.address, family, QUICK)

    def cut(size: int) -> None:
        if size == 600:
            wire.cut.set()

    with pytest.raises(ChromaUnreachableError):
        shelf.fill(lambda: MANY, progress=cut)
    wire.cut.clear()
    assert shelf.fill(lambda: MANY)[:2] == (600, 0)
    shelf.close()


def test_nobody_listens(family: Family) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = Address(f"http://127.0.0.1:{free.getsockname()[1]}")
        with pytest.raises(ChromaUnreachableError, match="cannot be reached"):
            Served(nobody, family).fill(lambda: SOME)


def test_somebody_listens_and_never_speaks(family: Family) -> None:
    with socket.create_server(("127.0.0.1", 0)) as dumb, pytest.raises(ChromaSlowError):
        Served(Address(f"http://127.0.0.1:{dumb.getsockname()[1]}"), family, QUICK).fill(
            lambda: SOME
        )


class _Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>Welcome</title>")

    def log_message(self, *_: object) -> None: ...


def test_a_web_server_is_no_chroma(family: Family) -> None:
    with HTTPServer(("127.0.0.1", 0), _Elsewhere) as web:
        Thread(target=web.serve_forever, args=(0.01,), daemon=True).start()
        with pytest.raises(ChromaUnreachableError, match="not a Chroma server"):
            greet(Address(f"http://127.0.0.1:{web.server_address[1]}"), 1.0)
        web.shutdown()


def test_what_is_no_address_is_named(family: Family) -> None:
    with pytest.raises(ChromaUnreachableError, match="chroma_url is not an address"):
        Served(Address("http://localhost:99999"), family).fill(lambda: SOME)


def test_a_database_that_is_not_there_is_named(served: Address) -> None:
    with pytest.raises(
        ChromaUnreachableError,
        match=r"does not know this \(tenants/default_tenant/databases/none\)",
    ):
        greet(served._replace(database="none"), 1.0)


def test_with_a_key_the_server_tells_tenant_and_database(served: Address, family: Family) -> None:
    """As Chroma Cloud does; a page of at most 300 is asked for there."""
    shelf = Served(served._replace(key="secret"), family)
    assert shelf.fill(lambda: MANY[:700])[:2] == (700, 0)
    assert shelf.fill(lambda: MANY[100:700])[:2] == (0, 100)
    assert len(shelf.similar(VECTOR, 1000)) == 300
    shelf.close()


def test_key_tenant_and_database_come_from_the_environment_that_is_handed_down() -> None:
    env = {"CHROMA_API_KEY": "k", "CHROMA_TENANT": "t", "CHROMA_DATABASE": "d"}
    assert address("https://api.trychroma.com", env) == Address(
        "https://api.trychroma.com", "t", "d", "k"
    )
    assert address("http://localhost", {}) == Address("http://localhost")
