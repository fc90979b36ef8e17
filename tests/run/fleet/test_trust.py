"""What a worker may do, and whom it believes: the operator's signature, and no repository."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psycopg
import pytest

from clawgit.core.errors import ClawgitError, UsageError
from clawgit.git.remotes.transport import RemoteError
from clawgit.git.rules.actors import AGENT
from clawgit.run import performing
from clawgit.run.fleet import members, queue, working
from clawgit.run.fleet.database import Address, address_of
from clawgit.run.fleet.members import accepted_by_operator, refuse_address
from clawgit.safety.operator import NotTheOperatorError, OperatorKeyError, set_key
from clawgit.talk.rules.chat import USER, told
from clawgit.talk.stores.chat import MessageQuery, ServerAwayError
from clawgit.talk.stores.chat.postgres import PostgresChat
from clawgit.workspace.workspace import Workspace
from tests.conftest import Git
from tests.each import for_each
from tests.run.fleet.lab import DECIDED, Lab, replaced
from tests.signing import make_key
from tests.trusting import accept_settings

BIGGER = "soul_max_tokens: 4000"


def _seen(lab: Lab, due: int) -> dict[str, object]:
    """The settings in force in a job."""
    seen: dict[str, object] = {}
    real = performing.perform

    def look(workspace: Workspace, *args: object) -> object:
        seen.update(workspace.config.settings._asdict(), env=workspace.caller.env)
        return real(workspace, *args)  # type: ignore[arg-type]

    with replaced(working, "perform", look):
        lab.work(due)
    return seen


def _signed(lab: Lab, git: Git, tmp_path: Path) -> None:
    """A workspace in which the operator has accepted a setting, in the fleet."""
    set_key(lab.caller(), make_key(tmp_path, "operator"))
    git.write("CONFIG.md", f"# Config\n\n```yaml\n{BIGGER}\n```\n")
    accept_settings(git.root)
    lab.add(config=BIGGER, accepted=git.root)


def test_a_setting_of_the_repository_alone_is_not_in_force(lab: Lab) -> None:
    lab.add(config=BIGGER)
    assert _seen(lab, lab.due(job="upkeep"))["soul_max_tokens"] == 800


def test_what_the_operator_has_signed_is_in_force_and_stays_when_it_is_added_again(
    lab: Lab, git: Git, tmp_path: Path
) -> None:
    _signed(lab, git, tmp_path)
    assert _seen(lab, lab.due(job="upkeep"))["soul_max_tokens"] == 4000
    remote = str(lab.remote("coder").root)
    again = partial(members.add, lab.address, lab.caller(), remote, "coder")
    assert again("main", None).settings == ("soul_max_tokens",)
    assert _seen(lab, lab.due(job="upkeep", days=2))["soul_max_tokens"] == 4000
    assert again("main", lab.clone().root).settings == ()
    assert again("main", git.root).settings == ("soul_max_tokens",)
    assert again("other", None).settings == ()
    # Where no branch is named, it keeps its own.
    assert again("", None).branch == "other"


def test_settings_do_not_go_unsigned(lab: Lab, git: Git) -> None:
    git.write("CONFIG.md", f"# Config\n\n```yaml\n{BIGGER}\n```\n")
    accept_settings(git.root)
    with pytest.raises(OperatorKeyError, match="no operator key is set"):
        lab.add(accepted=git.root)


def test_a_forged_row_is_refused(lab: Lab, git: Git, tmp_path: Path) -> None:
    _signed(lab, git, tmp_path)
    (row,) = lab.query("SELECT agent, remote, branch, key, accepted, signature FROM workspace")
    signed, env = members.Member(*row), lab.caller().env
    assert accepted_by_operator(signed, env)
    for forged in (
        signed._replace(accepted=signed.accepted.replace("4000", "9000")),
        signed._replace(signature=""),
        signed._replace(key=""),
        signed._replace(agent="other"),
        signed._replace(branch="other"),
    ):
        with pytest.raises(OperatorKeyError, match="not signed"):
            accepted_by_operator(forged, env)


def test_the_signature_for_one_workspace_is_none_for_another(
    lab: Lab, git: Git, tmp_path: Path
) -> None:
    _signed(lab, git, tmp_path)
    lab.add("other")
    lab.query("""UPDATE workspace SET (key, accepted, signature) =
        (SELECT key, accepted, signature FROM workspace WHERE agent = 'coder')""")
    with pytest.raises(OperatorKeyError, match="not signed"):
        lab.work(lab.due("other", "upkeep"))


def test_only_the_operator_adds_and_removes(lab: Lab) -> None:
    agent = lab.caller(AGENT)
    with pytest.raises(NotTheOperatorError) as refused:
        members.add(lab.address, agent, "/srv/coder.git", "", "main", None)
    assert refused.value.hint not in refused.value.message
    assert "clawgit fleet status" in refused.value.hint
    with pytest.raises(NotTheOperatorError):
        members.remove(lab.address, agent, "coder")
    lab.add()
    assert members.remove(lab.address, lab.caller(), "coder").agent == "coder"


@for_each(
    "remote",
    [
        "https://joe:secret@host/x.git", "https://token@host/x.git", "ssh://git:pw@host/x",
        "https://host/x.git?token=1", "ext::sh -c touch% /tmp/x", "ftp://host/x", "../x.git",
        "fd::7", "--upload-pack=evil", "rsync://host/x",
    ],
)  # fmt: skip
def test_addresses_with_passwords_and_strange_ways_are_refused(remote: str) -> None:
    with pytest.raises(RemoteError) as refused:
        refuse_address(remote)
    assert "secret" not in refused.value.message


def test_the_ways_of_sync_are_allowed() -> None:
    for remote in ("/srv/x.git", "git@host:x.git", "ssh://git@host/x.git", "https://host/x"):
        refuse_address(remote)


def test_a_worker_does_not_fetch_from_an_address_that_was_smuggled_in(
    lab: Lab, tmp_path: Path
) -> None:
    lab.add()
    lab.query("UPDATE workspace SET remote = %s", f"ext::sh -c touch% {tmp_path}/done")
    with pytest.raises(RemoteError):
        lab.work(lab.due(job="upkeep"))
    assert not (tmp_path / "done").exists()


GRANTS = {
    ("workspace", "SELECT"), ("generation", "SELECT"), ("generation.gen", "UPDATE"),
    *((table, right)
      for table in ("schedule", "due", "receipt", "clawgit_message", "clawgit_access")
      for right in ("SELECT", "INSERT", "UPDATE", "DELETE")),
}  # fmt: skip
"""What docs/running.md says that a worker may do, beside the queue."""


def test_a_worker_may_do_what_is_written_down_and_no_more(lab: Lab) -> None:
    tables = lab.query("""SELECT table_name, privilege_type FROM information_schema.table_privileges
        WHERE grantee = 'clawgit_worker' AND table_schema <> 'clawgit_queue'""")
    whole = {*tables}
    columns = lab.query("""SELECT table_name, column_name, privilege_type
        FROM information_schema.column_privileges
        WHERE grantee = 'clawgit_worker' AND table_schema <> 'clawgit_queue'""")
    single = {(f"{t}.{c}", p) for t, c, p in columns if (t, p) not in whole}
    assert whole | single == GRANTS
    with lab.open() as fleet:
        for forbidden in (
            "UPDATE workspace SET key = ''", "DELETE FROM generation", "CREATE TABLE x (y int)",
            "INSERT INTO workspace (agent) VALUES ('x')", "DROP TABLE due",
            "ALTER TABLE clawgit_chat.clawgit_message DISABLE ROW LEVEL SECURITY",
        ):  # fmt: skip
            with pytest.raises(ClawgitError, match=r"denied|owner"):
                fleet.script(forbidden)


def _texts(address: str) -> list[str]:
    with PostgresChat(address) as chat:
        return [message.text for message in chat.find(MessageQuery())]


def test_messages_of_one_workspace_are_never_read_by_another(lab: Lab) -> None:
    """Nor counted, found, changed or deleted, though all are in one table."""
    lab.says("coder", DECIDED, "A secret of the coder.")
    lab.says("twin", DECIDED)
    assert len(_texts(lab.address.chat("coder"))) == 2
    assert _texts(lab.address.chat("twin")) == [DECIDED]
    with PostgresChat(lab.address.chat("twin")) as chat:
        assert chat.count() == 1
        assert chat.find(MessageQuery(query="secret")) == []
        assert [text for _, (_, _, _, text, *_) in chat.arrived(0, 10)] == [DECIDED]
        assert chat.forget(lambda _: True) == 1
    assert len(_texts(lab.address.chat("coder"))) == 2


def test_who_names_no_workspace_reads_nothing(lab: Lab) -> None:
    lab.says("coder", DECIDED)
    nobody = lab.address.chat("coder").replace("-c%20clawgit.workspace%3Dcoder", "")
    with pytest.raises(ServerAwayError):
        _texts(nobody)


def test_an_agents_own_login_reads_its_own_messages_whatever_it_says(lab: Lab) -> None:
    """A login that is no worker has the name of its agent, and cannot take another's."""
    lab.says("coder", "A secret of the coder.")
    name = dict(lab.address.parts)["dbname"]
    login = f"twin-{name.rpartition('_')[2]}"
    lab.query(f'CREATE ROLE "{login}" LOGIN')
    lab.query(f'GRANT USAGE ON SCHEMA clawgit_chat TO "{login}"')
    lab.query(f'GRANT SELECT, INSERT ON clawgit_chat.clawgit_message TO "{login}"')
    as_login = address_of(lab.address.plain.replace("user=postgres", f"user={login}"))[0]
    address = as_login.chat("coder").replace("-c%20role%3Dclawgit_worker", "")
    assert _texts(address) == []
    with PostgresChat(address) as chat:
        chat.put([told("main", USER, "Mine.", lab.since)])
    assert _texts(address) == ["Mine."]
    lab.query("DROP OWNED BY " + f'"{login}"')
    lab.query(f'DROP ROLE "{login}"')


def test_no_password_stays_in_an_address() -> None:
    address, word = address_of("postgresql://joe:sword%20fish@host/fleet?sslmode=require")
    assert word == "sword fish"
    shown = f"{address.plain} {address.conninfo('x')} {address.chat('coder')} {address}"
    assert "sword" not in shown
    assert "sslmode" in address.chat("coder")


@for_each("address", ["joe:swordfish@host/fleet?nonsense=1", *(
    f"joe@host/fleet?{name}=swordfish" for name in ("sslpassword", "password"))
])  # fmt: skip
def test_no_secret_stays_in_an_address_or_is_quoted(address: str) -> None:
    try:
        shown = str(address_of(f"postgresql://{address}")[0])
    except UsageError as error:
        shown = error.message + error.hint
    assert "swordfish" not in shown


@for_each("branch", ["--upload-pack=x", "a:b", "*"])
def test_what_is_no_branch_is_refused(lab: Lab, branch: str) -> None:
    with pytest.raises(UsageError, match="branch"):
        members.add(lab.address, lab.caller(), "/srv/coder.git", "", branch, None)


def test_a_remote_has_one_agent(lab: Lab) -> None:
    remote = str(lab.add().root)
    with pytest.raises(UsageError, match="workspace of coder") as refused:
        members.add(lab.address, lab.caller(), remote, "other", "main", None)
    assert "--agent coder" in refused.value.hint


def test_of_two_who_add_a_remote_at_once_one_is_told_of_the_other(lab: Lab) -> None:
    def add(agent: str) -> str:
        try:
            members.add(lab.address, lab.caller(), "/srv/new.git", agent, "main", None)
        except UsageError as error:
            return error.message
        return ""

    with ThreadPoolExecutor() as pool:
        told = [*pool.map(add, ("ana", "bo", "cy", "di"))]
    assert told.count("") == 1
    assert all("is the workspace of" in each for each in told if each)


@pytest.fixture
def other(lab: Lab) -> Iterator[Address]:
    """An empty database of the same server, of a login that may make no role."""
    name = f"other_{dict(lab.address.parts)['dbname']}"
    lab.query(f"CREATE ROLE {name} LOGIN")
    lab.query(f"CREATE DATABASE {name} OWNER {name}")
    yield Address(tuple({**dict(lab.address.parts), "dbname": name, "user": name}.items()))
    lab.query(f"DROP DATABASE {name}")
    lab.query(f"DROP ROLE {name}")


def test_an_operator_who_may_make_no_role_can_be_given_it(lab: Lab, other: Address) -> None:
    user = dict(other.parts)["user"]
    with pytest.raises(ClawgitError, match="denied") as refused:
        queue.init(other)
    assert "docs/running.md" in refused.value.hint
    lab.query(f"GRANT clawgit_worker TO {user}")
    with pytest.raises(ClawgitError, match="no fleet in this database"):
        members.status(other)
    assert "migration 4 chat" in queue.init(other).applied
    assert members.status(other).ok


def test_whose_rows_are_seen_does_not_depend_on_the_path_of_who_asks(own_lab: Lab) -> None:
    own_lab.query("CREATE SCHEMA evil")
    own_lab.query("""CREATE FUNCTION evil.current_setting(text) RETURNS text LANGUAGE sql
        AS $$ SELECT 'coder' $$""")
    with psycopg.connect(own_lab.address.conninfo(), autocommit=True) as db:
        db.execute("SET search_path TO evil, pg_catalog; SET clawgit.workspace TO 'twin'")
        assert db.execute("SELECT clawgit_chat.whose()").fetchone() == ("twin",)
