"""`memory add`: one fact, one entry, one commit; the same again is a mention; the operator's word
wins."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from clawgit.core.errors import PathRefusedError, UsageError
from clawgit.core.markdown.entry import Entry, entries
from clawgit.git.rules.actors import AGENT
from clawgit.memory.editing import edit
from clawgit.memory.remember import NewFact, Remembered, remember
from clawgit.safety.masking import cover_of
from clawgit.talk.chat import log
from clawgit.workspace.workspace import open_workspace
from tests.soulful import Soulful

BILLING = "Billing uses PostgreSQL. #decision"


def said(
    home: Soulful, text: str, actor: str = "agent", *, to: str = "", source: str = ""
) -> Remembered:
    """What an agent brings, or the operator himself."""
    space = home.later() if actor == "operator" else home.as_actor(AGENT)
    return remember(space, NewFact(text, to=to, source=source))


def found(home: Soulful, path: str = "MEMORY.md") -> list[Entry]:
    return list(entries(home.text(path)))


def test_a_fact_becomes_one_entry_in_one_commit(soulful: Soulful) -> None:
    before = soulful.git.head()
    proof, session = ("memory/2026-02-13.md#L3",), "agent:main:main"
    fact = NewFact("Ana prefers\ntea", tag="knowledge", evidence=proof, session=session)
    done = remember(soulful.as_actor(AGENT), fact)
    entry = found(soulful)[-1]
    assert (entry.text, entry.under) == ("Ana prefers tea #knowledge", ("Memory", "Knowledge"))
    assert entry.key == done.entry.id
    comment = f"<!-- claw:{done.entry.id} c=.6 last=2026-02-14 src=inferred ev=memory/2026-02-13.md#L3 -->"
    assert entry.raw == f"- Ana prefers tea #knowledge {comment}\n"
    assert done.entry.evidence == proof
    assert done.action == "added"
    assert (done.reason, done.change.changed) == ("new in MEMORY.md", ("MEMORY.md",))
    assert (done.entry.line, done.entry.confidence, done.entry.mentions) == (7, 0.6, 1)
    assert soulful.git.head() == done.change.commit
    assert soulful.git("rev-parse", "HEAD~1").strip() == before
    assert soulful.git("log", "-1", "--format=%an%n%B").strip() == (
        "Agent\nagent: note “Ana prefers tea”\n\nInferred, as #knowledge.\n\n"
        f"Clawgit-Id: {done.change.id}\nClawgit-Op: agent/remember\nEvidence: memory/2026-02-13.md#L3\n"
        "Session: agent:main:main\nConfidence: 0.60"
    )


@pytest.mark.parametrize(
    ("actor", "source", "confidence", "expected"),
    [
        ("operator", "", 0.95, "explicit"),
        ("agent", "", 0.6, "inferred"),
        ("agent", "explicit", 0.6, "inferred"),  # it cites no message
    ],
)
def test_how_sure_it_is_follows_from_who_says_it(
    soulful: Soulful, actor: str, source: str, confidence: float, expected: str
) -> None:
    done = said(soulful, "Ana prefers tea", actor, source=source)
    assert (done.entry.confidence, done.entry.source) == (confidence, expected)


def test_the_same_fact_again_is_a_mention(soulful: Soulful) -> None:
    first = said(soulful, "Ana prefers tea.")
    soulful.later(days=65)
    again = said(soulful, "ana prefers TEA")
    assert (again.action, again.entry.id) == ("merged", first.entry.id)
    assert again.entry.text == "Ana prefers tea. #knowledge"
    assert (again.entry.mentions, again.entry.confidence) == (2, 0.6)
    assert (again.entry.first, again.entry.last) == (date(2026, 2, 14), date(2026, 4, 20))
    stated = said(soulful, "Ana prefers tea", "operator")
    assert (stated.entry.mentions, stated.entry.confidence) == (3, 0.95)
    assert stated.entry.source == "explicit"
    assert len(found(soulful)) == 2


def test_a_lasting_fact_is_known_wherever_lasting_facts_stand(soulful: Soulful) -> None:
    soulful.git.write("memory/people/ana.md", "# Ana\n\n- Ana prefers tea\n")
    soulful.git.write("memory/2026-02-13.md", "# Day\n\n- Ben prefers tea\n")
    soulful.git.write("memory/odd.md", "").write_bytes(b"- Ben prefers tea \xff\n")
    assert said(soulful, "Ana prefers tea").entry.path == "memory/people/ana.md"
    assert said(soulful, "Ana prefers tea", to="memory/topic.md").action == "merged"
    assert said(soulful, "Ben prefers tea").action == "added"


def test_what_happened_goes_into_the_note_of_the_day_and_may_happen_again(soulful: Soulful) -> None:
    first = said(soulful, "Met Ana.")
    assert (first.action, first.entry.path) == ("added", "memory/2026-02-14.md")
    assert first.entry.tag == "event"
    assert said(soulful, "met Ana").action == "merged"
    soulful.later(days=1)
    assert said(soulful, "Met Ana.").entry.path == "memory/2026-02-15.md"
    told = soulful.text("memory/2026-02-15.md")
    assert told.startswith("# 2026-02-15\n\n## 09:00 - Met Ana\n\n- Met Ana. #event <!-- claw:")


def test_what_others_wrote_is_committed_first_and_stays(soulful: Soulful) -> None:
    soulful.git.write("MEMORY.md", f"# Memory\r\n\r\n- {BILLING}\r\n- By hand, no end")
    done = said(soulful, "Ana prefers tea", to="MEMORY.md")
    assert len(done.change.snapshots) == 1
    text = soulful.text("MEMORY.md")
    before = f"# Memory\r\n\r\n- {BILLING}\r\n- By hand, no end\r\n\r\n"
    assert text.startswith(f"{before}## Knowledge\r\n\r\n- Ana prefers tea")
    assert text.count("\n") == text.count("\r\n")
    assert soulful.git("show", "HEAD~1:MEMORY.md").endswith("- By hand, no end")


CORRECTED = """\
# Corrections

## kq7m2x · 2026-02-13T09:00:00+00:00

- Trigger: I told you
- Trigger confidence: high
- Agent said: The office is in Paris.
- Correct: The office is in Lyon.
- Was: m7k2q9 Office of ours is in Paris.
- Re-embedded: true
- Status: confirmed
"""


@pytest.mark.parametrize("path", ["CORRECTIONS.md", "Archive/Corrections/2026-01.md"])
def test_what_the_operator_put_right_is_not_learned_again(soulful: Soulful, path: str) -> None:
    soulful.git.write(path, CORRECTED)
    before = soulful.git.commit_as_operator("a correction")
    for text in ("Office is in Paris", "Office of ours is in Paris"):
        done = said(soulful, text, source="explicit")
        assert done.action == "ignored"
        assert (done.change.commit, done.change.id, done.change.changed) == (None, None, ())
        assert done.entry.id is None
        assert (
            done.reason
            == "the operator corrected this (CORRECTIONS.md#kq7m2x): The office is in Lyon."
        )
    assert soulful.git.head() == before
    assert said(soulful, "Office is in Lyon").action == "added"
    own = said(soulful, "Office is in Paris", "operator")
    assert (own.action, own.reason[:39]) == ("added", "new in MEMORY.md, though the operator c")


def test_one_wrong_byte_makes_no_correction_forgotten(soulful: Soulful) -> None:
    (soulful.git.root / "CORRECTIONS.md").write_bytes(b"caf\xe9\n" + CORRECTED.encode())
    soulful.git.commit_as_operator("a correction")
    assert said(soulful, "Office is in Paris", source="explicit").action == "ignored"


def test_an_archived_entry_comes_back_by_a_mention(soulful: Soulful) -> None:
    old = "- Ana prefers tea #knowledge <!-- claw:m7k2q9 conf=0.40 n=1 status=archived -->\n"
    soulful.git.write("MEMORY.md", f"# Memory\n\n{old}")
    done = said(soulful, "Ana prefers tea")
    assert (done.action, done.entry.id, done.entry.status) == ("merged", "m7k2q9", "active")
    assert done.entry.confidence == 0.6


def test_in_the_middle_of_a_merge_it_waits_and_is_written_afterwards(soulful: Soulful) -> None:
    git = soulful.git
    git.diverge("MEMORY.md", "# Memory\n\n- Theirs.\n", "# Memory\n\n- Ours.\n")
    git("merge", "side", ok=False)
    soulful.later()
    done = said(soulful, "Ana prefers tea")
    assert (done.action, done.change.parked, done.change.commit) == ("added", True, None)
    git("merge", "--abort")
    open_workspace(git.root, soulful.later().caller).close()
    assert [entry.text for entry in found(soulful)] == ["Ours.", "Ana prefers tea #knowledge"]
    assert (
        git("log", "-1", "--format=%(trailers:key=Clawgit-Id,valueonly)").strip() == done.change.id
    )


def test_facts_that_come_at_once_all_stay_and_the_same_one_stands_once(soulful: Soulful) -> None:
    facts = [f"Number {n} is taken" for n in range(4)] + ["Ana prefers tea"] * 3
    spaces = [soulful.as_actor() for _ in facts]
    with ThreadPoolExecutor(len(facts)) as pool:
        actions = [done.action for done in pool.map(remember, spaces, map(NewFact, facts))]
    assert sorted(actions) == ["added"] * 5 + ["merged"] * 2
    kept = {entry.text.removesuffix(" #knowledge"): entry.meta for entry in found(soulful)}
    assert {*facts} < {*kept}
    tea = kept["Ana prefers tea"]
    assert tea is not None
    assert (tea.n, len(kept)) == (3, 6)
    assert soulful.git("rev-list", "--count", "HEAD").strip() == "8"


def test_what_is_no_file_of_memory_is_refused(soulful: Soulful) -> None:
    for path, hint in {
        "SOUL.md": "clawgit soul edit",
        "CONFIG.md": "--to memory/topic.md",
        "memory/notes.txt": "--to memory/topic.md",
        "../MEMORY.md": "Name a file inside.",
        "memory/../.git/config.md": "clawgit only touches the files of the workspace.",
    }.items():
        with pytest.raises(UsageError) as caught:
            said(soulful, "Ana prefers tea", to=path)
        assert caught.value.hint == hint


def test_no_file_is_made_whose_name_acts_on_a_terminal(soulful: Soulful) -> None:
    for sign in "\n\x1b\r\t\u202e\x9b\u2028":
        with pytest.raises(UsageError, match="characters that no file name should have") as caught:
            said(soulful, "Ana prefers tea", to=f"memory/a{sign}b.md")
        assert sign not in caught.value.message


def test_an_entry_is_not_written_where_it_would_be_no_entry(soulful: Soulful) -> None:
    for path, end, to in (
        ("memory/odd.md", "```\nleft open", "memory/odd.md"),
        ("memory/odd.md", "<!-- left\nopen", "memory/odd.md"),
        ("MEMORY.md", "```\nleft open\n", ""),
    ):
        soulful.git.write(path, f"- One\n\n{end}")
        with pytest.raises(PathRefusedError, match=f"{path} ends within a code fence or a comment"):
            said(soulful, "Ana prefers tea", to=to)
        assert soulful.text(path) == f"- One\n\n{end}"


def test_what_is_worth_least_leaves_a_full_notebook_and_the_answer_says_so(
    soulful: Soulful,
) -> None:
    line = (
        "- Old news. #knowledge <!-- claw:abc{:03} conf=0.60 n=1 first=2026-01-02 "
        "last=2026-01-02 src=inferred -->\n"
    )
    full = "# Memory\n\n## Knowledge\n\n" + "".join(map(line.format, range(191)))
    full += "\n## Topics\n\n- Knowledge → memory/knowledge.md\n"
    soulful.git.write("MEMORY.md", full)
    soulful.git.write("memory/knowledge.md", "# Knowledge\n\n- Ana is 40. #knowledge\n")
    done = said(soulful, "Ana prefers tea", "operator")
    assert (done.action, done.entry.path) == ("added", "MEMORY.md")
    [warning] = done.change.warnings
    assert warning.startswith("MEMORY.md is full: 10 entries moved to memory/knowledge.md: “Old")
    old = ("- Old news. #knowledge", "memory/knowledge.md")
    assert [(one.text, one.target) for one in done.moved] == [old] * 10
    assert line.format(9) in soulful.text("memory/knowledge.md")
    assert soulful.text("MEMORY.md").count("→ memory/knowledge.md") == 1
    assert done.change.changed == ("MEMORY.md", "memory/knowledge.md")
    assert soulful.text("MEMORY.md").splitlines()[(done.entry.line or 0) - 1].startswith("- Ana")
    assert said(soulful, "Bo prefers coffee", "operator").change.changed == ("MEMORY.md",)


def test_a_lesson_can_be_told_its_manual(soulful: Soulful) -> None:
    done = remember(
        soulful.space, NewFact("Use pnpm through corepack here.", to="TOOLS.md", source="explicit")
    )
    assert (done.action, done.entry.path) == ("added", "TOOLS.md")
    assert "pnpm" in soulful.text("TOOLS.md")


EUROS = "We decided to bill in euros from January."


def test_a_program_has_the_operator_say_only_what_a_cited_message_says(soulful: Soulful) -> None:
    soulful.git.write("USER.md", "# User\n\n- **Name:** Marta\n")
    log(soulful.space, EUROS, session="main", ident="m1")
    agent = soulful.as_actor(AGENT)
    source = ("chat:main/m1",)
    kept = remember(agent, NewFact(f"Marta: “{EUROS}”", source="explicit", evidence=source))
    assert kept.entry.source == "explicit"
    other = "Marta: “We decided to bill in dollars.”"
    log(
        soulful.space, f"It is a lie that {EUROS[0].lower()}{EUROS[1:]}", session="main", ident="m2"
    )
    for fact in (
        NewFact(f"Marta: “{EUROS[0].lower()}{EUROS[1:]}”", evidence=("chat:main/m2",)),
        NewFact(other, source="explicit", evidence=source),
        NewFact(other),
        NewFact("Ana is the boss.", source="explicit", evidence=("chat:main/nope",)),
    ):
        with pytest.raises(UsageError, match="No cited message has these words"):
            remember(agent, fact)
    with pytest.raises(UsageError, match="No cited message has these words"):
        edit(agent, str(kept.entry.id), other)
    refused = "No cited message has these words of the operator."
    assert cover_of(agent)(refused) == refused  # an agent has to read why
    assert remember(agent, NewFact("Tom: “The van is in the yard.”")).entry.source == "inferred"
