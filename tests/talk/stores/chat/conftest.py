"""Fixtures of the chat stores: each kind of them, on a real database."""

from collections.abc import Iterator

import pytest

from clawgit.talk.stores.chat.postgres import PostgresChat
from clawgit.workspace.stores.state import State
from tests.conftest import NOW
from tests.talk.stores.chat.servers import LocalChat, SpooledChat, address, server

__all__ = ["address", "server"]


@pytest.fixture
def local(state: State) -> LocalChat:
    return LocalChat(state)


@pytest.fixture(params=["sqlite", "postgres", "spooled"])
def store(request: pytest.FixtureRequest) -> Iterator[SpooledChat | LocalChat | PostgresChat]:
    """Each kind of store, empty."""
    if request.param == "sqlite":
        yield request.getfixturevalue("local")
        return
    with PostgresChat(request.getfixturevalue("address")) as remote:
        yield (
            remote
            if request.param == "postgres"
            else SpooledChat(request.getfixturevalue("local"), remote, NOW)
        )
