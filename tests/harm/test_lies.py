"""A language model that lies writes nothing: over the wire, through `agent run`, in a workspace.

Each lie is told twice: beside words that were said, and as if it had been said itself. What the
agents do with an honest answer is below: a proof that refuses everything proves nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import chain
from typing import Any

import pytest

from clawgit.agents import AGENTS
from clawgit.front.cli.root import run
from clawgit.run.heartbeat import heartbeat
from tests.agents.llm.conftest import service
from tests.agents.llm.service import Reply, Service
from tests.chatting import at_a_terminal, openclaw
from tests.conftest import NOW, Git
from tests.harm.lies import AGENT, LIES, Scene, kept, mined, organized, recalled
from tests.memory.test_organize import tool
from tests.talk.stores.transcripts import states
from tests.trusting import accept_settings

__all__ = ["service"]

SESSION = "agent:main:main"
QUOTES = ("words", "quote")
SILENT = ("memory-compactor", "decay-engine")
"""These ask no model: there is nothing that they could have it choose."""


class House:
    """A workspace whose model answers as the test says."""

    def __init__(self, git: Git, model: Service) -> None:
        self.git, self.model, self.root = git, model, git.root

    def shown(self, scene: Scene) -> None:
        """The files and the talk of a scene, a minute between two messages."""
        for path, text in scene.files.items():
            self.git.write(path, text)
        self.git.commit_all("What was there.")
        since = NOW - timedelta(minutes=len(scene.said))
        for at, text in enumerate(scene.said):
            role = "assistant" if text.startswith(AGENT) else "user"
            space = at_a_terminal(self.root, since + timedelta(minutes=at))
            heartbeat(space, text.removeprefix(AGENT), session=SESSION, role=role)

    def runs(self, *command: str, **answer: Any) -> None:
        """Runs a command while the model answers so; an `entry` is named by what it says."""

        def made(shape: Mapping[str, Any]) -> Any:
            asked = json.dumps(self.model.requests[-1])
            entry = re.search(rf"\[(\d+)\] entry: {re.escape(str(answer.get('entry')))}", asked)
            named = {"number": int(entry[1]), "words": answer["entry"]} if entry else {}
            return filled(shape, {**answer, **named})

        self.model.replies = [Reply(made)]
        assert run([*command]) == 0

    def talked(self, *entries: Mapping[str, object]) -> None:
        """A session of OpenClaw with these entries."""
        agent = openclaw(self.root.name, workspaces=self.root.parent) / "agents" / self.root.name
        states.write(agent, "s1.jsonl", [states.header("s1"), *entries])
        states.index(agent, s1=SESSION)

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def has(self, pattern: str, line: str) -> bool:
        """Whether a file that fits the pattern has a line that begins so, or holds it."""
        return any(line in path.read_text("utf-8") for path in self.root.glob(pattern))

    def text(self) -> str:
        """All that the workspace says: its files, their names, and every commit and proposal."""
        paths = [path for path in self.root.rglob("*") if ".git" not in path.parts]
        names = [path.name for path in paths]
        files = [path.read_text("utf-8") for path in paths if path.is_file()]
        return "\n".join((*names, *files, self.git("log", "--all", "-p", "--format=%B")))

    def says(self, words: str, *truths: str) -> bool:
        """Whether anything says these words, beside what was shown."""
        text = plain(self.text())
        for truth in sorted(map(plain, truths), key=len, reverse=True):
            text = text.replace(truth, " ")
        return plain(words) in text


def plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .。")


def filled(shape: Mapping[str, Any], answer: Mapping[str, Any], name: str = "") -> Any:
    """A value of any schema: each field from the answer by its name, each list with one item."""
    if shape.get("type") == "object":
        return {key: filled(one, answer, key) for key, one in shape["properties"].items()}
    if name in answer:
        return answer[name]
    if shape.get("type") == "array":
        return [filled(shape["items"], answer, name)]
    if "enum" in shape:
        return shape["enum"][0]
    return {"integer": 1, "number": 1.0, "boolean": True}.get(shape.get("type", ""), "")


@pytest.fixture
def house(ws: Git, service: Service, monkeypatch: pytest.MonkeyPatch) -> House:
    (ws.root / ".git/clawgit").mkdir()
    monkeypatch.chdir(ws.root)
    monkeypatch.setenv("CLAWGIT_NOW", NOW.isoformat())
    for name, value in service.env.items():
        monkeypatch.setenv(name, value)
    ws.write("CONFIG.md", "```yaml\nllm_model: openai:gpt-5\n```\n")
    ws.write(
        "SOUL.md", "# Soul\n\n## Core truths\n\n- Be kind.\n\n## Boundaries\n\n- Keep quiet.\n"
    )
    ws.write("USER.md", "# User\n\n- **Name:** Mira\n")
    accept_settings(ws.root)
    ws.commit_all("settings")
    return House(ws, service)


def told() -> Iterator[pytest.ParameterSet]:
    for at, scene in enumerate(LIES):
        for is_quoted in (False, True):
            how = "quoted" if is_quoted else "beside"
            yield pytest.param(scene, is_quoted, id=f"{at:02}-{scene.agent}-{scene.kind}-{how}")


@pytest.mark.parametrize(("scene", "is_quoted"), [*told()])
def test_no_file_says_a_lie(house: House, scene: Scene, is_quoted: bool) -> None:
    house.shown(scene)
    answer = dict(scene.answer)
    if is_quoted:
        answer |= {name: scene.says for name in QUOTES if name in answer}
    house.runs("agent", "run", scene.agent, **answer)
    assert bool(house.model.requests) is (scene.agent not in SILENT)
    shown = (*scene.files.values(), *(text.removeprefix(AGENT) for text in scene.said))
    lines = chain.from_iterable(text.splitlines() for text in shown)
    assert not house.says(scene.says, *shown, *filter(None, map(str.strip, lines)))


def test_the_lies_are_of_every_kind_and_for_every_agent_that_asks() -> None:
    assert len(LIES) >= 30
    assert {scene.agent for scene in LIES} < {*AGENTS}


# What an honest answer brings about: what was said, in the words in which it was said.


BEES = "spent all day with the bees behind the barn"
HABIT = "Could you get into the habit of running things by me before anything leaves the house?"
KEY = "you got it wrong, the key went to Lena"
WEATHER = "The weather was nice in Turku again."


@pytest.mark.parametrize(
    ("scene", "path", "line"),
    [
        (mined("honest", BEES, "the bees behind the barn", BEES), "MEMORY.md", BEES),
        (organized("honest", WEATHER, "nice in Turku", WEATHER), "*/*/*.md", f"- {WEATHER}"),
        (
            recalled("honest", KEY, "Ana keeps the cellar key.", KEY, "Ana likes tea."),
            "MEMORY.md",
            f"  - Mira: “{KEY}” #correction",
        ),
    ],
    ids=lambda value: getattr(value, "agent", ""),
)
def test_what_a_model_chooses_is_written_as_it_was_said(
    house: House, scene: Scene, path: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house.shown(scene)
    house.runs("agent", "run", scene.agent, "--dry-run")
    assert line not in capsys.readouterr().out, "without a proof the judges would not write it"
    house.runs("agent", "run", scene.agent, **scene.answer)
    assert house.has(path, line)


def test_an_order_that_only_a_model_hears_waits_for_the_operator_in_their_words(
    house: House,
) -> None:
    scene = kept("honest", "", "running things by me", HABIT)
    house.shown(scene)
    before = house.read("SOUL.md")
    house.runs("agent", "run", scene.agent, **scene.answer)
    assert house.read("SOUL.md") == before
    [proposal] = house.git("for-each-ref", "--format=%(refname)", "refs/clawgit/proposals").split()
    assert f"+- Mira: “{HABIT}”" in house.git("show", proposal)


CATS = recalled(
    "honest",
    "",
    "The cat eats everything in the kitchen.",
    "",
    "The cat touches only fish in the kitchen.",
)


@pytest.mark.parametrize("quote", ["eats everything", "eats nothing at all"])
def test_what_a_model_calls_a_conflict_is_the_operators_to_decide(house: House, quote: str) -> None:
    house.shown(CATS._replace(said=()))
    before = house.read("MEMORY.md")
    words = [{"number": 1, "words": said} for said in (quote, "touches only fish")]
    house.runs("agent", "run", "conflict-detector", chosen=words)
    assert house.model.requests
    assert house.read("MEMORY.md") == before
    assert house.has("CONFLICTS.md", "flagged: the operator decides") is (quote in before)


def test_a_correction_is_quoted_under_no_entry_of_another_subject(house: House) -> None:
    scene = recalled("target", "", "Lena sits in Paris.", KEY, "Ana keeps the cellar key.")
    house.shown(scene)
    before = house.read("MEMORY.md")
    house.runs("agent", "run", "recall-validator", **scene.answer)
    assert house.model.requests
    assert house.read("MEMORY.md") == before


@pytest.mark.parametrize("is_lesson", [True, False])
def test_a_model_says_whether_a_failure_teaches_and_the_calls_say_what(
    house: House, is_lesson: bool
) -> None:
    tried = tool("a", None, "git push", "fatal: The current branch has no upstream.", code=128)
    worked = tool("b", "ra", "git push -u origin main", "ok")
    house.talked(*tried, *worked)
    lie = "The moon was full."
    chosen = [{"number": 1, "words": "git push -u origin main"}] * is_lesson
    house.runs("agent", "run", "lesson-extractor", chosen=chosen)
    assert house.has("memory/lessons.md", "git push -u origin main") is is_lesson
    assert not house.says(lie)


TALK = ("We decided to use Redis for the cache.", "Marek did not steal the boat.")


def test_a_session_is_named_by_words_of_it_and_no_model_is_asked(house: House) -> None:
    house.talked(*states.talk(*TALK))
    house.runs("session", "new", "--session", SESSION, name="moon")
    assert not house.model.requests
    assert not any("moon" in note.name for note in house.root.glob("memory/*"))
