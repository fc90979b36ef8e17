"""Messages on their way to a server that is there, away, or goes in the middle of it."""

import subprocess
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from clawgit.core.errors import ConfigError
from clawgit.run.fleet.database import FleetError, address_of, opened
from clawgit.talk.rules.chat import Message, recorded, told
from clawgit.talk.stores.chat import AWAY, MessageQuery, ServerAwayError
from clawgit.talk.stores.chat.postgres import PostgresChat
from tests import ready
from tests.conftest import NOW
from tests.talk.stores.chat.servers import DEAD, LocalChat, SpooledChat, cutting

TALK = [
    recorded("c", "agent:main:main", "user", f"text {at}", NOW + timedelta(seconds=at), f"i{at}")
    for at in range(40)
]


def ids(store: LocalChat | PostgresChat | SpooledChat) -> list[str]:
    return [message.id for message in store.find(MessageQuery())]


def spooled(local: LocalChat, server: PostgresChat, *messages: Message) -> SpooledChat:
    """The way to a server, on which these have set out."""
    made = SpooledChat(local, server, NOW)
    made.put(messages)
    made.forward()
    return made


def test_what_waits_follows_in_order_when_the_server_is_back(
    local: LocalChat, address: str
) -> None:
    with PostgresChat(DEAD) as nobody:
        away = SpooledChat(local, nobody, NOW)
        assert away.put(TALK[:2]) == TALK[:2]
        assert (away.forward(), local.waiting()) == (0, 2)
        assert away.find(MessageQuery()) == TALK[:2]
        assert away.away is not None
        assert "Connection refused" in away.away.message
        assert local.mark(AWAY) == away.away.message
        with pytest.raises(ServerAwayError):  # nothing is forgotten for good
            away.forget(bool, dry_run=True)
    with PostgresChat(address) as server:
        back = SpooledChat(local, server, NOW)
        back.put(TALK[1:4])
        assert (back.forward(), local.waiting(), back.away) == (4, 0, None)
        assert local.mark(AWAY) is None
        with psycopg.connect(address) as db:
            rows = db.execute("SELECT id FROM clawgit_message ORDER BY seq").fetchall()
        assert rows == [(f"i{at}",) for at in range(4)]


def test_what_arrived_is_told_by_the_server_alone(local: LocalChat, address: str) -> None:
    """Its numbers are not those of this machine, so a mark would mean something else."""
    with PostgresChat(DEAD) as nobody:
        away = SpooledChat(local, nobody, NOW)
        away.put(TALK[:2])
        with pytest.raises(ServerAwayError):
            away.arrived(0, 10)
    with PostgresChat(address) as server:
        server.put(TALK[5:8])
        found = SpooledChat(local, server, NOW).arrived(0, 10)
        assert [message.id for _, message in found] == ["i5", "i6", "i7", "i0", "i1"]


def test_what_was_kept_here_before_a_server_was_named_goes_there(
    local: LocalChat, address: str
) -> None:
    local.put(TALK)
    with PostgresChat(address) as server:
        assert ids(SpooledChat(local, server, NOW)) == [message.id for message in TALK]


def test_a_change_follows_what_it_changes(local: LocalChat, address: str) -> None:
    key = "agent:main:main"
    with PostgresChat(address) as server:
        way = spooled(local, server, told(key, "user", "yes", NOW))
        way.put([recorded("c", key, "user", "yes", NOW, "i1")._replace(priority=True)])
        assert local.waiting() == 1
        way.forward()
        [message] = server.find(MessageQuery())
        assert (message.id, message.priority) == ("i1", True)
        assert message.live


def test_what_the_server_has_goes_from_here_after_a_week_and_what_waits_does_not(
    local: LocalChat, address: str
) -> None:
    later = NOW + timedelta(days=7, seconds=20)
    with PostgresChat(address) as server:
        SpooledChat(local, server, NOW).put(TALK)
        assert SpooledChat(local, server, later).forward() == 40
        assert (local.count(), server.count()) == (20, 40)
    with PostgresChat(DEAD) as nobody:
        away = SpooledChat(local, nobody, later + timedelta(days=99))
        away.put([TALK[0]])
        assert away.drop_before(NOW) == 0
        assert local.waiting() == 1
        assert away.drop_before(NOW + timedelta(seconds=1)) == 1


@pytest.mark.parametrize("after", [0, 5, *range(8, 22, 2)])
def test_a_line_cut_at_any_piece_loses_and_doubles_nothing(
    local: LocalChat, address: str, after: int
) -> None:
    """Before the connection, in the handshake, in the migration, in the transaction, and between a
    commit and its answer.
    """
    with PostgresChat(address) as server:
        SpooledChat(local, server, NOW).put(TALK[:3])
        if after % 2:
            server.put(TALK[:1])
    with cutting(address, after) as line, PostgresChat(line) as cut:
        broken = spooled(local, cut, *TALK[3:6])
        assert (broken.away is None) == (local.waiting() == 0)
    with PostgresChat(address) as server:
        back = SpooledChat(local, server, NOW)
        back.put(TALK[6:8])
        assert ids(back) == [message.id for message in TALK[:8]]
        assert local.waiting() == 0


def test_a_server_that_went_while_the_process_lives_is_used_again(
    local: LocalChat, address: str
) -> None:
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    with PostgresChat(address) as server:
        way = spooled(local, server, *TALK[:1])
        with psycopg.connect(address, autocommit=True) as db:
            db.execute(others)
        way.put(TALK[1:2])
        way.forward()
        way.forward()
        assert server.count() == 2


WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from clawgit.talk.rules.chat import recorded, told
from clawgit.talk.stores.chat.postgres import PostgresChat
now, key = datetime(2026, 2, 14, 9, tzinfo=UTC), "agent:main:main"
with PostgresChat(sys.argv[1]) as server:
    sys.stdin.read()
    for batch in range(0, 60, 5):
        batch = range(batch, batch + 5)
        if sys.argv[2] == "record":
            server.put([recorded("c", key, "user", f"text {at % 3}", now + timedelta(seconds=at), f"i{at}")
                        for at in batch])
        else:
            server.put([told(key, "user", f"text {at % 3}", now + timedelta(seconds=at), f"m{at}") for at in batch])
"""


def test_writers_on_two_machines_make_one_of_each_message(address: str) -> None:
    """Both begin on an empty database. Two tell of the same records, one of the same messages as it
    heard them."""
    argv = [ready.python(), "-c", WRITER, address]
    writers = [
        subprocess.Popen([*argv, kind], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for kind in ("record", "record", "live")
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.close()
        writer.stdin = None
    assert [writer.communicate(timeout=60)[1] for writer in writers] == [b""] * 3
    with PostgresChat(address) as server:
        found = server.find(MessageQuery())
    assert sorted(message.id for message in found) == sorted(f"i{at}" for at in range(60))
    assert len({message.live for message in found}) == 60


def test_a_user_without_rights_is_told_so_and_loses_nothing(local: LocalChat, address: str) -> None:
    schema = address.rpartition("%3D")[2]
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("DROP ROLE IF EXISTS stranger")
        db.execute("CREATE ROLE stranger LOGIN")
        db.execute(f"GRANT USAGE ON SCHEMA {schema} TO stranger".encode())
    with PostgresChat(address.replace("postgres@", "stranger@")) as server:
        way = spooled(local, server, *TALK[:1])
        assert way.away is not None
        assert "permission denied" in way.away.message
        assert local.waiting() == 1


@pytest.mark.parametrize(
    ("option", "change", "why"),
    [
        ("%20-cdefault_transaction_read_only%3Don", "SELECT", "read-only transaction"),
        ("", "ALTER TABLE clawgit_message RENAME COLUMN likeness TO other", "does not exist"),
    ],
)
def test_whatever_the_server_refuses_waits_until_it_takes_it(
    local: LocalChat, address: str, option: str, change: str, why: str
) -> None:
    with PostgresChat(address) as server:
        assert server.count() == 0
    with psycopg.connect(address) as db:
        db.execute(change.encode())
    with PostgresChat(address + option) as server:
        way = SpooledChat(local, server, NOW)
        way.put(TALK[:2])
        assert way.find(MessageQuery()) == TALK[:2]
        assert way.away is not None
        assert why in way.away.message
        assert "LINE 1" not in way.away.message
        assert local.waiting() == 2


def test_a_wrong_address_is_refused_without_its_password() -> None:
    with (
        PostgresChat("postgresql://u:secret@h/%zz") as server,
        pytest.raises(ConfigError) as caught,
    ):
        server.count()
    assert "secret" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_does_not_hold_every_text_is_refused(server: Path, encoding: str) -> None:
    address = f"postgresql://postgres@/{{}}?host={server}"
    with psycopg.connect(address.format("postgres"), autocommit=True) as db:
        made = f"CREATE DATABASE {encoding} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0"
        db.execute(made.encode())
    wrong = address.format(encoding.lower())
    with pytest.raises(ServerAwayError, match=f"the encoding {encoding}, not UTF8") as refused:
        PostgresChat(wrong).find(MessageQuery())
    assert "ENCODING 'UTF8'" in refused.value.hint
    with pytest.raises(FleetError, match=encoding), opened(address_of(wrong)[0], ""):
        pass
