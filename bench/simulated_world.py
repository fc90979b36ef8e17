"""A simulated life in a real workspace: people talk, edit and correct, agents come and go, and all
is looked at."""

import os
import random
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

from bench.simulated_life import Matter
from clawgit.agents import AGENTS
from clawgit.agents.frame.agents import run_agent
from clawgit.core.errors import ClawgitError
from clawgit.core.limits import FILE_CHARACTERS
from clawgit.core.tokens import estimate_tokens
from clawgit.git.rules.actors import AGENT, OPERATOR
from clawgit.run.heartbeat import heartbeat
from clawgit.talk.rules.corrections import CORRECTIONS, QUOTED, Correction, corrections
from clawgit.workspace.workspace import Workspace

NOTEBOOK = "MEMORY.md"
_WAKING_HOURS = 14
_AGENT_A_DAY = 0.4
_AGAIN = 0.4


Act = Callable[["World"], None]


@dataclass(slots=True)
class World:
    """The workspace, its people's dice, what they will come to know and what they know. `seen` are
    all lines that ever stood in a Markdown file, `outgrown` the files that we made too long: since
    when, and how long at most.
    """

    workspace: Workspace
    dice: random.Random
    now: datetime
    news: Iterator[Matter]
    known: list[Matter] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    outgrown: dict[str, tuple[date, int]] = field(default_factory=dict)
    commits: dict[str, int] = field(default_factory=dict)
    told: int = 0
    relapses: int = 0
    _stamps: dict[Path, tuple[int, int]] = field(default_factory=dict)
    _left: dict[str, int] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.workspace.root

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def corrected(self) -> list[Matter]:
        return [matter for matter in self.known if matter.corrected]

    def at(self, *, by_agent: bool = False) -> Workspace:
        """The workspace as it is opened now, by the operator or by his agent."""
        caller = self.workspace.caller._replace(now=self.now, actor=AGENT if by_agent else OPERATOR)
        return self.workspace._replace(caller=caller)

    def text(self, path: str) -> str:
        file = self.root / path
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def live_a_day(self, acts: Mapping[Act, int], count: int) -> None:
        """So many acts, by their weights, and some agents before, between and after them."""
        morning = self.now
        todo = self.dice.choices([*acts], [*acts.values()], k=count)
        todo += [_run(name) for name in AGENTS if self.dice.random() < _AGENT_A_DAY]
        self.dice.shuffle(todo)
        for act in todo:
            self.now += timedelta(
                minutes=self.dice.randint(5, _WAKING_HOURS * 60 // (len(todo) + 1))
            )
            self.look()
            act(self)
        self.look()
        self.now = morning + timedelta(days=1)

    def say(self, text: str, role: str = "user") -> bool:
        """A message of the chat; whether the Recall Validator hears it."""
        self.told += 1
        self.now += timedelta(seconds=20)
        done = heartbeat(
            self.at(by_agent=True),
            text,
            session="agent:main:main",
            role=role,
            ident=f"m{self.told}",
        )
        return any(call.queue == "recall-validator" for call in done.queued)

    def run(self, name: str, *, again: bool = False) -> None:
        """An agent at work, and perhaps at once a second time, which must not change anything."""
        now = self.now
        for turn in range(1 + again):
            before = self.head()
            try:
                done = run_agent(self.at(), name, clock=lambda: now)
            except ClawgitError as error:
                self.wrong.append(f"{now:%Y-%m-%d} {name} failed: {error.message}")
                return
            self.commits[name] = self.commits.get(name, 0) + len(done.commits)
            self.look()
            if turn and self.head() != before:
                changes = "; ".join(one.summary for one in done.commits)
                self.wrong.append(
                    f"{now:%Y-%m-%d} {name} changed something when run again: {changes}"
                )

    def look(self, *, by_others: bool = False) -> None:
        """Notes the lines of each file that changed, and whether a file has outgrown its limit by
        what we wrote."""
        for file in self.files():
            stat = file.stat()
            if self._stamps.get(file) != (stat.st_mtime_ns, stat.st_size):
                self._stamps[file] = (stat.st_mtime_ns, stat.st_size)
                path = str(file.relative_to(self.root))
                for line in file.read_text(encoding="utf-8").splitlines():
                    self.seen.setdefault(line.strip(), f"{path} on {self.today}")
                self._measure(path, by_others=by_others)

    def files(self) -> Iterator[Path]:
        """All Markdown files that are not git's or hidden."""
        for folder, below, names in os.walk(self.root):
            below[:] = [name for name in below if not name.startswith(".")]
            yield from (Path(folder, name) for name in names if name.endswith(".md"))

    def learn(self, old: Matter, new: Matter) -> None:
        self.known[self.known.index(old)] = new

    def pick(self, wanted: Callable[[Matter], bool]) -> Matter | None:
        fitting = [matter for matter in self.known if wanted(matter)]
        return self.dice.choice(fitting) if fitting else None

    def append(self, path: str, text: str) -> None:
        """What somebody else writes, past us."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(text)
        self.look(by_others=True)

    def git(self, *arguments: str) -> str:
        env = dict(self.workspace.caller.env)
        return subprocess.run(
            ["git", *arguments], cwd=self.root, env=env, capture_output=True, text=True, check=True
        ).stdout

    def head(self) -> str:
        return self.workspace.git.head().oid or ""

    def _measure(self, path: str, *, by_others: bool) -> None:
        limits = {NOTEBOOK: (len, FILE_CHARACTERS), "SOUL.md": (estimate_tokens, self.soul_max)}
        if path in limits:
            size_of, limit = limits[path]
            size = size_of(self.text(path))
            first, most = self.outgrown.get(path, (self.today, 0))
            if not by_others and size > max(limit, self._left.get(path, 0)):
                self.outgrown[path] = first, max(size, most)
            self._left[path] = size if by_others else min(size, self._left.get(path, 0))

    @property
    def soul_max(self) -> int:
        return self.workspace.config.settings.soul_max_tokens


def _run(name: str) -> Act:
    return lambda world: world.run(name, again=world.dice.random() < _AGAIN)


def environment(env: Mapping[str, str], **settings: str) -> dict[str, str]:
    """An environment in which `settings` hold, as CLAWGIT_* does it."""
    return {
        **env,
        "PATH": os.environ["PATH"],
        **{f"CLAWGIT_{name.upper()}": value for name, value in settings.items()},
    }


def is_logged(world: World, matter: Matter) -> bool:
    """Whether the log of corrections, or its archive, holds what is right: for certain, or in the
    operator's words."""
    return any(
        matter.subject in one.correct and names(one.correct, matter.value) for one in _logged(world)
    )


def knows_as_wrong(world: World, matter: Matter, old: str) -> bool:
    """Whether a correction of this matter names the old statement: what nobody told it cannot know.
    A quote settles nothing but the entry that it disputes.
    """
    about = [one for one in _logged(world) if matter.subject in one.correct]
    return any(old == one.old or (one.binds and old == one.said) for one in about)


def _logged(world: World) -> list[Correction]:
    paths = (
        CORRECTIONS,
        *(
            str(file.relative_to(world.root))
            for file in world.root.glob("Archive/Corrections/*.md")
        ),
    )
    every = (one for path in paths for one in corrections(world.text(path)))
    return [one for one in every if one.binds or one.status == QUOTED]


def names(text: str, value: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text))
