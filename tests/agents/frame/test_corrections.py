"""Corrections end to end: heard, put right, found first by the search at once in both tiers,
archived, and kept."""

import json
from shutil import rmtree
from typing import Any, NamedTuple

import pytest

from clawgit.agents.contract import Snapshot
from clawgit.agents.correcting_typed import ToldCorrection, correct
from clawgit.agents.frame import corrections as typed
from clawgit.agents.frame.agents import proposal, run_agent
from clawgit.agents.frame.corrections import Corrected, add, archive, embedded, listed, settle
from clawgit.agents.frame.runs import AgentRun
from clawgit.core.errors import NotFoundError
from clawgit.core.markdown.entry import entries
from clawgit.git.rules.actors import AGENT, actor_named
from clawgit.health.status import status
from clawgit.history.changes import snapshot
from clawgit.history.undo import redo, undo
from clawgit.memory.remember import NewFact, remember
from clawgit.run.heartbeat import heartbeat
from clawgit.safety.alerts import acknowledge
from clawgit.safety.masking import cover_of
from clawgit.safety.operator import NotTheOperatorError
from clawgit.safety.rules.masks import covered
from clawgit.search.search import Request, Searcher
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, corrections, render, statement
from clawgit.workspace.workspace import Workspace
from tests.conftest import intent
from tests.soulful import Soulful
from tests.trusting import accept_settings

DAY = "memory/2026-02-10.md"
CHRONICLE = "Archive/Chronicles/2025-December.md"
BY_AN_AGENT = "Clawgit-Id: nkonoozp\nClawgit-Op: agent/commit"


class Matter(NamedTuple):
    """What memory holds, what the agent said, what the operator says to it, and what is asked
    afterwards."""

    holds: str
    turn: str
    said: str
    asked: str
    right: str
    wrong: str


MATTERS = (
    Matter("The office is in Paris.", "The office is in Paris.", "No, it's Berlin.",
        "where is the office", "Berlin", "Paris"),
    Matter("Postgres runs on port 5432.", "Port 5432.", "Actually it's port 5433",
        "postgres port", "5433", "5432"),
    Matter("The launch is on March 3.", "", "I already told you: the launch is on March 5",
        "when is the launch", "March 5", "March 3"),
    Matter("The cache is Memcached.", "We use Memcached.", "that's outdated, we use Redis now",
        "which cache", "Redis", "Memcached"),
    Matter("Citations are in APA style.", "", "No, the citations are in Chicago style, not APA",
        "citations style", "Chicago", "APA"),
    Matter("The gala takes place on October 17.", "", "No, the gala is cancelled",
        "gala", "cancelled", "October 17"),
)  # fmt: skip


@pytest.fixture
def home(soulful: Soulful) -> Soulful:
    """A memory with all matters in it: as an entry, in a note of a day, and in a chronicle."""
    held = [matter.holds for matter in MATTERS]
    noted = "".join(f"- {one}\n\nWe said that day: {one}\n\n" for one in held)
    remembers(soulful, "".join(f"- {one} #knowledge\n" for one in held))
    soulful.git.write(DAY, f"# 2026-02-10\n\n{noted}")
    soulful.git.write(CHRONICLE, "# December 2025\n\n" + "\n\n".join(held) + "\n")
    soulful.git.commit_all("memory")
    return soulful


def remembers(home: Soulful, text: str) -> None:
    """Its MEMORY.md, in a commit."""
    home.git.commit_file("MEMORY.md", f"# Memory\n\n{text}", "memory")


def hear(home: Soulful, text: str, turn: str = "", session: str = "main") -> None:
    if turn:
        heartbeat(home.later(minutes=1), turn, session=session, role="assistant")
    heartbeat(home.later(minutes=1), text, session=session)


def run(home: Soulful) -> AgentRun:
    return run_agent(home.space, "recall-validator", clock=lambda: home.space.now)


def test_a_correction_is_typed_while_the_notebook_is_full(home: Soulful) -> None:
    facts = "conf=0.60 n=1 first=2026-01-02 last=2026-01-02 src=inferred ev=chat:1 -->\n"
    lines = (
        f"- Drawer {at} is for folder {at}. #knowledge <!-- claw:abc{at} {facts}"
        for at in range(100, 286)
    )
    remembers(home, f"## Knowledge\n\n{''.join(lines)}\n## Topics\n\n")
    home.set(search_mode="core")
    changed: set[str] = set()
    for city in ("Berlin", "Rome"):
        done = add(home.space, f"The office of {city} opens at nine.")
        assert done.correction is not None
        assert done.status == "confirmed"
        assert done.correction.correct == f"The office of {city} opens at nine."
        changed |= {*done.change.changed}
    assert any(path.startswith("memory/") for path in changed)


def test_after_a_correction_the_search_gives_the_right_value_first(home: Soulful) -> None:
    home.set(search_mode="enhanced")
    for number, (_, turn, said, *_) in enumerate(MATTERS):
        hear(home, said, turn, f"s{number}")
    done = run(home)
    assert (done.worked, [one.why for one in done.skipped]) == (len(MATTERS), [])
    gives_the_right_values(home)
    home.set(search_mode="core")
    gives_the_right_values(home)


def gives_the_right_values(home: Soulful) -> None:
    heard = listed(home.space).corrections
    assert {one.status for one in heard} == {"confirmed", "quoted"}
    assert all(one.re_embedded for one in heard)
    with Searcher(home.space) as searcher:
        for _, _, _, question, right, wrong in MATTERS:
            first = searcher.answer(Request(question)).results[0]
            lines = home.text(first.path).splitlines()[first.line - 1 : first.lastLine]
            line = "\n".join(lines).partition("<!--")[0]
            assert right in line, (question, first)
            assert wrong not in line or "#correction" in line, (question, first)


@pytest.fixture
def talk(soulful: Soulful) -> Soulful:
    remembers(soulful, "- The office is in Paris. #knowledge\n")
    hear(soulful, "No, it's in Berlin, not in Paris.", "The office is in Paris.")
    return soulful


def test_a_run_puts_memory_right_the_index_holds_it_and_it_can_be_undone(talk: Soulful) -> None:
    done = run(talk)
    (entry,) = entries(talk.text("MEMORY.md"))
    assert entry.text == "The office is in Berlin. #knowledge #correction"
    (one,) = listed(talk.space).corrections
    assert (one.status, one.re_embedded, one.question) == ("confirmed", True, None)
    assert talk.git("log", "-2", "--format=%an|%s|%b").count(f"Run: {done.run}") == 1
    assert ops(talk)[0] == "recall-validator/correct"
    head = talk.git.head()
    assert (run(talk).outcome, talk.git.head()) == ("nothing", head)
    correct = next(one for one in done.commits if one.changed and "MEMORY.md" in one.changed)
    undo(talk.later(), str(correct.id))
    assert "in Paris. #knowledge\n" in talk.text("MEMORY.md")
    [left] = listed(talk.space).corrections
    assert (left.status, left.why) == ("dismissed", "taken back")
    redo(talk.later())
    assert [one.status for one in listed(talk.space).corrections] == ["confirmed"]


def ops(home: Soulful) -> list[str]:
    """What the commits did, newest first."""
    wanted = "--format=%(trailers:key=Clawgit-Op,valueonly,separator=)"
    return home.git("log", wanted).splitlines()


def test_without_a_vector_the_log_says_no_and_the_next_run_says_yes(soulful: Soulful) -> None:
    """The embedder does not answer."""
    soulful.set(search_mode="enhanced", embedder="openai")
    done = brought(soulful, SQLITE, "operator", was=POSTGRES)
    assert corrections(soulful.text(CORRECTIONS))[0].re_embedded is False
    assert done.correction
    assert done.correction.re_embedded is False
    assert "No vectors yet" in done.notes[0]
    assert ops(soulful)[0] == "operator/correct"
    soulful.set(search_mode="core")
    run(soulful)
    assert corrections(soulful.text(CORRECTIONS))[0].re_embedded is True
    assert ops(soulful)[0] == "recall-validator/re-embed"


@pytest.mark.parametrize("mode", ["core", "enhanced"])
def test_what_the_index_learns_before_the_commit_nobody_is_shown(
    soulful: Soulful, mode: str
) -> None:
    """As kill -9 between the two leaves it."""
    soulful.set(search_mode=mode)
    files = {"MEMORY.md": soulful.text("MEMORY.md")}
    told = ToldCorrection("The zeppelin is red.", sure=True)
    seen = Snapshot(soulful.space.now, soulful.space.config.settings, files)
    wanted = embedded(soulful.space, proposal(lambda shown: correct(shown, told), seen))
    [log] = [edit.after or "" for edit in wanted.steps[0].edits if edit.path == CORRECTIONS]
    assert [one.re_embedded for one in corrections(log)] == [True]
    assert not (soulful.git.root / CORRECTIONS).exists()
    with Searcher(soulful.space) as searcher:
        assert "zeppelin" not in str(searcher.answer(Request("zeppelin")).results)
    done = brought(soulful, "The zeppelin is red.", "operator")
    assert done.correction
    assert done.correction.re_embedded
    with Searcher(soulful.space) as searcher:
        assert "zeppelin" in searcher.answer(Request("zeppelin")).results[0].snippet


def test_the_note_of_a_day_is_never_reworded_and_what_is_right_is_indexed(soulful: Soulful) -> None:
    note = f"memory/{soulful.space.now:%Y-%m-%d}.md"
    soulful.git.write(note, "# Day\n\n- The zeppelin is blue. #event <!-- claw:mabcde -->\n")
    done = brought(soulful, "The zeppelin is red.", "operator", was="mabcde")
    assert done.change.changed == (CORRECTIONS, "MEMORY.md")
    assert "The zeppelin is blue. #event" in soulful.text(note)
    assert "- The zeppelin is red. #" in soulful.text("MEMORY.md")
    assert corrections(soulful.text(CORRECTIONS))[0].re_embedded is True


ASKS = "1 correction asks what is right"


def test_an_open_correction_is_asked_about(soulful: Soulful) -> None:
    hear(soulful, "You forgot: maybe billing uses SQLite.", "Billing uses MySQL.")
    run(soulful)
    (one,) = listed(soulful.space, only_open=True).corrections
    was = one.was.partition(" ")[2]
    assert one.question == f"What is right now: “{was}”, or what you said?"
    assert ASKS in [alert.message for alert in status(soulful.space).alerts]


@pytest.mark.parametrize("since", ["The deploy takes 8 minutes.", "The deploy takes 9 minutes."])
def test_what_is_asked_is_settled_where_it_is_about_though_that_has_got_an_id_or_an_edit(
    soulful: Soulful, since: str
) -> None:
    remembers(soulful, "- The deploy takes 8 minutes. #knowledge\n")
    hear(soulful, "Actually, the deploy maybe takes 11 minutes", "Lunch is at noon.")
    run(soulful)
    (one,) = listed(soulful.space, only_open=True).corrections
    assert one.question == "What is right now: “The deploy takes 8 minutes.”, or what you said?"
    remembers(soulful, f"- {since} #knowledge <!-- claw:mabcde src=explicit -->\n")
    settle(soulful.later(), one.id, "The deploy takes 11 minutes.")
    assert stated(soulful) == ["The deploy takes 11 minutes."]


def stated(home: Soulful) -> list[str]:
    return [statement(entry) for entry in entries(home.text("MEMORY.md"))]


def test_what_is_not_about_memory_goes_to_the_handler_and_is_tried_again(soulful: Soulful) -> None:
    soulful.set(recall_external_handler="handler.sh")
    hear(soulful, "you forgot how to use the browser tool", "I cannot browse.")
    assert run(soulful).outcome == "failed"
    script = soulful.git.write("handler.sh", "#!/bin/sh\ncat > heard.json\n")
    script.chmod(0o755)
    accept_settings(soulful.git.root)
    soulful.later(minutes=10)
    assert run(soulful).worked == 1
    heard = json.loads(soulful.text("heard.json"))
    assert heard["message"]["text"] == "you forgot how to use the browser tool"
    assert [one.status for one in listed(soulful.space).corrections] == ["routed"]


SQLITE, POSTGRES = "Billing uses SQLite.", "Billing uses PostgreSQL."
TOOK_BACK = "took back what the operator said"


def brought(home: Soulful, text: str, actor: str = "agent", **told: object) -> Corrected:
    space = home.later() if actor == "operator" else home.as_actor(AGENT)
    return add(space, text, **told)  # type: ignore[arg-type]


def test_the_operator_corrects_by_hand(soulful: Soulful) -> None:
    done = brought(soulful, SQLITE, "operator", was=POSTGRES)
    assert (done.status, done.change.changed) == ("confirmed", (CORRECTIONS, "MEMORY.md"))
    assert soulful.text("MEMORY.md").startswith(
        "# Memory\n\n- Billing uses SQLite. #decision #correction <!-- claw:"
    )
    [one] = listed(soulful.space).corrections
    assert one.re_embedded
    assert one.was.endswith(" Billing uses PostgreSQL.")
    assert brought(soulful, SQLITE, "operator").change.commit is None


def test_what_others_wrote_since_a_correction_was_planned_stays(
    soulful: Soulful, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan is made before the lock is held."""

    def meanwhile(workspace: Workspace, *rest: object, **more: object) -> object:
        with soulful.later().git.transaction(intent(), workspace.now) as tx:
            text = tx.read_text("MEMORY.md")
            tx.put("MEMORY.md", text.replace("# Memory\n", "# Memory\n\n- Meanwhile.\n"))
        return embedded(workspace, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(typed, "embedded", meanwhile)
    brought(soulful, SQLITE, "operator", was=POSTGRES)
    assert "- Meanwhile.\n" in soulful.text("MEMORY.md")
    assert "- Billing uses SQLite. #decision" in soulful.text("MEMORY.md")


def test_an_agent_must_cite_the_operator(soulful: Soulful) -> None:
    memory = soulful.text("MEMORY.md")
    open_one = brought(soulful, SQLITE)
    assert (open_one.status, soulful.text("MEMORY.md")) == ("open", memory)
    assert "Confidence: 0.60" in soulful.git("log", "-1", "--format=%b")
    heartbeat(soulful.later(), "Actually, Billing uses SQLite, please.", session="main", ident="m7")
    heartbeat(soulful.later(), "Billing uses Oracle", session="main", ident="m8", role="assistant")
    assert brought(soulful, "Billing uses Oracle.", evidence=("chat:main/m8",)).status == "open"
    sure = brought(soulful, SQLITE, evidence=("chat:main/m7",))
    assert (sure.status, sure.correction and sure.correction.correct) == ("confirmed", SQLITE)
    assert f"{SQLITE} #decision #correction" in soulful.text("MEMORY.md")


def test_our_own_reason_is_never_withheld(soulful: Soulful) -> None:
    """With the name of an agent in it, it looked like an order to one."""
    remembers(soulful, "- The office is in Paris.\n")
    add(soulful.space, "The office is in Berlin.", "The office is in Paris.")
    helper = soulful.as_actor(actor_named("helper"))
    add(helper, "The office is in Rome.", "The office is in Berlin.")
    [*_, quoted] = covered(listed(helper), cover_of(helper)).corrections
    assert (quoted.status, quoted.why) == ("quoted", "the entry says what the operator said")


def test_the_archive_takes_what_was_taken_in_and_it_still_wins(soulful: Soulful) -> None:
    """But nothing by an id that two sections have."""
    brought(soulful, SQLITE, "operator")
    asked = brought(soulful, "Rent is 500.")
    assert asked.correction is not None
    assert archive(soulful.space).change.commit is None
    log = soulful.text(CORRECTIONS)
    soulful.git.write(CORRECTIONS, log * 2)
    assert archive(soulful.later(days=20)).moved == ()
    soulful.git.write(CORRECTIONS, log)
    moved = archive(soulful.space)
    assert moved.change.changed == ("Archive/Corrections/2026-February.md", CORRECTIONS)
    assert [one.status for one in listed(soulful.space).corrections] == ["archived", "open"]
    assert [one.id for one in corrections(soulful.text(CORRECTIONS))] == [asked.correction.id]
    assert archive(soulful.space).change.commit is None
    again = brought(soulful, SQLITE, "operator")
    assert (again.change.commit, again.reason.endswith("already says so")) == (None, True)
    with Searcher(soulful.space) as searcher:
        assert "SQLite" in searcher.answer(Request("what does billing use")).results[0].snippet


def test_what_the_operator_typed_is_no_alert_where_the_history_is_gone(soulful: Soulful) -> None:
    brought(soulful, SQLITE, "operator")
    rmtree(soulful.git.root / ".git")
    soulful.git("init", "-q")
    assert snapshot(soulful.as_actor(AGENT)).alerts == ()


def test_a_branch_without_a_history_hides_no_forged_correction(soulful: Soulful) -> None:
    forged = Correction("kkkkkk", None, correct="Billing uses Oracle.", status="confirmed")
    soulful.git("checkout", "-q", "--orphan", "other")
    soulful.git("rm", "-rq", "--cached", ".")
    soulful.git.write(CORRECTIONS, f"# Corrections\n\n{render(forged)}")
    done = snapshot(soulful.as_actor(AGENT))
    assert any("nothing that is known here proves it" in alert for alert in done.alerts)


@pytest.fixture
def quoted(soulful: Soulful) -> Soulful:
    call = "The weekly call is on Monday at 3:00."
    remembers(soulful, f"## Calls\n\n- {call} #event\n")
    hear(soulful, "No, at 3:30, and it's on host hermes now.", call)
    run(soulful)
    return soulful


def test_a_quote_that_an_edit_ended_and_a_correction_are_a_commit_each(quoted: Soulful) -> None:
    edited = quoted.text("MEMORY.md").replace("on Monday at 3:00", "on Tuesday at 3:30")
    quoted.git.write("MEMORY.md", f"{edited}- The office is in Paris. #knowledge\n")
    hear(quoted, "No, it's in Berlin, not in Paris.", "The office is in Paris.")
    run(quoted)
    assert ops(quoted)[:2] == ["recall-validator/correct"] * 2
    [ended, right] = listed(quoted.space).corrections
    assert (ended.status, right.status, right.re_embedded) == ("kept", "confirmed", True)
    assert right.id not in quoted.git("show", "HEAD^:CORRECTIONS.md")
    assert "Berlin" in quoted.text("MEMORY.md")
    assert "hermes" not in quoted.text("MEMORY.md")
    head = quoted.git.head()
    run(quoted)
    assert quoted.git.head() == head


def test_a_quote_is_indexed_found_first_and_shown_once(quoted: Soulful) -> None:
    [one] = listed(quoted.space, only_open=True).corrections
    assert (one.status, one.re_embedded) == ("quoted", True)
    with Searcher(quoted.space) as searcher:
        first = searcher.answer(Request("weekly call")).results[0]
    assert "hermes" in quoted.text(first.path).splitlines()[first.line - 1]
    assert "on host hermes now" in first.snippet
    assert first.disputed == ()
    assert ASKS in [alert.message for alert in status(quoted.space).alerts]


@pytest.mark.parametrize(
    ("how", "status_after"),
    [
        ({"text": "The weekly call is on Monday at 3:30."}, "settled"),
        ({"keep": True}, "kept"),
        ({"dismiss": True}, "dismissed"),
    ],
    ids=["text", "keep", "dismiss"],
)
def test_the_operator_settles_what_is_quoted(
    quoted: Soulful, how: dict[str, Any], status_after: str
) -> None:
    [one] = listed(quoted.space, only_open=True).corrections
    before = quoted.text("MEMORY.md")
    with pytest.raises(NotTheOperatorError):
        settle(quoted.as_actor(AGENT), one.id, **how)
    space = quoted.later()
    assert "hermes" in settle(space.dry(), one.id, **how).change.preview
    assert quoted.text("MEMORY.md") == before
    assert settle(space, one.id, **how).status == status_after
    assert "hermes" not in quoted.text("MEMORY.md")
    assert "status=disputed" not in quoted.text("MEMORY.md")
    assert listed(space).corrections[0].status == status_after
    with pytest.raises(NotFoundError):
        settle(quoted.later(), one.id, **how)


@pytest.mark.parametrize("left", ["# Corrections\n", ""], ids=["taken out", "reworded"])
def test_a_correction_that_an_edit_takes_out_is_an_alert(soulful: Soulful, left: str) -> None:
    brought(soulful, SQLITE, "operator")
    reworded = soulful.text(CORRECTIONS).replace(SQLITE, "Billing uses Oracle.")
    soulful.git.write(CORRECTIONS, left or reworded)
    alerts = snapshot(soulful.later()).alerts
    assert any(TOOK_BACK in alert for alert in alerts)


def test_an_entry_put_right_that_an_edit_rewords_is_an_alert(soulful: Soulful) -> None:
    """Wherever it stands, not in the log alone; one that only moves is none."""
    right = "- Billing uses SQLite. #correction <!-- claw:bill22 c=1 src=correction -->\n"
    page = "memory/billing.md"

    def alerts(**texts: str) -> tuple[str, ...]:
        for path, text in {"MEMORY.md": texts.get("memory"), page: texts.get("billing")}.items():
            if text is not None:
                soulful.git.write(path, f"# Page\n\n{text}")
        return snapshot(soulful.later()).alerts

    assert alerts(memory=f"{right}- Other.\n") == ()
    assert alerts(memory=f"{right}- Another.\n") == ()
    assert alerts(memory="- Another.\n", billing=right) == ()
    for text in (right.replace("SQLite", "Oracle"), ""):
        [alert] = alerts(billing=text)
        assert TOOK_BACK in alert
    more = "".join(right.replace("bill22", f"bill2{n}").replace("SQL", f"{n}SQL") for n in "34")
    soulful.git.commit_file(page, f"# Page\n\n{more}", "more")
    [alert] = alerts(billing="")
    assert TOOK_BACK in alert


def test_a_correction_that_a_merge_leaves_out_is_an_alert(soulful: Soulful) -> None:
    """As `git merge -s ours` does, from a branch that began before it; neither commit has a file."""
    git, start = soulful.git, soulful.git.head()
    brought(soulful, SQLITE, "operator")
    status(soulful.later())
    git("checkout", "-q", "-b", "side", start)
    git("commit", "-q", "--allow-empty", "-m", "nothing")
    git("merge", "-q", "-s", "ours", "-m", "merge", "main")
    git("checkout", "-q", "main")
    git("merge", "-q", "--ff-only", "side")
    [alert] = status(soulful.later()).alerts
    assert alert.message.startswith(f"commit {git.head()[:10]} {TOOK_BACK}")


@pytest.mark.parametrize(
    ("way", "message"),
    [("revert", ""), ("rm", "tidy"), ("reworded", "tidy"), ("reworded", f"tidy\n\n{BY_AN_AGENT}")],
)
def test_a_correction_that_plain_git_takes_back_is_an_alert(
    soulful: Soulful, way: str, message: str
) -> None:
    """Git asks no hook at a revert, and whoever commits can switch them off. The hooks give a
    commit an id, by which an undo names it.
    """
    done = brought(soulful, SQLITE, "operator")
    log = soulful.text(CORRECTIONS)
    status(soulful.later())
    if way == "revert":
        soulful.git("revert", "--no-edit", str(done.change.commit))
    else:
        soulful.git.write(CORRECTIONS, log.replace("uses SQLite.", "uses Oracle."))
        if way == "rm":
            soulful.git("rm", "-qf", CORRECTIONS)
        soulful.git.commit_all(message)
    head = soulful.git.head()
    [alert] = status(soulful.later()).alerts
    assert alert.message.startswith(f"commit {head[:10]} {TOOK_BACK}")
    undo(soulful.later(), head)
    assert soulful.text(CORRECTIONS) == log
    assert not [shown for shown in status(soulful.later()).alerts if "correction" in shown.message]


@pytest.mark.parametrize("by", ["plain git", "a snapshot"])
def test_the_operator_may_reword_a_correction_by_hand(soulful: Soulful, by: str) -> None:
    """By `git commit` at a terminal, as by `snapshot -m` there, whoever looks at it when."""
    brought(soulful, SQLITE, "operator")
    status(soulful.later())
    soulful.git.commit_file("memory/other.md", "# Other\n", "something else")
    soulful.git.write(CORRECTIONS, soulful.text(CORRECTIONS).replace("SQLite", "Oracle"))
    if by == "plain git":
        soulful.git.commit_as_operator("we moved")
    else:
        snapshot(soulful.later(), "we moved")
    assert status(soulful.later()).alerts == ()


def test_a_typed_id_does_not_pass_for_one_that_was_acknowledged(soulful: Soulful) -> None:
    brought(soulful, SQLITE, "operator")
    log = soulful.text(CORRECTIONS)
    soulful.git.write(CORRECTIONS, log.replace("SQLite", "Oracle"))
    [seen] = acknowledge(soulful.later(), str(snapshot(soulful.later()).commit)[:10]).acknowledged
    soulful.git.write(CORRECTIONS, log.replace("SQLite", "Access"))
    soulful.git.commit_all(f"tidy\n\nClawgit-Id: {seen}\nClawgit-Op: agent/commit")
    [alert] = status(soulful.later()).alerts
    assert TOOK_BACK in alert.message


def test_a_typed_correction_replaces_the_entry_that_it_denies(soulful: Soulful) -> None:
    remembers(soulful, "- Dario likes pears. #fruit\n- Ana likes pears. #knowledge\n")
    done = add(soulful.space, "Dario likes apples, not pears.")
    assert done.status == "confirmed"
    assert [entry.text for entry in entries(soulful.text("MEMORY.md"))] == [
        "Dario likes apples. #fruit #knowledge #correction",
        "Ana likes pears. #knowledge",
    ]


def test_what_the_operator_corrected_before_does_not_stand_beside_what_he_says_now(
    soulful: Soulful,
) -> None:
    """He answers a question about one entry; another says what he typed a week ago."""
    remembers(
        soulful,
        "- Note to self: The importer runs on castor-1. #knowledge\n"
        "- The exporter runs on atlas-1. #correction <!-- claw:aaaaaa c=1 src=correction -->\n"
        "- The importer runs on atlas-1. #correction <!-- claw:bbbbbb c=1 src=correction -->\n",
    )
    now = "The importer runs on castor-2."
    add(soulful.space, now, "Note to self: The importer runs on castor-1.")
    assert stated(soulful) == [now, "The exporter runs on atlas-1.", now]
    fact = NewFact("The importer runs on atlas-1.", evidence=("chat:end",))
    assert remember(soulful.as_actor(AGENT), fact).action == "ignored"
