"""`digest`: gathered from a real history, and sent by real HTTP to each address once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawgit.agents.frame.corrections import add as correct
from clawgit.core.errors import UsageError
from clawgit.core.markdown.entry import content_key
from clawgit.git.rules.actors import OPERATOR
from clawgit.memory.remember import NewFact, remember
from clawgit.run import digest as digests
from clawgit.run.digest import UnsentError, deliver, digest, scheduled
from clawgit.talk.chat import log
from clawgit.workspace.stores import runs
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW
from tests.fleet import agent, at
from tests.mailbox import Mailbox, mailbox

pytestmark = pytest.mark.filterwarnings("ignore:.imghdr. is deprecated:DeprecationWarning")
"""What apprise imports of Python."""

DUE = datetime(2026, 2, 15, 8, tzinfo=UTC)


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox() as server:
        yield server


def later(workspace: Workspace, when: datetime, *addresses: str) -> Workspace:
    to = {"CLAWGIT_DIGEST_TO": ",".join(addresses)} if addresses else {}
    env = {**workspace.caller.env, **to}
    return Workspace(workspace.place, workspace.caller._replace(now=when, env=env))


@pytest.fixture
def grown(tmp_path: Path) -> Workspace:
    """A workspace that began a month ago and learned one thing on the 14th."""
    git = agent(tmp_path / "ws", config="timezone: UTC\nsearch_mode: core")
    with pytest.MonkeyPatch.context() as then:
        then.setenv("GIT_COMMITTER_DATE", "2026-01-14T09:00:00+00:00")
        git.commit_all("start")
    made = at(git, OPERATOR)
    remember(made, NewFact("Billing uses PostgreSQL, not MySQL.", "decision"))
    return made


def rows(workspace: Workspace) -> list[runs.Run]:
    with workspace.state() as state:
        return [row for row in runs.recent(state, 50) if row.job.startswith("digest/")]


def test_the_week_is_told_from_history_with_the_entry_and_its_change(grown: Workspace) -> None:
    found = digest(later(grown, DUE))
    [entry] = found.learned
    assert (entry.kind, entry.text) == ("added", "Billing uses PostgreSQL, not MySQL. #decision")
    assert entry.path == "MEMORY.md"
    assert (found.agent, found.change) == ("ws", (None, None, ()))
    assert "CHANGELOG.md" in found.delivery


def test_a_line_without_an_id_that_was_put_right_is_not_told_as_removed(grown: Workspace) -> None:
    notebook = grown.git.place.root / "MEMORY.md"
    notebook.write_text(f"{notebook.read_text()}- The office is in Paris.\n")
    grown.git.snapshot(NOW)
    day = later(grown, NOW + timedelta(hours=1))
    correct(day, "The office is in Berlin.", content_key("The office is in Paris."))
    found = digest(later(grown, NOW + timedelta(hours=2)), f"{NOW + timedelta(minutes=30)}")
    [entry] = found.learned
    assert (entry.kind, entry.was) == ("corrected", "The office is in Paris.")


def test_the_soul_and_the_corrections_of_these_days_are_told(grown: Workspace) -> None:
    soul = "# Soul\n\n- Be kind.\n"
    grown.git.place.root.joinpath("SOUL.md").write_text(soul)
    grown.git.snapshot(NOW - timedelta(days=60))
    grown.git.place.root.joinpath("SOUL.md").write_text(f"{soul}- Be brief.\n")
    asked = (
        "## c1 · 2026-02-10T09:00:00+00:00\n\n- Agent said: Paris\n- Correct: Berlin\n"
        "- Status: open\n\n"
        "## c2 · 2026-01-01T09:00:00+00:00\n\n- Agent said: Rome\n- Correct: Bari\n\n"
        "## c3 · 2026-02-10T09:00:00+00:00\n\n- Operator said: That is wrong.\n- Correct:\n"
        "- Was: mabcde The office is in Oslo.\n- Evidence: chat:main/m1\n- Status: open\n"
    )
    log(grown, "That is wrong.", session="main", ident="m1")
    grown.git.place.root.joinpath("CORRECTIONS.md").write_text(asked)
    grown.git.snapshot(NOW)
    found = digest(later(grown, DUE))
    assert [change.what[0][1][0].added for change in found.soul] == [("Be brief.",)]
    assert [correction.id for correction in found.corrections] == ["c1", "c3"]
    page = digests.markdown(found)
    assert "Corrected by the operator" not in page
    assert "“Berlin”, or “Paris” (c1)" in page
    assert "“That is wrong.”, about “The office is in Oslo.” (c3)" in page


def test_a_time_that_is_none_or_lies_ahead_is_refused(grown: Workspace) -> None:
    for wrong in ("someday", "2027-01-01"):
        with pytest.raises(UsageError):
            digest(grown, wrong)


def test_each_address_gets_it_once(grown: Workspace, box: Mailbox) -> None:
    here = later(grown, DUE, box.url)
    [first] = deliver(here, DUE)
    [again] = deliver(here, DUE)
    assert (first.outcome, again.outcome, len(box.letters)) == ("sent", "kept", 1)
    [letter] = box.letters
    assert letter["title"] == "What ws learned"
    assert "Billing uses PostgreSQL" in letter["message"]


def test_one_that_failed_is_tried_again_alone(grown: Workspace, box: Mailbox) -> None:
    with mailbox() as other:
        other.answers = [500, 500]
        here = later(grown, DUE, box.url, other.url)
        with pytest.raises(UnsentError, match=digests.address_name(other.url)):
            scheduled(here, DUE)
        after = later(grown, DUE + timedelta(hours=1), box.url, other.url)
        since = later(grown, DUE + timedelta(minutes=5))
        remember(since, NewFact("Ana leads the Harbor project.", "knowledge"))
        other.answers = []
        assert scheduled(after, DUE).summary == "sent to 1 of 2"
        assert len(box.letters) == len(other.letters) == 1
        assert "Ana leads" not in other.letters[0]["message"]
        assert scheduled(after, DUE).summary == "there was nothing to send"


def test_what_a_crash_cut_off_is_not_sent_twice(
    grown: Workspace, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = later(grown, DUE, box.url)
    with monkeypatch.context() as dying:
        dying.setattr("clawgit.run.digest.send", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            deliver(here, DUE)
    [done] = deliver(here, DUE)
    assert (done.outcome, box.letters) == ("kept", [])


def test_no_message_tells_the_address(grown: Workspace, box: Mailbox) -> None:
    box.answers = [500]
    [done] = deliver(later(grown, DUE, box.url), DUE)
    assert done.outcome == "failed"
    told = f"{done}{rows(grown)}{digest(later(grown, DUE, box.url))}"
    assert "very-secret-word" not in told
    assert "127.0.0.1" not in told
    shown = digests._without_secrets(f"no way to {box.url}", box.url)
    assert (shown.startswith("no way to"), "very-secret-word" in shown) == (True, False)
