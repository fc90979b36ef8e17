"""`corrections` at the command line: what is asked, added, archived, and how it is shown."""

import json

import pytest

from tests.conftest import Git
from tests.front.cli.typed import call, typed
from tests.soulful import Soulful

pytestmark = pytest.mark.usefixtures("quick_workers")


@pytest.fixture
def at(git: Git, monkeypatch: pytest.MonkeyPatch) -> Git:
    git.write("MEMORY.md", "# Memory\n\n- The office is in Paris. #knowledge\n")
    git.write("CONFIG.md", "# Config\n")
    git.commit_all("start")
    monkeypatch.chdir(git.root)
    monkeypatch.setenv("CLAWGIT_NOW", "2026-02-14T09:00:00+00:00")
    return git


told, _ = typed()


def test_a_cited_message_corrects_and_is_not_due_for_the_archive(at: Git) -> None:
    # Not `heartbeat`: the validator that it starts would correct the same entry meanwhile.
    told("chat", "log", "No, the office is in Berlin.", "--session", "s", "--id", "m1")
    add = ("corrections", "add", "The office is in Berlin.", "--evidence", "chat:s/m1")
    unsaid = ("corrections", "add", "The office is in Oslo.", "--evidence", "chat:s/m1")
    assert "+- Status: open" in told(*unsaid, "--dry-run")
    assert "+- The office is in Berlin. #knowledge #correction" in told(*add, "--dry-run")
    done = json.loads(told(*add, "--json"))
    assert (done["status"], done["changed"]) == ("confirmed", ["CORRECTIONS.md", "MEMORY.md"])
    assert "Nothing is due." in told("corrections", "archive", "--dry-run")


def test_what_cannot_be_added_writes_nothing_and_says_what_to_name(at: Git) -> None:
    head = at.head()
    assert call("corrections", "add", " ").code == 2
    line = ("corrections", "add", "The office is in Berlin.", "--was", "The office was in Paris")
    refused = call(*line)
    assert (refused.code, "No entry of MEMORY.md or memory/ is" in refused.err) == (1, True)
    assert "`clawgit memory edit` changes other files" in " ".join(refused.err.split())
    assert (at.head(), (at.root / "CORRECTIONS.md").exists()) == (head, False)


@pytest.mark.parametrize("status", ["settled", "kept", "dismissed"])
def test_what_was_only_said_against_an_entry_is_listed_as_no_new_value(
    at: Git, status: str
) -> None:
    at.write(
        "CORRECTIONS.md",
        "# Corrections\n\n## kkkkkk · 2026-02-14\n\n- Operator said: That’s wrong.\n- Correct: That’s"
        f" wrong.\n- Was: h1111111 The office is in Paris.\n- Status: {status}\n",
    )
    at.commit_all("said")
    listed = told("corrections", "list")
    assert "The office is in Paris.  disputed: “That’s wrong.”  " + status in listed


def test_below_one_that_nothing_proves_stands_what_to_do(at: Git) -> None:
    forged = "## kkkkkk · 2026-02-14\n\n- Correct: The office is in Rome.\n- Status: confirmed\n"
    at.write("CORRECTIONS.md", f"# Corrections\n\n{forged}")
    for asked in (["corrections", "list"], ["corrections", "list", "--open"]):
        listed = told(*asked)
        assert listed.endswith(
            "doubted\n          clawgit diff CORRECTIONS.md, then clawgit snapshot\n"
        )
    alone = told("corrections")
    assert "clawgit diff CORRECTIONS.md, then clawgit snapshot" in alone
    assert "no correction is open" not in alone
    noted = call("memory", "search", "where is the office").err
    assert "in doubt are left out: kkkkkk (clawgit corrections list)" in noted


# `conflicts` as it is typed.


LOG = """\
# Conflicts

## k3x9ab · 2026-02-14T07:00:00+00:00

- A: The standup is at 9:30.
- A source: MEMORY.md#h1111111, by hand
- A date: unknown
- B: The standup is at 10:00.
- B source: MEMORY.md#mbbbbb, explicit, chat:s/2
- B date: 2026-02-13
- Rule: date (9:30 against 10:00); a side has no date
- Outcome: flagged: the operator decides
"""


@pytest.fixture
def here(at_home: Soulful) -> Git:
    at_home.git.write("CONFLICTS.md", LOG)
    at_home.git.write(
        "MEMORY.md", "- The standup is at 9:30.\n- The standup is at 10:00. <!-- claw:mbbbbb -->\n"
    )
    at_home.git.commit_all("found")
    return at_home.git


def test_conflicts_are_listed_and_resolved(here: Git) -> None:
    assert told("conflicts", "list") == (
        "k3x9ab  2026-02-14\n"
        "   a  The standup is at 9:30.  MEMORY.md\n"
        "   b  The standup is at 10:00.  MEMORY.md 2026-02-13\n"
        "   rule  date (9:30 against 10:00); a side has no date\n"
        "   now   flagged: the operator decides\n"
        "\n→ clawgit conflicts resolve k3x9ab --keep a"
        "\n→ clawgit conflicts resolve k3x9ab --keep b"
        "\n→ clawgit conflicts resolve k3x9ab --keep both\n"
    )
    done = json.loads(told("conflicts", "resolve", "k3x9ab", "--keep", "b", "--json"))
    assert (done["commit"], done["changed"]) == (here.head(), ["CONFLICTS.md", "MEMORY.md"])
    assert told("conflicts", "list") == "no conflict is open\n"
