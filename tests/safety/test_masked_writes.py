"""What our own writes refuse to bring into a file, whoever asks and by whichever way."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from clawgit.agents.frame.corrections import add as correct
from clawgit.git.rules.actors import AGENT, CLAWGIT, OPERATOR, Actor
from clawgit.git.rules.history import REDO, UNDO, Intent
from clawgit.history.changes import restore
from clawgit.history.proposals import edit, propose
from clawgit.history.undo import redo, undo
from clawgit.memory.remember import NewFact, remember
from clawgit.safety.masking import SecretsError, allowed
from clawgit.safety.rules.secrets import fingerprint
from clawgit.safety.secrets import let_in
from clawgit.safety.trust import set_setting
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git
from tests.each import for_each
from tests.leaky import KEYS, PEM
from tests.making import space_of

KEY = KEYS["memory"]
MARK = f"[secret:{fingerprint(KEY)}]"
MINER = Actor("memory-miner", "Memory Miner")


@pytest.fixture
def space(ws: Git) -> Iterator[Workspace]:
    ws.commit_file("CONFIG.md", "# Config\n", "settings")
    opened = space_of(ws)
    yield opened
    opened.close()


def as_agent(space: Workspace) -> Workspace:
    return Workspace(space.place, space.caller._replace(actor=AGENT))


def put(
    space: Workspace, files: dict[str, str | None], actor: Actor = AGENT, verb: str = "edit"
) -> str | None:
    with space.git.transaction(Intent(actor, verb, "a change"), NOW) as tx:
        for path, text in files.items():
            if text is None:
                tx.put(path, None)
            else:
                tx.put(path, text)
    return tx.outcome.commit


WAYS: dict[str, Callable[[Workspace, str], object]] = {
    "add": lambda space, text: remember(space, NewFact(text)),
    "correct": correct,
    "edit the soul": lambda space, text: edit(space, f"# Soul\n\n- Be kind.\n- {text}\n", "asked"),
    "propose": lambda space, text: propose(space, f"# Soul\n\n- Be kind.\n- {text}\n", "asked"),
    "set": lambda space, text: set_setting(space, "external_context_source", text),
}


@for_each(
    "way, text", product(WAYS, [f"The heron opens with {KEY}.", f"The heron opens with {MARK}."])
)
def test_each_way_to_write_refuses_a_secret_and_a_mask(
    ws: Git, space: Workspace, way: str, text: str
) -> None:
    before = ws.head(), ws("for-each-ref"), ws.status()
    with pytest.raises(SecretsError) as refused:
        WAYS[way](space, text)
    assert KEY not in refused.value.message + refused.value.hint
    assert (ws.head(), ws("for-each-ref"), ws.status()) == before


@for_each(
    "actor, text",
    product([OPERATOR, AGENT, MINER, CLAWGIT], [f"- {KEY}\n", f"{PEM}\n", f"- {MARK}\n"]),
)
def test_whoever_writes_is_refused(ws: Git, space: Workspace, actor: Actor, text: str) -> None:
    with pytest.raises(SecretsError):
        put(space, {"memory/2026-02-14.md": text}, actor)
    assert not (ws.root / "memory/2026-02-14.md").exists()


def test_a_secret_in_the_name_of_a_new_file_is_refused(ws: Git, space: Workspace) -> None:
    with pytest.raises(SecretsError):
        put(space, {f"memory/{KEY}.md": "- A fact.\n"})


def test_what_stands_there_stays_and_may_be_moved(ws: Git, space: Workspace) -> None:
    ws.commit_file("MEMORY.md", f"# Memory\n\n- {KEY}\n- A mask: {MARK}\n", "by hand")
    assert put(space, {"MEMORY.md": f"# Memory\n\n- {KEY}\n- A mask: {MARK}\n- A fact.\n"})
    assert put(space, {"MEMORY.md": "# Memory\n", "memory/old.md": f"- {KEY}\n- A mask: {MARK}\n"})
    with pytest.raises(SecretsError):
        put(space, {"memory/copy.md": f"- {KEY}\n"})


def test_what_history_holds_comes_back(ws: Git, space: Workspace) -> None:
    leak = ws.commit_file("MEMORY.md", f"# Memory\n\n- {KEY}\n", "by hand")
    ws.commit_file("MEMORY.md", "# Memory\n", "clean")
    assert restore(space, "MEMORY.md", leak).alerts == ("secret MEMORY.md:3 anthropic-key",)
    assert undo(space).change.commit
    assert redo(space).change.commit
    assert KEY in (ws.root / "MEMORY.md").read_text()
    assert {UNDO, REDO} <= {
        line.partition(":")[0] for line in ws("log", "--format=%s", "-3").splitlines()
    }


def test_an_agent_brings_back_a_secret_of_history_and_none_of_a_commit_beside_it(
    ws: Git, space: Workspace
) -> None:
    clean = ws("rev-parse", "HEAD").strip()
    leak = ws.commit_file("MEMORY.md", f"# Memory\n\n- {KEY}\n", "by hand")
    ws("reset", "-q", "--hard", clean)
    with pytest.raises(SecretsError):
        restore(as_agent(space), "MEMORY.md", leak)
    ws("reset", "-q", "--hard", leak)
    ws.commit_file("MEMORY.md", "# Memory\n", "clean")
    assert restore(as_agent(space), "MEMORY.md", leak).commit


def test_a_password_told_in_words_is_refused_and_kept_on_purpose(ws: Git, space: Workspace) -> None:
    """What the log masks, the file must not hold."""
    fact = "the wifi password is Xk29m" + "Pq7Lz"
    before = ws.head()
    with pytest.raises(SecretsError, match="looks like a secret"):
        remember(space, NewFact(fact))
    assert ws.head() == before
    assert fact in remember(space, NewFact(fact, let_in=let_in)).entry.text


@pytest.mark.parametrize("dry_run", [True, False])
def test_the_operator_keeps_a_secret_on_purpose(ws: Git, space: Workspace, dry_run: bool) -> None:
    asked = space.dry() if dry_run else space
    done = remember(asked, NewFact(f"The heron opens with {KEY}", let_in=let_in))
    assert (done.action, done.change.alerts, KEY in done.entry.text) == ("added", (), True)
    assert allowed(space, [fingerprint(KEY)]) == (set() if dry_run else {fingerprint(KEY)})
    assert KEY not in ws("log", "--format=%B")


def test_a_correction_with_a_secret_is_kept_on_purpose_too(ws: Git, space: Workspace) -> None:
    done = correct(space, f"The heron opens with {KEY}.", allow_secret=True)
    assert done.change.commit
    assert KEY in (ws.root / "CORRECTIONS.md").read_text()
    assert KEY not in ws("log", "--format=%B")


def test_nobody_else_keeps_one_on_purpose(ws: Git, space: Workspace) -> None:
    before = ws.head()
    for write in (
        lambda: remember(as_agent(space), NewFact(f"It is {KEY}", let_in=let_in)),
        lambda: correct(as_agent(space), f"It is {KEY}.", allow_secret=True),
    ):
        with pytest.raises(SecretsError, match="only the operator"):
            write()
    assert ws.head() == before
