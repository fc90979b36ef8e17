"""The database of a fleet: its address, without a password, and the queries of `fleet.sql`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from clawgit.core import NamedTuple
from clawgit.core.doors import load, psycopg
from clawgit.core.errors import ClawgitError, MissingExtraError, UsageError
from clawgit.talk.stores.chat.postgres import MAKE_UTF8, reason_of, unfit

if TYPE_CHECKING:
    from types import ModuleType

WORKER = "clawgit_worker"
_PATIENCE = "10"
_SECRETS = {"sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"}
_NAME = re.compile(r"^-- (\w[^\n]*) --\n", re.MULTILINE)


class FleetError(ClawgitError):
    kind = "fleet"


class DroppedError(ClawgitError):
    """A newer generation has taken over, or the history was rewritten: all is thrown away."""

    kind = "dropped"


class Address(NamedTuple):
    """Where the database is, as libpq reads it; the password is not in it."""

    parts: tuple[tuple[str, str], ...]

    def conninfo(self, role: str = "") -> str:
        path = "-c search_path=clawgit_fleet,clawgit_queue"
        return psycopg.conninfo.make_conninfo("", **self._with(path, role))

    @property
    def plain(self) -> str:
        return psycopg.conninfo.make_conninfo("", **dict(self.parts))

    def chat(self, agent: str) -> str:
        """The address of the messages of one agent, for the setting `chat_store`."""
        options = f"-c search_path=clawgit_chat -c clawgit.workspace={agent}"
        return f"postgresql:///?{urlencode(self._with(options, WORKER), quote_via=quote)}"

    def _with(self, options: str, role: str) -> dict[str, str]:
        parts = {"connect_timeout": _PATIENCE, **dict(self.parts)}
        as_role = f" -c role={role}" if role else ""
        parts["options"] = f"{parts.get('options', '')} {options}{as_role}".strip()
        return parts


def address_of(text: str) -> tuple[Address, str]:
    """An address, and the password that stood in it. What is wrong with it is not quoted."""
    must_be_installed(psycopg)
    try:
        parts = psycopg.conninfo.conninfo_to_dict(text)
    except psycopg.Error:
        raise UsageError(
            "The database is not an address that PostgreSQL understands.",
            hint="postgresql://USER@HOST/DATABASE; the password belongs in ~/.pgpass",
        ) from None
    password = str(parts.pop("password", None) or "")
    if others := sorted(_SECRETS & parts.keys()):
        raise UsageError(
            f"The address of the database holds {others[0]}, which is a secret.",
            hint="Put it into ~/.pg_service.conf, and name that: ?service=NAME",
        )
    return Address(tuple((name, str(value)) for name, value in sorted(parts.items()))), password


def must_be_installed(door: "ModuleType") -> None:
    try:
        load(door)
    except ImportError as error:
        raise MissingExtraError(
            f"A fleet needs the package {door.__name__}.", hint="pip install 'clawgit[fleet]'"
        ) from error


class Fleet:
    """A connection. Each query is a transaction of its own, unless `together` holds several."""

    def __init__(self, db: "psycopg.Connection[Any]") -> None:
        self._db = db

    def rows(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """The rows that a query of `fleet.sql` gives, if it gives any."""
        with _plain_errors():
            done = self._db.execute(QUERIES[name], values)
            return done.fetchall() if done.description else []

    def script(self, text: str) -> None:
        with _plain_errors():
            self._db.execute(text.encode())

    @contextmanager
    def together(self, alone: str = "") -> Iterator[None]:
        """One transaction; `alone`: what no other of this name does beside it."""
        with _plain_errors(), self._db.transaction():
            if alone:
                self.rows("one at a time", what=alone)
            yield


@contextmanager
def opened(address: Address, role: str = WORKER) -> Iterator[Fleet]:
    with _plain_errors(), psycopg.connect(address.conninfo(role), autocommit=True) as db:
        if why := unfit(db):
            raise FleetError(f"The fleet's database cannot be used: {why}", hint=MAKE_UTF8)
        yield Fleet(db)


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Tells what is wrong with the database. A value that it does not take is no fault of it."""
    try:
        yield
    except (psycopg.OperationalError, psycopg.ProgrammingError, psycopg.InternalError) as error:
        words = reason_of(error)
        hint = "Check --database (or CLAWGIT_FLEET), and that the server runs: pg_isready"
        if error.sqlstate in _UNMADE or f'role "{WORKER}" does not exist' in words:
            words, hint = "There is no fleet in this database.", "clawgit fleet init"
        elif "permission denied" in words:
            hint = "docs/running.md says what the login of the operator needs, and that of a worker"
        raise FleetError(f"The fleet's database: {words}", hint=hint) from error


_UNMADE = ("42P01", "3F000", "22023")
"""A table, a schema or a role that is not there. A connection that asks for a role has no code."""


_, *_PARTS = _NAME.split(Path(__file__).with_name("fleet.sql").read_text("utf-8"))
QUERIES = {name: query.encode() for name, query in zip(_PARTS[::2], _PARTS[1::2], strict=True)}
